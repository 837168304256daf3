#include "mctensor/optim/state_file.hpp"

#include <algorithm>

#include "mctensor/base/number_text.hpp"
#include "mctensor/optim/strategy.hpp"

namespace mct::optim {

namespace {

constexpr const char* counts_name = "counts";
constexpr const char* updates_name = "updates";
// a double holds them exactly, and adding one does not overflow
constexpr std::int64_t most_steps = std::int64_t(1) << 53;

/// The states of kahan, a strategy of earlier versions, are those of light.
bool is_same(const std::string& found, const std::string& expected) {
  return found == expected || (found == "kahan" && expected == "light");
}

}  // namespace

std::string StateNames::in_file(const std::string& name) const {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return name;
  const auto found = prefixes.find(name.substr(0, dot));
  return found == prefixes.end() ? name : found->second + name.substr(dot);
}

void StateWriter::describe(const StateDescription& description) {
  for (const auto& [key, value] : description) writer_.set_metadata(key, value);
}

void StateWriter::describe(const StateDescription& description, const StateCounts& counts) {
  describe(description);
  auto updates = counts.updates;
  for (std::size_t i = 0; i < names_.places.size(); ++i)
    updates[names_.places[i]] = counts.updates[i];
  writer_.add(counts_name, Tensor<std::int64_t>::from_values({counts.steps, counts.skipped}));
  writer_.add(updates_name, Tensor<std::int64_t>::from_values(updates));
}

StateReader::StateReader(const std::filesystem::path& path, const StateDescription& description,
                         StateNames names)
    : path_(path.string()), names_(std::move(names)), reader_(path) {
  for (const auto& [key, value] : description) {
    const auto found = reader_.metadata().find(key);
    if (found != reader_.metadata().end() && is_same(found->second, value)) continue;
    // "mctensor.optimizer" is called optimizer
    std::string message = path_ + ": its " + key.substr(key.find('.') + 1);
    message += found == reader_.metadata().end() ? " is missing" : " is '" + found->second + "'";
    message += ", expected '" + value + "'";
    if (found != reader_.metadata().end()) message += successor_of(found->second);
    throw IoError(message);
  }
}

StateCounts StateReader::counts(std::size_t parameters) {
  const auto read = [&](const char* name, std::size_t size) {
    auto values = reader_.load<std::int64_t, 1>(name);
    check_shape(name, values.shape(), {std::int64_t(size)});
    read_.insert(name);
    auto numbers = values.values();
    for (const std::int64_t count : numbers) {
      if (count < 0) fail(name, "holds " + std::to_string(count) + ", which is negative");
      if (count > most_steps)
        fail(name, "holds " + std::to_string(count) + ", an impossible number of steps");
    }
    return numbers;
  };
  const auto all = read(counts_name, 2);
  const auto in_file = read(updates_name, parameters);
  auto updates = in_file;
  for (std::size_t i = 0; i < names_.places.size(); ++i) updates[i] = in_file[names_.places[i]];
  return {all[0], all[1], updates};
}

bool StateReader::has(const std::string& name) const {
  const auto all = reader_.names();
  return std::find(all.begin(), all.end(), names_.in_file(name)) != all.end();
}

void StateReader::finish() const {
  for (const std::string& name : reader_.names())
    if (read_.count(name) == 0) fail(name, "belongs to no state of this optimizer");
}

void StateReader::fail(const std::string& name, const std::string& what) const {
  throw IoError(path_ + ": entry '" + names_.in_file(name) + "' " + what);
}
void StateReader::fail(const std::string& what) const { throw IoError(path_ + ": " + what); }

void StateReader::check_shape(const std::string& name, const Shape& found,
                              const Shape& expected) const {
  if (found != expected)
    fail(name, "has shape " + mct::to_string(found) + ", expected " + mct::to_string(expected));
}

void StateReader::fail_value(const std::string& name, std::int64_t index, double value,
                             StateValues values) const {
  fail(name, "holds " + number_text(value) + " as number " + std::to_string(index) +
                 ": it must be finite" +
                 (values == StateValues::not_negative ? " and at least 0" : ""));
}

}  // namespace mct::optim

#include "src/embed/description.hpp"

#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw IoError(file + ": " + what);
}

}  // namespace

void describe(SafetensorsWriter& writer, const Description& description) {
  for (const auto& [key, value] : description) writer.set_metadata(key, value);
}

void require_description(const std::string& file, const SafetensorsReader& reader,
                         const Description& description) {
  for (const auto& [key, value] : description) {
    const auto found = reader.metadata().find(key);
    std::string what = key;
    if (found == reader.metadata().end())
      fail(file, what.insert(0, "no state of a training, its ").append(" is missing"));
    if (found->second == value) continue;
    what.insert(0, "a training whose ").append(" is '").append(found->second);
    fail(file, what.append("', not '").append(value).append("'"));
  }
}

}  // namespace mct::embed

// Writes, reads and checks files with the states of optimizers.
//
// The files are safetensors files whose metadata describe the optimizer. The entry `counts` holds
// the numbers of steps taken and skipped. The entry `updates` holds how often each parameter (or
// row) was updated. The other entries are states.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/safetensors.hpp"

namespace mct::optim {

/// The metadata that describe the optimizer of a file: "mctensor.optimizer" and more.
using StateDescription = std::map<std::string, std::string>;

struct StateCounts {
  std::int64_t steps = 0;
  std::int64_t skipped = 0;
  std::vector<std::int64_t> updates;
};

/// The names in a checkpoint. An optimizer numbers its parameters, but a checkpoint has their
/// names.
struct StateNames {
  /// The part of a name before its last dot, such as "0.1", and its replacement in the file.
  std::map<std::string, std::string> prefixes;
  /// For each parameter, the position of its count in the entry `updates`. Empty if the order is
  /// the same.
  std::vector<std::size_t> places;

  /// `name` with its prefix replaced, as it stands in the file.
  std::string in_file(const std::string& name) const;
};

/// Collects the states of an optimizer and writes them. All functions may throw IoError.
class StateWriter {
 public:
  StateWriter() = default;
  StateWriter(const StateDescription& description, const StateCounts& counts) {
    describe(description, counts);
  }
  explicit StateWriter(StateNames names) : names_(std::move(names)) {}

  /// Adds to the description of the file.
  void describe(const StateDescription& description);
  void describe(const StateDescription& description, const StateCounts& counts);

  template <class T, int N>
  void add(const std::string& name, const Tensor<T, N>& state) {
    writer_.add(names_.in_file(name), state);
  }
  /// Writes the file. An existing file is replaced as a whole.
  void save(const std::filesystem::path& path) const { writer_.save(path); }

 private:
  StateNames names_;
  SafetensorsWriter writer_;
};

/// The values that a state may have.
enum class StateValues {
  any,           ///< any bits, which need not be numbers
  finite,        ///< finite numbers
  not_negative,  ///< finite numbers of at least 0, such as second moments
};

/// Reads the states of an optimizer. All functions may throw IoError. The message names the file,
/// the entry and the reason.
class StateReader {
 public:
  /// Opens the file. Throws if it has another description.
  StateReader(const std::filesystem::path& path, const StateDescription& description,
              StateNames names = {});

  /// Throws if a count is negative, or if the number of counts of updates is not `parameters`.
  StateCounts counts(std::size_t parameters);
  /// Reads a state. Throws if its shape differs or if it has values that are not allowed.
  template <class T, int N>
  Tensor<T, N> state(const std::string& name, const Shape& shape, StateValues values);
  bool has(const std::string& name) const;
  /// Throws if the file has an entry that was not read.
  void finish() const;

  /// All names in the file, and the shape of one entry. If the entry has several components, its
  /// first dimension is their number.
  std::vector<std::string> names() const { return reader_.names(); }
  const Shape& shape(const std::string& name) const { return reader_.shape(name); }

  [[noreturn]] void fail(const std::string& name, const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void check_shape(const std::string& name, const Shape& found, const Shape& expected) const;
  [[noreturn]] void fail_value(const std::string& name, std::int64_t index, double value,
                               StateValues values) const;

  std::string path_;
  StateNames names_;
  SafetensorsReader reader_;
  std::set<std::string> read_;
};

template <class T, int N>
Tensor<T, N> StateReader::state(const std::string& own_name, const Shape& shape,
                                StateValues values) {
  const std::string name = names_.in_file(own_name);
  auto state = reader_.load<T, N>(name);
  check_shape(name, state.shape(), shape);
  read_.insert(name);
  if (values == StateValues::any) return state;
  const std::int64_t count = state.numel();
  for (int k = 0; k < N; ++k)
    for (std::int64_t i = 0; i < count; ++i) {
      const auto value = double(state.data(k)[i]);
      // lower components may have either sign
      const bool is_wrong = values == StateValues::not_negative && k == 0 && value < 0;
      if (!std::isfinite(value) || is_wrong) fail_value(name, i, value, values);
    }
  return state;
}

}  // namespace mct::optim

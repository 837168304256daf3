// Python's pickles as data: the values that they describe, without running anything that they name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mct::cli::train {

/// A value of a pickle. Values that contain others name them by their numbers in the Pickle.
struct PickleValue {
  enum class Kind {
    none,
    integer,  ///< truth values too
    real,     ///< a number in binary form
    text,     ///< strings and bytes
    list,     ///< tuples too
    dict,     ///< items: key, value, key, value ...
    global,   ///< text: "module name", of a class or function
    object,   ///< of the global items[0] and the arguments items[1]; state; entries: key, value ...
  };
  Kind kind = Kind::none;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<std::uint32_t> items;
  std::uint32_t state = 0;  ///< of an object: its state, 0 (None) if it has none
  std::vector<std::uint32_t> entries;
};

/// A pickle from a file: protocols 0 to 4, as far as numpy's arrays, scipy's sparse matrices,
/// numbers, texts, lists and dictionaries need them.
class Pickle {
 public:
  /// Throws IoError naming the file, and the byte and operation that is unknown, cut off, or has no
  /// value to work on. It takes at most some 200 times the memory of the file.
  explicit Pickle(const std::filesystem::path& path);

  /// The path in quotes, for messages.
  const std::string& name() const { return name_; }
  const PickleValue& root() const { return values_[root_]; }
  const PickleValue& operator[](std::uint32_t i) const { return values_[i]; }
  /// The value of a text key among items or entries; nullptr if the key is missing.
  const PickleValue* find(const std::vector<std::uint32_t>& items, const std::string& key) const;
  /// Throws IoError "FILE: what".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  friend class PickleMachine;
  std::string name_;
  std::vector<PickleValue> values_;
  std::uint32_t root_ = 0;
};

}  // namespace mct::cli::train

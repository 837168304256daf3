// The meaning of --quick.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <type_traits>

namespace mct::cli {

/// Adds the flag. `values`: what it stands for, in words.
inline void add_quick(CLI::App& command, const std::string& values) {
  command.add_flag("--quick")->description(values + " (options that are given stay)");
}

/// Gives options the values of --quick, if that was given: those that were not given themselves.
class Quick {
 public:
  explicit Quick(const CLI::App& command) : command_(command) {}

  template <class T>
  void set(const char* option, T& value, const std::type_identity_t<T>& quick) const {
    if (command_.count(option) == 0) set(value, quick);
  }
  /// Values that no option sets.
  template <class T>
  void set(T& value, const std::type_identity_t<T>& quick) const {
    if (command_.count("--quick") > 0) value = quick;
  }

 private:
  const CLI::App& command_;
};

}  // namespace mct::cli

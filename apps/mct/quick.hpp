// The meaning of --quick.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <type_traits>

namespace mct::cli {

/// Adds the flag. `values`: a description of the values for which it stands.
inline void add_quick(CLI::App& command, const std::string& values) {
  command.add_flag("--quick")->description(values + " (options that are given stay)");
}

/// If --quick is given, gives its values to options that are not given themselves.
class Quick {
 public:
  explicit Quick(const CLI::App& command) : command_(command) {}

  template <class T>
  void set(const char* option, T& value, const std::type_identity_t<T>& quick) const {
    if (command_.count(option) == 0) set(value, quick);
  }
  /// Sets a value that has no option.
  template <class T>
  void set(T& value, const std::type_identity_t<T>& quick) const {
    if (command_.count("--quick") > 0) value = quick;
  }

 private:
  const CLI::App& command_;
};

}  // namespace mct::cli

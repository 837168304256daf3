// A block program as nvcc compiled it, in the place of its source.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <regex>
#include <typeinfo>

#include "tests/cuda/ptx/machine.hpp"

namespace mct::cuda::ptx {

/// The shared memory of a DeviceTeam, for its size.
struct DeviceLayout {
  template <class T, int N, int Alignment = 16>
  struct Array {
    alignas(Alignment) T data[N];
  };
};

inline std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return text ? text.get() : name;
}

/// The name that a type has by either compiler: without the zeros at the end of values of structs,
/// which g++ leaves out of names and nvcc does not, and without MCT_ISA_NAMESPACE.
inline std::string common_name(const std::string& name) {
  static const std::regex zeros(R"((, (\([\w:]+\)0|false))+\})");
  static const std::regex instruction_set(R"(\bisa_\w+::)");
  return std::regex_replace(std::regex_replace(name, zeros, "}"), instruction_set, "");
}

/// The kernel that runs a program, by the program's name; null if it is not in the module.
inline const Entry* search_entry(const Module& module, const std::type_info& program) {
  const std::string name = common_name(demangled(program.name()));
  const std::string kernel = "run_block<" + name + (name.ends_with('>') ? " >(" : ">(");
  for (const Entry& entry : module.entries)
    if (common_name(demangled(entry.name)).find(kernel) != std::string::npos) return &entry;
  return nullptr;
}
inline bool has_entry(const Module& module, const std::type_info& program) {
  return search_entry(module, program) != nullptr;
}
inline const Entry& find_entry(const Module& module, const std::type_info& program) {
  if (const Entry* entry = search_entry(module, program)) return *entry;
  throw std::runtime_error("not in the PTX: " + demangled(program.name()));
}

/// Runs in Program's place. Its operands are Program's bytes, as a launch passes them.
template <class Program>
class FromPtx {
 public:
  static constexpr int threads = Program::threads;
  template <class Team>
  using Shared = SharedBytes<int(sizeof(typename Program::template Shared<DeviceLayout>))>;

  FromPtx(const Program& program, const Module& module)
      : program_(program), module_(module), entry_(find_entry(module, typeid(Program))) {
    if (entry_.parameter_bytes != sizeof program || entry_.threads != threads)
      throw std::runtime_error("the PTX is of another program: " + demangled(entry_.name));
  }
  void operator()(const SimulatedTeam& team, SharedMemory& shared) const {
    Thread thread(team, shared, &program_, entry_, module_);
    entry_.run(thread);
  }

 private:
  Program program_;
  const Module& module_;
  const Entry& entry_;
};

}  // namespace mct::cuda::ptx

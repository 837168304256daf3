// A block program as nvcc compiled it, in the place of its source.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <typeinfo>

#include "tests/cuda/ptx/machine.hpp"

namespace mct::cuda::ptx {

/// The shared memory of a DeviceTeam, for its size.
struct DeviceLayout {
  template <class T, int N>
  struct Array {
    alignas(16) T data[N];
  };
};

inline std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return text ? text.get() : name;
}

/// The kernel that runs a program, by the program's name.
inline const Entry& find_entry(const Module& module, const std::type_info& program) {
  const std::string kernel = "run_block<" + demangled(program.name()) + " >(";
  for (const Entry& entry : module.entries)
    if (demangled(entry.name).find(kernel) != std::string::npos) return entry;
  throw std::runtime_error("not in the PTX: " + kernel);
}

/// Stands wherever a simulation takes Program. Its operands are Program's bytes, as a launch passes
/// them.
template <class Program, const Module& module>
class FromPtx {
 public:
  static constexpr int threads = Program::threads;
  template <class Team>
  using Shared = SharedBytes<int(sizeof(typename Program::template Shared<DeviceLayout>))>;

  explicit FromPtx(const Program& program)
      : program_(program), entry_(find_entry(module, typeid(Program))) {
    if (entry_.parameter_bytes != sizeof program || entry_.threads != threads)
      throw std::runtime_error("the PTX is of another program: " + demangled(entry_.name));
  }
  void operator()(const SimulatedTeam& team, SharedMemory& shared) const {
    Thread thread(team, shared, &program_, entry_, module);
    entry_.run(thread);
  }

 private:
  Program program_;
  const Entry& entry_;
};

}  // namespace mct::cuda::ptx

// A block program as nvcc compiled it, in the place of its source.
#pragma once

#include <string>
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

std::string demangled(const char* name);

/// The name that a type has by either compiler: without the zeros at the end of values of structs,
/// which g++ leaves out of names and nvcc does not, and without MCT_ISA_NAMESPACE.
std::string common_name(const std::string& name);

/// Whether the module has a kernel that runs a program, by the program's name.
bool has_entry(const Module& module, const std::type_info& program);
/// That kernel. Throws std::runtime_error without one.
const Entry& find_entry(const Module& module, const std::type_info& program);

/// Runs in Program's place. Its operands are Program's bytes, as a launch passes them.
template <class Program>
class FromPtx {
 public:
  static constexpr int threads = Program::threads;
  template <class Team>
  using Shared = SharedBytes<int(sizeof(SharedOf<Program, DeviceLayout>))>;

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

// A test of block programs, and once more with what nvcc made of them: a test of this folder says
// which programs are in which module, and includes the test of the sources. Its program runs either
// (sources_alone), because both are the same code but for the programs.
#pragma once

#include <cstdlib>
#include <set>
#include <string>

#include "tests/cuda/ptx/from_ptx.hpp"
#include "tests/cuda/simulator/simulate.hpp"

namespace mct::cuda::ptx {

/// Whether this run is of the sources, as the environment says: MCT_CUDA_PROGRAMS=sources.
inline bool sources_alone() {
  static const char* const programs = std::getenv("MCT_CUDA_PROGRAMS");
  return programs != nullptr && std::string(programs) == "sources";
}

/// How often a compiled program took the place of its source: 0 would be no test.
inline int& replacements() {
  static int count = 0;
  return count;
}

/// The names of those programs: all that a test is about should be among them.
inline std::set<std::string>& replaced() {
  static std::set<std::string> names;
  return names;
}

/// A base of InPlaceOf: the programs of its kind that `module` has, if that is not null.
template <class Program, const Module*& module>
struct CompiledIn {
  static constexpr bool any = true;
  static bool exists() {
    return !sources_alone() && module != nullptr && has_entry(*module, typeid(Program));
  }
  /// Whether a run of what was compiled would run the source.
  static bool is_missing() { return !sources_alone() && !exists(); }
  static FromPtx<Program> of(const Program& program) {
    ++replacements();
    replaced().insert(common_name(demangled(typeid(Program).name())));
    return FromPtx<Program>(program, *module);
  }
};

}  // namespace mct::cuda::ptx

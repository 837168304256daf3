// How and where a program was built and run, for reports.
#pragma once

#include <string>

namespace mct::output {

/// "g++ 12.2.0, two_prod by fma". `has_fma` is MCT_HAS_FMA of the code that the report is about,
/// which may be compiled for a newer processor than this library.
std::string compiler_text(bool has_fma);
/// The processor's model name, or its architecture where the system does not tell.
std::string processor_name();
int hardware_threads();

}  // namespace mct::output

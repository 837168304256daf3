// How and where the suite was built and run, for the report.
#pragma once

#include <string>

namespace mct::output {

/// "g++ 12.2.0, two_prod by fma".
std::string compiler_text();
/// The processor's model name, or its architecture where the system does not tell.
std::string processor_name();
int hardware_threads();

}  // namespace mct::output

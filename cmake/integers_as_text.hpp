// Compiled before all else of the library and of the tests (MCTensorCompiler.cmake): a warning at
// each std::to_string of a float, which writes 1e-9 as "0.000000". number_text writes it.
#pragma once

#include <string>

#if defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
namespace std {
inline namespace __cxx11 {

[[deprecated("hides small numbers: mct::number_text")]] string to_string(float);
[[deprecated("hides small numbers: mct::number_text")]] string to_string(double);
[[deprecated("hides small numbers: mct::number_text")]] string to_string(long double);

}  // namespace __cxx11
}  // namespace std
#endif

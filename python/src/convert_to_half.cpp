// Tensors of every type as tensors of half.
#include "convert_to.hpp"

template mct::python::AnyTensor mct::python::convert_to<mct::half>(const AnyTensor&, int);

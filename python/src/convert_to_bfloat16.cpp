// Tensors of every type as tensors of bfloat16.
#include "convert_to.hpp"

template mct::python::AnyTensor mct::python::convert_to<mct::bfloat16>(const AnyTensor&, int);

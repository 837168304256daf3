// Tensors of every type as tensors of float.
#include "convert_to.hpp"

template mct::python::AnyTensor mct::python::convert_to<float>(const AnyTensor&, int);

// Tensors of every type as tensors of double.
#include "convert_to.hpp"

template mct::python::AnyTensor mct::python::convert_to<double>(const AnyTensor&, int);

// How the loops over radii are found, which are compiled once per instruction set.
#pragma once

#include "mctensor/certified/radius.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::tensor_detail {

/// The stated error of an operation, relative and absolute; for log1p also the relative one of the
/// sum 1 + x.
struct RadiusErrors {
  double relative, absolute, of_sum = 0;
};

/// out[0][i] is the radius of result[0][i], which is a function of x[0][i] with the radius r[0][i].
template <class T>
using UnaryRadiusKernel = void (*)(std::size_t n, double* const* out, const T* const* x,
                                   const double* const* r, const T* const* result,
                                   const RadiusErrors& errors);
template <class T>
using BinaryRadiusKernel = void (*)(std::size_t n, double* const* out, const T* const* x,
                                    const double* const* r, const T* const* y,
                                    const double* const* s, const T* const* result,
                                    const RadiusErrors& errors);

/// out[0][i] is what run_lowest() says of x[0][i] with the radius r[0][i].
template <class T>
using LowestKernel = void (*)(std::size_t n, double* const* out, const T* const* x,
                              const double* const* r);

/// The loops of one component type, and the bounds of the kernels of the same instruction set. An
/// operation without radii has no loop.
template <class T>
struct RadiusTable {
  UnaryRadiusKernel<T> unary[int(Unary::count)];
  BinaryRadiusKernel<T> binary[int(Binary::count)];
  LowestKernel<T> lowest;
  RadiusErrors (*unary_errors)(Unary op, int components);
  RadiusErrors (*binary_errors)(Binary op, int components);
};

MCT_DECLARE_KERNELS(template <class T> const RadiusTable<T>& radius_table();)

}  // namespace mct::tensor_detail

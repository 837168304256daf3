// Connects tensors and Eigen's dense matrices, by views of each other's memory and by copies. Link
// mctensor::mctensor. Eigen's algorithms on expansions need interop/eigen.hpp only.
//
// A tensor of one dimension corresponds to a vector, a tensor of two dimensions to a matrix.
//
// Error: values are shared or copied exactly. Domain: every value and shape that fits; other shapes
// throw ShapeError. Source: both libraries read the same memory.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <type_traits>

#include "mctensor/error.hpp"
#include "mctensor/interop/eigen.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// The result of as_eigen: a matrix in the memory of a tensor, with its strides in elements.
template <class T>
using EigenTensorMap = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>,
                                  Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
/// The result of as_eigen_vector.
template <class T>
using EigenTensorVectorMap = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>, Eigen::Unaligned,
                                        Eigen::InnerStride<Eigen::Dynamic>>;

namespace interop_detail {

/// The tensor whose elements are scalars of a matrix.
template <class Scalar>
struct TensorOfScalar {
  using Type = Tensor<Scalar, 1>;
};
template <class T, int N>
struct TensorOfScalar<Expansion<T, N>> {
  using Type = Tensor<T, N>;
};

/// Limb k of a scalar of a matrix. A plain scalar is returned as it is.
template <class Scalar>
const Scalar& limb_of(const Scalar& value, int) {
  return value;
}
template <class T, int N>
const T& limb_of(const Expansion<T, N>& value, int k) {
  return value.limb[k];
}

/// Throws ShapeError unless the type Matrix allows rows x cols elements. The type may fix its
/// dimensions or limit them.
template <class Matrix>
void check_matrix_size(Eigen::Index rows, Eigen::Index cols, const Shape& shape) {
  const auto fits = [](Eigen::Index size, int fixed, int limit) {
    return fixed == Eigen::Dynamic ? limit == Eigen::Dynamic || size <= limit : size == fixed;
  };
  if (fits(rows, Matrix::RowsAtCompileTime, Matrix::MaxRowsAtCompileTime) &&
      fits(cols, Matrix::ColsAtCompileTime, Matrix::MaxColsAtCompileTime))
    return;
  const auto name = [](int fixed) {
    return fixed == Eigen::Dynamic ? std::string("any") : std::to_string(fixed);
  };
  throw ShapeError("a tensor of shape " + mct::to_string(shape) +
                   " does not fit an Eigen matrix of " + name(Matrix::RowsAtCompileTime) + " x " +
                   name(Matrix::ColsAtCompileTime));
}

}  // namespace interop_detail

inline namespace MCT_ISA_NAMESPACE {

/// A tensor that is a view of a matrix, array, block or map whose elements can be written. It has
/// the same strides. It has one dimension if the type is a vector at compile time, else two. The
/// matrix must outlive the tensor and keep its size.
template <class Derived>
Tensor<typename Derived::Scalar, 1> from_eigen(Eigen::DenseBase<Derived>& matrix) {
  constexpr auto flags = unsigned(Derived::Flags);
  static_assert((flags & Eigen::DirectAccessBit) != 0, "an expression has no memory: eval() it");
  static_assert((flags & Eigen::LvalueBit) != 0, "the elements of a Tensor can be written");
  using T = typename Derived::Scalar;
  Derived& m = matrix.derived();
  if constexpr (Derived::IsVectorAtCompileTime) {
    return Tensor<T, 1>::from_memory(m.data(), {m.size()}, {m.innerStride()});
  } else {
    return Tensor<T, 1>::from_memory(m.data(), {m.rows(), m.cols()},
                                     {m.rowStride(), m.colStride()});
  }
}

/// A matrix that is a view of a plain tensor of two dimensions. A tensor of one dimension gives a
/// matrix of one column. The tensor's memory must outlive the result. Throws ShapeError for another
/// number of dimensions.
template <class T>
EigenTensorMap<T> as_eigen(const Tensor<T, 1>& x) {
  if (x.dim() != 1 && x.dim() != 2)
    throw ShapeError("as_eigen: a tensor of shape " + to_string(x.shape()) + " is not a matrix");
  const bool is_matrix = x.dim() == 2;
  const Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic> strides(x.strides()[0],
                                                              is_matrix ? x.strides()[1] : 1);
  return EigenTensorMap<T>(x.data(), x.shape()[0], is_matrix ? x.shape()[1] : 1, strides);
}

/// A view of a plain tensor of one dimension as a column vector. The tensor's memory must outlive
/// the result. Throws ShapeError for another number of dimensions.
template <class T>
EigenTensorVectorMap<T> as_eigen_vector(const Tensor<T, 1>& x) {
  if (x.dim() != 1)
    throw ShapeError("as_eigen_vector: a tensor of shape " + to_string(x.shape()) +
                     " is not a vector");
  return EigenTensorVectorMap<T>(x.data(), x.shape()[0],
                                 Eigen::InnerStride<Eigen::Dynamic>(x.strides()[0]));
}

/// The elements of a matrix or expression in a new tensor: Tensor<T, N> for scalars Expansion<T,
/// N>, a plain tensor for T. It has one dimension for a type that is a vector at compile time, else
/// two.
template <class Derived>
typename interop_detail::TensorOfScalar<typename Derived::Scalar>::Type copy_from_eigen(
    const Eigen::DenseBase<Derived>& matrix) {
  using Result = typename interop_detail::TensorOfScalar<typename Derived::Scalar>::Type;
  const auto& m = matrix.derived().eval();
  const Shape shape = Derived::IsVectorAtCompileTime ? Shape{m.size()} : Shape{m.rows(), m.cols()};
  Result x = Result::uninitialized(shape);
  for (int k = 0; k < Result::components; ++k) {
    auto* element = x.data(k);
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < m.cols(); ++j)
        *element++ = interop_detail::limb_of(m.coeff(i, j), k);
  }
  return x;
}

/// A copy as a matrix or array of type Matrix. Its scalar must be the tensor's element; for a plain
/// tensor it may also be Expansion<T, 1>. A tensor of two dimensions gives its rows and columns. A
/// tensor of one dimension gives a row if Matrix has one row at compile time, else a column. Throws
/// ShapeError if the dimensions do not fit.
template <class Matrix, class T, int N>
Matrix copy_to_eigen(const Tensor<T, N>& x) {
  using Scalar = typename Matrix::Scalar;
  static_assert(std::is_same_v<typename interop_detail::TensorOfScalar<Scalar>::Type, Tensor<T, N>>,
                "the matrix has elements of another type");
  if (x.dim() != 1 && x.dim() != 2)
    throw ShapeError("copy_to_eigen: a tensor of shape " + to_string(x.shape()) +
                     " is not a matrix");
  const bool is_row = x.dim() == 1 && Matrix::RowsAtCompileTime == 1;
  const Eigen::Index rows = is_row ? 1 : x.shape()[0];
  const Eigen::Index cols = is_row ? x.shape()[0] : x.dim() == 2 ? x.shape()[1] : 1;
  interop_detail::check_matrix_size<Matrix>(rows, cols, x.shape());
  const std::int64_t row_step = is_row ? 0 : x.strides()[0];
  const std::int64_t col_step = is_row ? x.strides()[0] : x.dim() == 2 ? x.strides()[1] : 0;
  Matrix m;
  m.resize(rows, cols);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < cols; ++j) {
      const std::int64_t offset = i * row_step + j * col_step;
      if constexpr (std::is_same_v<Scalar, T>) {
        m(i, j) = x.data()[offset];
      } else {
        for (int k = 0; k < N; ++k) m(i, j).limb[k] = x.data(k)[offset];
      }
    }
  return m;
}

/// A copy as a matrix with dynamic numbers of rows and columns.
template <class T, int N>
Eigen::Matrix<typename Tensor<T, N>::Value, Eigen::Dynamic, Eigen::Dynamic> copy_to_eigen(
    const Tensor<T, N>& x) {
  using Scalar = typename Tensor<T, N>::Value;
  return copy_to_eigen<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>>(x);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct

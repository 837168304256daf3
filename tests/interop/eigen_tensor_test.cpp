// Tensors and Eigen matrices: views share memory, copies keep every limb, wrong shapes are refused.
#include "mctensor/interop/eigen_tensor.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <vector>

namespace mct {
namespace {

template <class T>
Tensor<T> counting(const Shape& shape) {
  Tensor<T> x(shape);
  for (std::int64_t i = 0; i < x.numel(); ++i) x.data()[i] = T(int(i));
  return x;
}

TEST(EigenTensor, ViewsOfMatrices) {
  Eigen::MatrixXd columns(2, 3);
  columns << 0, 1, 2, 3, 4, 5;
  const auto x = from_eigen(columns);
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x.strides(), (Shape{1, 2}));
  EXPECT_EQ(x.values(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(x.data(), columns.data());
  x.set({1, 0}, 7);
  EXPECT_EQ(columns(1, 0), 7);

  Eigen::Array<float, 2, 2, Eigen::RowMajor> rows;
  rows << 0, 1, 2, 3;
  EXPECT_EQ(from_eigen(rows).strides(), (Shape{2, 1}));
  EXPECT_EQ(from_eigen(rows).values(), (std::vector<float>{0, 1, 2, 3}));
}

TEST(EigenTensor, ViewsOfVectorsAndBlocks) {
  Eigen::MatrixXd m(3, 4);
  m << 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
  auto row = m.row(1);
  EXPECT_EQ(from_eigen(row).shape(), Shape{4});
  EXPECT_EQ(from_eigen(row).values(), (std::vector<double>{4, 5, 6, 7}));
  auto column = m.col(2);
  EXPECT_EQ(from_eigen(column).values(), (std::vector<double>{2, 6, 10}));
  auto block = m.block(1, 1, 2, 2);
  EXPECT_EQ(from_eigen(block).values(), (std::vector<double>{5, 6, 9, 10}));
  EXPECT_EQ(from_eigen(block).strides(), (Shape{1, 3}));
  Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>> every_fifth(m.data(), 3,
                                                                   Eigen::InnerStride<>(5));
  EXPECT_EQ(from_eigen(every_fifth).values(), (std::vector<double>{0, 9, 7}));
  auto transposed = m.transpose();
  EXPECT_EQ(from_eigen(transposed).shape(), (Shape{4, 3}));
  EXPECT_EQ(from_eigen(transposed).strides(), (Shape{3, 1}));
  Eigen::MatrixXd empty(0, 3);
  EXPECT_EQ(from_eigen(empty).shape(), (Shape{0, 3}));
}

TEST(EigenTensor, MatricesInTensors) {
  const auto x = counting<double>({3, 4});
  auto m = as_eigen(x);
  EXPECT_EQ(m.data(), x.data());
  EXPECT_EQ(m.rows(), 3);
  EXPECT_EQ(m.cols(), 4);
  EXPECT_EQ(m(1, 2), 6);
  m(1, 2) = -1;
  EXPECT_EQ(x.at({1, 2}), -1);
  EXPECT_EQ(as_eigen(x.t())(3, 2), 11);
  // a product through strides, against one of copies
  const Eigen::MatrixXd a = as_eigen(x.t());
  const Eigen::MatrixXd product = as_eigen(x) * as_eigen(x.t());
  EXPECT_EQ(product, (a.transpose() * a).eval());
  const auto every_second = as_eigen(x.slice(1, 0, 4, 2).narrow(0, 1, 2));
  EXPECT_EQ(every_second(1, 1), 10);
  EXPECT_EQ(every_second.sum(), 4 - 1 + 8 + 10);
  const auto backwards = as_eigen(x.slice(1, 3, -5, -1));
  EXPECT_EQ(backwards(2, 0), 11);
  EXPECT_EQ(backwards.row(0).eval(), Eigen::RowVector4d(3, 2, 1, 0));
  const auto spread = as_eigen(x.select(0, 0).expand({2, 4}));
  EXPECT_EQ(spread.sum(), 12);
  EXPECT_EQ(as_eigen(Tensor<double>({0, 3})).size(), 0);
}

TEST(EigenTensor, VectorsInTensors) {
  const auto x = counting<float>({3, 4});
  EXPECT_EQ(as_eigen_vector(x.select(1, 1)), Eigen::Vector3f(1, 5, 9));
  EXPECT_EQ(as_eigen_vector(x.select(0, 1).slice(0, 3, -5, -1)), Eigen::Vector4f(7, 6, 5, 4));
  const auto column = as_eigen(x.select(1, 1));
  EXPECT_EQ(column.cols(), 1);
  EXPECT_EQ(column.col(0).eval(), Eigen::Vector3f(1, 5, 9));
  as_eigen_vector(x.select(0, 2)).setConstant(3);
  EXPECT_EQ(x.at({2, 3}), 3);
}

TEST(EigenTensor, OtherDimensionsAreRefused) {
  EXPECT_THROW(as_eigen(Tensor<double>({1, 2, 3})), ShapeError);
  EXPECT_THROW(as_eigen(Tensor<double>(Shape{})), ShapeError);
  EXPECT_THROW(as_eigen_vector(Tensor<double>({2, 3})), ShapeError);
  EXPECT_THROW(copy_to_eigen(Tensor<double>({1, 2, 3})), ShapeError);
  EXPECT_THROW(copy_to_eigen(Tensor<double>(Shape{})), ShapeError);
  const Tensor<double> x({2, 3});
  EXPECT_THROW(copy_to_eigen<Eigen::Matrix3d>(x), ShapeError);
  EXPECT_THROW(copy_to_eigen<Eigen::VectorXd>(x), ShapeError);
  EXPECT_THROW(copy_to_eigen<Eigen::Vector3d>(Tensor<double>({2})), ShapeError);
  EXPECT_THROW(copy_to_eigen<Eigen::Matrix2d>(Tensor<double>({2})), ShapeError);
  using AtMostTwo = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2>;
  EXPECT_THROW(copy_to_eigen<AtMostTwo>(x), ShapeError);
  EXPECT_EQ(copy_to_eigen<AtMostTwo>(x.narrow(1, 0, 2)).cols(), 2);
}

template <class X>
class EigenCopy : public ::testing::Test {
 protected:
  using Matrix = Eigen::Matrix<X, Eigen::Dynamic, Eigen::Dynamic>;

  static bool same(const X& a, const X& b) {
    for (int k = 0; k < X::components; ++k)
      if (!(a.limb[k] == b.limb[k])) return false;
    return true;
  }
  static Matrix sample() {
    Matrix m(2, 3);
    for (int i = 0; i < 6; ++i) m(i / 3, i % 3) = X(i + 1) / X(7);
    return m;
  }
};
using Scalars = ::testing::Types<f64x2, f64x3, f64x4, f32x2, f32x3, f32x4, f16x2, bf16x3>;
TYPED_TEST_SUITE(EigenCopy, Scalars);

TYPED_TEST(EigenCopy, KeepsEveryLimb) {
  using F = EigenCopy<TypeParam>;
  using T = typename TypeParam::Scalar;
  constexpr int N = TypeParam::components;
  const auto m = F::sample();
  const Tensor<T, N> x = copy_from_eigen(m);
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_TRUE(F::same(x.at({i, j}), m(i, j))) << i << " " << j;
  EXPECT_FALSE(x.at({0, 0}).limb[N - 1] == 0);
  // a view that is not contiguous, back
  const auto back = copy_to_eigen(x.t());
  ASSERT_EQ(back.rows(), 3);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_TRUE(F::same(back(j, i), m(i, j))) << i << " " << j;
  const auto row = copy_to_eigen<Eigen::Matrix<TypeParam, 1, 3>>(x.select(0, 1));
  EXPECT_TRUE(F::same(row(2), m(1, 2)));
}

TEST(EigenTensor, CopiesOfPlainTensorsAndExpressions) {
  const auto x = counting<double>({2, 3});
  const Eigen::MatrixXd m = copy_to_eigen(x);
  EXPECT_EQ(copy_from_eigen(m + m).values(), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(copy_from_eigen(m.row(1)).shape(), Shape{3});
  EXPECT_EQ(copy_from_eigen(m.transpose()).values(), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(copy_to_eigen(x.select(0, 1)).cols(), 1);
  EXPECT_EQ((copy_to_eigen<Eigen::Array<double, 2, 3, Eigen::RowMajor>>(x)(1, 0)), 3);
  EXPECT_EQ(copy_from_eigen(Eigen::MatrixXd(3, 0)).shape(), (Shape{3, 0}));
  EXPECT_EQ(copy_to_eigen(Tensor<f64x2::Scalar, 2>({0, 3})).cols(), 3);
  EXPECT_EQ(copy_to_eigen<Eigen::VectorXd>(x.select(1, 2)), Eigen::Vector2d(2, 5));
  using Single = Eigen::Matrix<f64x1, Eigen::Dynamic, Eigen::Dynamic>;
  EXPECT_EQ(copy_from_eigen(copy_to_eigen<Single>(x)).values(), x.values());
}

TEST(EigenTensor, MasksAndIndices) {
  Eigen::Array<bool, Eigen::Dynamic, 1> mask(3);
  mask << true, false, true;
  EXPECT_EQ(from_eigen(mask).values(), (std::vector<bool>{true, false, true}));
  Eigen::Matrix<std::int64_t, 2, 2> indices;
  indices << 1, 2, 3, 4;
  EXPECT_EQ(copy_from_eigen(indices).values(), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(as_eigen(from_eigen(indices))(1, 0), 3);
}

TEST(EigenTensor, MatricesOfExpansionsAreWritten) {
  Eigen::Matrix<f64x2, 2, 2> m;
  m << f64x2(1), f64x2(-2), f64x2(0.5), f64x2(1) / 3;
  std::ostringstream out;
  out.precision(20);
  out << m;
  EXPECT_EQ(out.str(),
            "                     1                     -2\n"
            "                   0.5 0.33333333333333333333");
}

}  // namespace
}  // namespace mct

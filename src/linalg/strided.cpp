// Products on strided memory. The kernels write a product; what is scaled or added goes through a
// block of planes that stays in the cache, as the element-wise loops read planes.
#include "src/linalg/strided.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/linalg/products.hpp"
#include "src/linalg/matrix_product.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::linalg {

namespace {

using linalg_detail::BatchOffsets;
using linalg_detail::components;
using linalg_detail::MatrixView;
using linalg_detail::PlaneRow;

/// Rows and columns of the blocks of planes. They do not depend on the number of threads, because
/// the size of a block decides how it is multiplied.
constexpr std::int64_t block_size = 512;
constexpr std::int64_t block_columns = 1024;
/// Order of the blocks on the diagonal that are computed as a whole.
constexpr std::int64_t diagonal_block = 64;

template <class X>
std::string shape_of(const Strided<X>& x) {
  return "(" + std::to_string(x.rows) + ", " + std::to_string(x.columns) + ")";
}
template <class T, int N>
void check_shapes(const char* name, const ConstMatrix<T, N>& a, const ConstMatrix<T, N>& b,
                  const MutableMatrix<T, N>& c) {
  if (a.columns != b.rows || a.rows != c.rows || b.columns != c.columns)
    throw ShapeError(std::string(name) + ": shapes " + shape_of(a) + " and " + shape_of(b) +
                     " do not give " + shape_of(c));
}

Half other(Half half) { return half == Half::lower ? Half::upper : Half::lower; }

/// row = alpha product + beta row, of at most `longest` elements.
template <class T, int N>
class Update {
 public:
  Update(const Expansion<T, N>& alpha, const Expansion<T, N>& beta, std::int64_t longest)
      : loops_(tensor_detail::elementwise_loops<T, N>()),
        alpha_(longest),
        beta_(longest),
        row_(longest),
        keeps_(!(beta == Expansion<T, N>{})),
        scales_row_(!(beta == Expansion<T, N>(T(1)))),
        adds_(alpha == Expansion<T, N>(T(1))),
        subtracts_(alpha == Expansion<T, N>(T(-1))) {
    alpha_.fill(alpha, longest);
    beta_.fill(beta, longest);
  }

  void operator()(std::int64_t n, const T* const* product, Expansion<T, N>* row,
                  std::int64_t stride) {
    const auto count = std::size_t(n);
    if (keeps_) {
      row_.load(row, stride, n);
      if (scales_row_) loop(Binary::mul)(count, row_.planes(), beta_.planes(), row_.planes());
      if (adds_) {
        loop(Binary::add)(count, row_.planes(), row_.planes(), product);
      } else if (subtracts_) {
        loop(Binary::sub)(count, row_.planes(), row_.planes(), product);
      } else {
        loops_.ternary[int(Ternary::mul_add)](count, row_.planes(), alpha_.planes(), product,
                                              row_.planes());
      }
    } else {
      loop(Binary::mul)(count, row_.planes(), alpha_.planes(), product);
    }
    row_.store(row, stride, n);
  }

 private:
  auto loop(Binary op) const { return loops_.binary[int(op)][int(tensor_detail::Mix::none)]; }

  const tensor_detail::ElementwiseTable<T>& loops_;
  PlaneRow<T, N> alpha_;
  PlaneRow<T, N> beta_;
  PlaneRow<T, N> row_;
  bool keeps_;
  bool scales_row_;
  bool adds_;
  bool subtracts_;
};

template <class T, int N>
void multiply(ConstMatrix<T, N> a, ConstMatrix<T, N> b, MatrixView<T> c) {
  linalg_detail::matrix_product<T, N, N, N>(a.rows, b.columns, a.columns, components(a),
                                            components(b), c, {BatchOffsets{}});
}

/// A block of c, or one half of it.
template <class T, int N>
void update_block(const Expansion<T, N>& alpha, ConstMatrix<T, N> a, ConstMatrix<T, N> b,
                  const Expansion<T, N>& beta, MutableMatrix<T, N> c, std::optional<Half> half,
                  Storage& storage) {
  const std::int64_t plane = c.rows * c.columns;
  const auto bytes = std::size_t(plane * N) * sizeof(T);
  if (storage.bytes() < bytes) storage = Storage::allocate(bytes, false);
  auto* product = static_cast<T*>(storage.data());
  multiply<T, N>(a, b, {product, plane, c.columns, 1});
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    Update<T, N> update(alpha, beta, c.columns);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t from = half == Half::upper ? i : 0;
      const std::int64_t to = half == Half::lower ? i + 1 : c.columns;
      const T* planes[N];
      for (int k = 0; k < N; ++k) planes[k] = product + k * plane + i * c.columns + from;
      update(to - from, planes, &c(i, from), c.column_stride);
    }
  };
  tensor_detail::parallel_ranges(c.rows, tensor_detail::threads_for(double(plane) * N * N * 8),
                                 rows);
}

/// c += alpha a b, of one column and one row: without the sums that the kernels prepare for.
template <class T, int N>
void add_outer(const Expansion<T, N>& alpha, ConstMatrix<T, N> a, ConstMatrix<T, N> b,
               MutableMatrix<T, N> c) {
  const auto& loops = tensor_detail::elementwise_loops<T, N>();
  const double cost = double(c.rows) * double(c.columns) * N * N * 8;
  const std::int64_t longest = std::min(block_size, c.columns);
  tensor_detail::parallel_ranges(
      c.rows, tensor_detail::threads_for(cost), [&](std::int64_t begin, std::int64_t end) {
        PlaneRow<T, N> factor(longest);
        PlaneRow<T, N> right(longest);
        PlaneRow<T, N> row(longest);
        for (std::int64_t j = 0; j < c.columns; j += block_size) {
          const std::int64_t n = std::min(block_size, c.columns - j);
          right.load(&b(0, j), b.column_stride, n);
          for (std::int64_t i = begin; i < end; ++i) {
            factor.fill(alpha * a(i, 0), n);
            row.load(&c(i, j), c.column_stride, n);
            loops.ternary[int(Ternary::mul_add)](std::size_t(n), row.planes(), factor.planes(),
                                                 right.planes(), row.planes());
            row.store(&c(i, j), c.column_stride, n);
          }
        }
      });
}

/// Whether rows of c should be its columns: these lie closer together, or there is one alone.
template <class T, int N>
bool by_columns(const MutableMatrix<T, N>& c) {
  if (c.rows == 1) return false;
  return c.columns == 1 || std::abs(c.column_stride) > std::abs(c.row_stride);
}

}  // namespace

template <class T, int N>
void gemm(const Expansion<T, N>& alpha, ConstMatrix<T, N> a, ConstMatrix<T, N> b,
          const Expansion<T, N>& beta, MutableMatrix<T, N> c) {
  check_shapes<T, N>("gemm", a, b, c);
  if (c.rows == 0 || c.columns == 0) return;
  if (alpha == Expansion<T, N>(T(1)) && beta == Expansion<T, N>{}) {
    multiply<T, N>(a, b, components(c));
    return;
  }
  if (by_columns<T, N>(c)) {
    gemm<T, N>(alpha, b.transposed(), a.transposed(), beta, c.transposed());
    return;
  }
  if (a.columns == 1 && beta == Expansion<T, N>(T(1))) {
    add_outer<T, N>(alpha, a, b, c);
    return;
  }
  Storage storage;
  for (std::int64_t i = 0; i < c.rows; i += block_size) {
    const std::int64_t rows = std::min(block_size, c.rows - i);
    for (std::int64_t j = 0; j < c.columns; j += block_columns) {
      const std::int64_t columns = std::min(block_columns, c.columns - j);
      update_block<T, N>(alpha, a.block(i, 0, rows, a.columns), b.block(0, j, b.rows, columns),
                         beta, c.block(i, j, rows, columns), {}, storage);
    }
  }
}

template <class T, int N>
void gemmt(Half half, const Expansion<T, N>& alpha, ConstMatrix<T, N> a, ConstMatrix<T, N> b,
           MutableMatrix<T, N> c) {
  check_shapes<T, N>("gemmt", a, b, c);
  if (c.rows != c.columns) throw ShapeError("gemmt: the result " + shape_of(c) + " is not square");
  if (c.rows == 0) return;
  if (by_columns<T, N>(c)) {
    gemmt<T, N>(other(half), alpha, b.transposed(), a.transposed(), c.transposed());
    return;
  }
  const Expansion<T, N> one(T(1));
  if (c.rows <= diagonal_block) {
    Storage storage;
    update_block<T, N>(alpha, a, b, one, c, half, storage);
    return;
  }
  const std::int64_t depth = a.columns;
  const std::int64_t blocks = (c.rows + diagonal_block - 1) / diagonal_block;
  const std::int64_t first = blocks / 2 * diagonal_block;
  const std::int64_t rest = c.rows - first;
  gemmt<T, N>(half, alpha, a.block(0, 0, first, depth), b.block(0, 0, depth, first),
              c.block(0, 0, first, first));
  gemmt<T, N>(half, alpha, a.block(first, 0, rest, depth), b.block(0, first, depth, rest),
              c.block(first, first, rest, rest));
  if (half == Half::lower) {
    gemm<T, N>(alpha, a.block(first, 0, rest, depth), b.block(0, 0, depth, first), one,
               c.block(first, 0, rest, first));
  } else {
    gemm<T, N>(alpha, a.block(0, 0, first, depth), b.block(0, first, depth, rest), one,
               c.block(0, first, first, rest));
  }
}

namespace {

/// Rows `row` and below of a triangular matrix, from one column on, with zeros in the other half.
template <class T, int N>
std::vector<Expansion<T, N>> dense_panel(Half half, Diagonal diagonal, ConstMatrix<T, N> a,
                                         std::int64_t row, std::int64_t rows, std::int64_t column,
                                         std::int64_t columns) {
  std::vector<Expansion<T, N>> panel(std::size_t(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const std::int64_t above = column + j - (row + i);  // the diagonal by so many
      auto& out = panel[std::size_t(i * columns + j)];
      if (above == 0 && diagonal != Diagonal::stored) {
        out = T(diagonal == Diagonal::ones ? 1 : 0);
      } else if (above == 0 || (above < 0) == (half == Half::lower)) {
        out = a(row + i, column + j);
      }
    }
  }
  return panel;
}

}  // namespace

template <class T, int N>
void trmm(Half half, Diagonal diagonal, const Expansion<T, N>& alpha, ConstMatrix<T, N> a,
          ConstMatrix<T, N> b, MutableMatrix<T, N> c) {
  check_shapes<T, N>("trmm", a, b, c);
  const Expansion<T, N> one(T(1));
  const std::int64_t order = std::min(a.rows, a.columns);
  for (std::int64_t i = 0; i < order; i += diagonal_block) {
    const std::int64_t rows = std::min(diagonal_block, order - i);
    const std::int64_t from = half == Half::lower ? 0 : i;
    const std::int64_t depth = (half == Half::lower ? i + rows : a.columns) - from;
    const auto panel = dense_panel<T, N>(half, diagonal, a, i, rows, from, depth);
    gemm<T, N>(alpha, {panel.data(), rows, depth, depth, 1}, b.block(from, 0, depth, b.columns),
               one, c.block(i, 0, rows, c.columns));
  }
  if (half == Half::lower && a.rows > order)
    gemm<T, N>(alpha, a.block(order, 0, a.rows - order, order), b, one,
               c.block(order, 0, a.rows - order, c.columns));
}

#define MCT_INSTANTIATE(T, N)                                                                   \
  template void gemm<T, N>(const Expansion<T, N>&, ConstMatrix<T, N>, ConstMatrix<T, N>,        \
                           const Expansion<T, N>&, MutableMatrix<T, N>);                        \
  template void gemmt<T, N>(Half, const Expansion<T, N>&, ConstMatrix<T, N>, ConstMatrix<T, N>, \
                            MutableMatrix<T, N>);                                               \
  template void trmm<T, N>(Half, Diagonal, const Expansion<T, N>&, ConstMatrix<T, N>,           \
                           ConstMatrix<T, N>, MutableMatrix<T, N>);
MCT_FOR_EACH_LONG_TENSOR(MCT_INSTANTIATE)

}  // namespace mct::linalg

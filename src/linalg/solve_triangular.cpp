#include "mctensor/linalg/solve_triangular.hpp"

#include "mctensor/linalg/singular_error.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

template <class T, int N>
Tensor<T, N> solve_triangular(const Tensor<T, N>& a, const Tensor<T, N>& b,
                              const TriangularOptions& options) {
  require_square("solve_triangular", a.shape());
  const auto side = right_side("solve_triangular", a.shape(), b.shape());
  const std::int64_t n = a.size(-1);
  const ExactEnvironment exact;
  const auto x = to_right_sides(side, b);
  require_finite("solve_triangular", x);
  const auto columns = as_batch(x);
  const auto matrices = as_batch(to_work(a.expand(joined(side.batch, {n, n}))));
  const Triangle triangle = options.lower ? Triangle::lower : Triangle::upper;
  for_each_matrix(columns.size(0), cost_of(n, side.columns, N), [&](std::int64_t i) {
    // the other triangle may hold anything
    const auto matrix = triangle_of(triangle, matrices[i]);
    for (std::int64_t j = 0; j < n; ++j) {
      if (options.unit_diagonal) {
        for (int k = 0; k < matrix.nc(); ++k) matrix.plane(k)(j, j) = k == 0 ? 1 : 0;
      } else if (matrix.fc()(j, j) == 0) {
        throw SingularError("solve_triangular: a matrix of shape " + to_string(a.shape()) +
                            " is singular: entry " + std::to_string(j) +
                            " of its diagonal is zero");
      }
    }
    require_finite("solve_triangular", matrix);
    const bool lower = options.lower != options.transposed;
    solve_triangle(lower ? Triangle::lower : Triangle::upper, options.unit_diagonal,
                   options.transposed ? matrix.t() : matrix, columns[i]);
  });
  auto result = from_work<T, N>(x);
  return side.is_vector ? result.squeeze(-1) : result;
}

#define MCT_INSTANTIATE(T, N)                                                      \
  template Tensor<T, N> solve_triangular(const Tensor<T, N>&, const Tensor<T, N>&, \
                                         const TriangularOptions&);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg

#include "mctensor/linalg/matrix_power.hpp"

#include "mctensor/linalg/products.hpp"
#include "mctensor/linalg/solve.hpp"
#include "mctensor/tensor/create.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg {

using namespace linalg_detail;

template <class T, int N>
Tensor<T, N> matrix_power(const Tensor<T, N>& a, std::int64_t n) {
  require_square("matrix_power", a.shape());
  if (n == 0) return eye<T, N>(a.size(-1)).expand(a.shape()).clone();
  auto factor = n < 0 ? inv(a) : a;
  // also correct for the most negative number
  std::uint64_t rest = n < 0 ? std::uint64_t(0) - std::uint64_t(n) : std::uint64_t(n);
  Tensor<T, N> result;
  bool is_one = true;
  while (true) {
    if ((rest & 1) != 0) {
      result = is_one ? factor.clone() : matmul(result, factor);
      is_one = false;
    }
    rest >>= 1;
    if (rest == 0) return result;
    factor = matmul(factor, factor);
  }
}

#define MCT_INSTANTIATE(T, N) template Tensor<T, N> matrix_power(const Tensor<T, N>&, std::int64_t);
MCT_FOR_EACH_DECOMPOSED(MCT_INSTANTIATE)

}  // namespace mct::linalg

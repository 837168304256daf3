// Sums, products, quotients, rotations and reflections of contiguous rows.
#include "src/linalg/kernels/row_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

template <int N, class V>
MCT_ALWAYS_INLINE inline Expansion<V, N> everywhere(const double* x) {
  Expansion<V, N> result;
  for (int k = 0; k < N; ++k) result.limb[k] = V(x[k]);
  return result;
}

template <int N, class V>
MCT_ALWAYS_INLINE inline Expansion<V, N> product_sum(const Expansion<V, N>& x,
                                                     const Expansion<V, N>& y,
                                                     const Expansion<V, N>& z) {
  if constexpr (N == 1) {
    return detail::multiply_add<V>(x.limb[0], y.limb[0], z.limb[0]);
  } else {
    return detail::add_limbs(detail::mul_limbs(x, y), z);
  }
}

/// Calls body<V>(i) for every register of a row and body<double>(i) for the remaining elements.
template <class Body>
MCT_ALWAYS_INLINE inline void for_row(std::size_t n, const Body& body) {
  using V = widest_batch<double>;
  std::size_t i = 0;
  for (; i + lanes<V> <= n; i += lanes<V>) body.template operator()<V>(i);
  for (; i < n; ++i) body.template operator()<double>(i);
}

template <int N>
void axpy(std::size_t n, const double* alpha, const double* const* x, double* const* y) {
  for_row(n, [=]<class V>(std::size_t i) {
    store_expansion<V, N>(product_sum<N, V>(everywhere<N, V>(alpha), load_expansion<V, N>(x, i),
                                            load_expansion<V, N>(y, i)),
                          y, i);
  });
}

template <int N>
void scale(std::size_t n, const double* alpha, double* const* y) {
  for_row(n, [=]<class V>(std::size_t i) {
    store_expansion<V, N>(detail::mul_limbs(load_expansion<V, N>(y, i), everywhere<N, V>(alpha)), y,
                          i);
  });
}

template <int N>
void divide(std::size_t n, const double* alpha, double* const* y) {
  for_row(n, [=]<class V>(std::size_t i) {
    store_expansion<V, N>(load_expansion<V, N>(y, i) / everywhere<N, V>(alpha), y, i);
  });
}

template <int N>
void rotate(std::size_t n, const double* c, const double* s, double* const* x, double* const* y) {
  for_row(n, [=]<class V>(std::size_t i) {
    const auto cosine = everywhere<N, V>(c);
    const auto sine = everywhere<N, V>(s);
    const auto a = load_expansion<V, N>(x, i);
    const auto b = load_expansion<V, N>(y, i);
    store_expansion<V, N>(product_sum<N, V>(cosine, a, -detail::mul_limbs(sine, b)), x, i);
    store_expansion<V, N>(product_sum<N, V>(sine, a, detail::mul_limbs(cosine, b)), y, i);
  });
}

template <int N>
void store_number(const Expansion<double, N>& x, double* limbs) {
  for (int k = 0; k < N; ++k) limbs[k] = x.limb[k];
}

template <int N>
void root(const double* x, double* y) {
  store_number<N>(sqrt(everywhere<N, double>(x)), y);
}

template <int N>
void rotation(double tangent, double* c, double* s) {
  const Expansion<double, N> t(tangent);
  const auto cosine = rsqrt(Expansion<double, N>(1.0) + t * t);
  store_number<N>(cosine, c);
  store_number<N>(cosine * t, s);
}

template <int N>
void reflection(const double* alpha, const double* square, double* beta, double* tau) {
  const auto first = everywhere<N, double>(alpha);
  const auto size = sqrt(everywhere<N, double>(square));
  const auto image = alpha[0] > 0 ? -size : size;
  store_number<N>(image, beta);
  store_number<N>((image - first) / image, tau);
}

template <int N>
constexpr linalg_detail::RowTable make_row_table() {
  return {&axpy<N>, &scale<N>, &divide<N>, &rotate<N>, &root<N>, &rotation<N>, &reflection<N>};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct {

namespace linalg_detail::MCT_KERNELS {

#define MCT_DEFINE_ROWS(N)                                               \
  template <>                                                            \
  const RowTable& row_table<N>() {                                       \
    static constexpr RowTable table = mct::kernels::make_row_table<N>(); \
    return table;                                                        \
  }
MCT_DEFINE_ROWS(1)
MCT_DEFINE_ROWS(2)
MCT_DEFINE_ROWS(3)
MCT_DEFINE_ROWS(4)

}  // namespace linalg_detail::MCT_KERNELS
}  // namespace mct

// Training with points of the H-tiling.
#include <cmath>

#include "src/embed/kernels/tile_place.hpp"
#include "src/embed/kernels/train_kernels.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// 2^x for a whole x, the exponent of a normal number.
MCT_ALWAYS_INLINE inline PlaceLanes power_of(const PlaceLanes& x) {
  double all[lanes<PlaceLanes>];
  store_lanes(x, all);
  for (double& p : all) p = std::ldexp(1.0, int(p));
  return load_lanes<PlaceLanes>(all);
}

/// Cubes of the H-tiling: 2^j (k + z) in the half-space, with one component more than k and z have.
/// A point is j, the n - 1 numbers of k (and one that is not used), and z.
template <int M, int m, class V = PlaceLanes>
struct CubePlace : HalfSpacePlace<components_of_tile<M, V>, m, false, V> {
  using Base = HalfSpacePlace<components_of_tile<M, V>, m, false, V>;
  using T = scalar_t<V>;
  using typename Base::Coordinates;
  using typename Base::Value;
  static constexpr int stored_components = M;

  template <class P>
  MCT_ALWAYS_INLINE static Coordinates load(const LaneRows<V, P>& rows, int n) {
    if constexpr (in_float<V>) {
      return narrowed<CubePlace<M, m>, Coordinates>(rows, n);
    } else {
      const V unit = power_of(rows.load(0));
      return geometry::detail::generate<Coordinates>(n, [&](int i) {
        Value x(rows.load(n + i));
        for (int k = 1; k < M; ++k) x = x + rows.load(2 * n * k + n + i);
        if (i + 1 < n)
          for (int k = 0; k < M; ++k) x = x + rows.load(2 * n * k + 1 + i);
        return x * unit;
      });
    }
  }
  MCT_ALWAYS_INLINE static void store(const LaneRows<V, double>& rows, const Coordinates& x,
                                      const bool* good) {
    for (int j = 0; j < rows.used; ++j) {
      if (!good[j]) continue;
      T height[lanes<V>];
      store_lanes(x[x.size() - 1].limb[0], height);
      const int level = std::ilogb(height[j]);
      rows.row[j][0] = level;
      for (int i = 0; i < x.size(); ++i) store_one(rows.row[j], x, i, j, level);
    }
  }

 private:
  using Number = Expansion<double, M + 1>;

  /// The whole part of a horizontal coordinate in units of 2^level, and the rest.
  MCT_NOINLINE static void store_one(double* to, const Coordinates& x, int i, int lane, int level) {
    const int n = x.size();
    Number c(0.0);
    for (int k = 0; k < components_of_tile<M, V>; ++k) {
      T all[lanes<V>];
      store_lanes(x[i].limb[k], all);
      const double component = std::ldexp(double(all[lane]), -level);
      if constexpr (in_float<V>) {
        c = c + component;
      } else {
        c.limb[k] = component;
      }
    }
    Number whole(0.0);
    if (i + 1 < n) {
      whole = floor(c);
      Number rest = c - whole;
      if (!(rounded(rest) < 1)) {
        whole = whole + 1.0;
        rest = Number(0.0);
      }
      c = rest;
      for (int k = 0; k < M; ++k) to[2 * n * k + 1 + i] = whole.limb[k];
    }
    for (int k = 0; k < M; ++k) to[2 * n * k + n + i] = T(c.limb[k]);
  }
  /// What M components keep of it, by its leading one.
  static T rounded(const Number& x) { return T(M == 1 ? x.limb[0] : x.limb[0] + x.limb[1]); }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(h_tiling, double, kernels::CubePlace<1, 2>,
                    kernels::CubePlace<1, geometry::dynamic>,
                    kernels::CubePlace<2, geometry::dynamic>)
MCT_DEFINE_TRAINING(h_tiling, float,
                    kernels::CubePlace<1, geometry::dynamic, kernels::widest_batch<float>>)

}  // namespace mct::embed_detail::MCT_KERNELS

// Training with points of the L-tiling.
#include "src/embed/kernels/tile_place.hpp"
#include "src/embed/kernels/train_kernels.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// The point L Z L^-1 h(u), h(u) = (t, u, v): the nine numbers of Z, and u, v. It is brought into
/// the half-space: with N = (1, 0, 1), the ideal point there at infinity, and
///   c = (Z00 - Z20 / r, r Z01 - Z21, r Z02 - Z22),  r = sqrt 3,
/// the height is 1 / p, p = c . (t, u, v), and the horizontal coordinate X_1 / p. Seen from the
/// tile N is (c0, -c1, -c2), so up is the direction (c0, -c1, -c2) / p - h(u) at h(u): that is how
/// a step in the half-space's frame becomes one within the tile.
///
/// Far out the sums cancel, by e^(2 d) at worst; with M + 2 components p is right to u for
/// d <= 18 (M + 1).
template <int M, class V = PlaceLanes>
struct TilePlace : HalfSpacePlace<components_of_tile<M, V>, 2, false, V> {
  using Base = HalfSpacePlace<components_of_tile<M, V>, 2, false, V>;
  using Doubles = TilePlace<M>;
  using typename Base::Coordinates;
  using typename Base::Value;
  using typename Base::Vector;
  static constexpr int stored_components = M;

  template <class P>
  MCT_ALWAYS_INLINE static Coordinates load(const LaneRows<V, P>& rows, [[maybe_unused]] int n) {
    if constexpr (in_float<V>) {
      return narrowed<Doubles, Coordinates>(rows, n);
    } else {
      const Local at(rows);
      Coordinates x;
      // entries of Z have 53 M bits: nothing is so large or small that it must be scaled
      x[0] = ::mct::detail::div_limbs(::mct::detail::leading<M + 1>(at.first),
                                      ::mct::detail::leading<M + 1>(at.p));
      x[1] = Value(V(1.0) / at.p.limb[0]);
      return x;
    }
  }
  /// A point within its tile, and c / p.
  struct Sight {
    V point[3], above[3];
  };
  template <class P>
  MCT_ALWAYS_INLINE static Sight sight_of(const LaneRows<V, P>& rows) {
    Sight r;
    if constexpr (in_float<V>) {
      const auto low = Doubles::sight_of(half_of(rows, false));
      const auto high = Doubles::sight_of(half_of(rows, true));
      for (int i = 0; i < 3; ++i) {
        r.point[i] = Halves<V>::joined(low.point[i], high.point[i]);
        r.above[i] = Halves<V>::joined(low.above[i], high.above[i]);
      }
    } else {
      const Local at(rows);
      const V point[3] = {at.t.limb[0], at.u, at.v};
      for (int i = 0; i < 3; ++i) {
        r.point[i] = point[i];
        r.above[i] = at.c[i].limb[0] / at.p.limb[0];
      }
    }
    return r;
  }
  /// Within the tile, or beyond its border: `keep_in_tile` comes later.
  template <class F>
  MCT_ALWAYS_INLINE static void advance(const LaneRows<V, double>& rows, const F& frame,
                                        double longest, Vector* momentum, bool* good) {
    const Sight at = sight_of(rows);
    const V side = frame(0);
    const V up = frame(1);
    const V given = side * side + up * up;
    const V root = geometry::detail::root(given);
    const V shorter = shortening_to(longest, given);  // 1, if `longest` is infinite
    const V s = root * shorter;
    // the direction in the frame of the tile: up, and what is at right angles to it and to h(u)
    const V(&x)[3] = at.point;
    const V e[3] = {at.above[0] - x[0], -at.above[1] - x[1], -at.above[2] - x[2]};
    const V f[3] = {x[1] * e[2] - x[2] * e[1], x[0] * e[2] - x[2] * e[0],
                    x[1] * e[0] - x[0] * e[1]};
    const V length = geometry::halfspace_detail::nonzero(root);
    const V a = side / length;
    const V b = up / length;
    const auto reach = geometry::detail::reach_of(s);
    const V u = x[1] * reach.cosh + (a * f[1] + b * e[1]) * reach.sinh;
    const V v = x[2] * reach.cosh + (a * f[2] + b * e[2]) * reach.sinh;
    V finite = zero_if_finite(u) + zero_if_finite(v);
    if constexpr (in_float<V>) {
      // the time of L Z L^-1 h(u), to 2^-21 of Z00 times that of h(u)
      const V time = geometry::detail::root(V(V(1.0) + (u * u + v * v)));
      const V sum = u * rows.load(1) + v * rows.load(2);
      finite = finite + zero_if_at_most(0x1p46, V(time * rows.load(0) + V(root_three[0]) * sum));
    }
    if (momentum != nullptr) {
      // the half-space's frame, whatever the tile
      Base::turn([&](int i) { return V(frame(i) * shorter); }, *momentum);
      for (int i = 0; i < 2; ++i) finite = finite + zero_if_finite((*momentum)[i]);
    }
    store_mask(finite == V(0.0), good);
    rows.store(9, u, good);
    rows.store(10, v, good);
    for (int k = 1; k < M; ++k) {
      rows.store(11 * k + 9, V(0.0), good);
      rows.store(11 * k + 10, V(0.0), good);
    }
  }

 private:
  using Wide = Expansion<V, M + 2>;

  /// sqrt 3 and sqrt(1/3).
  static constexpr double root_three[4] = {0x1.bb67ae8584caap+0, 0x1.cec95d0b5c1e3p-54,
                                           -0x1.f11db689f2ccfp-110, 0x1.3da4798c720a6p-164};
  static constexpr double part_of_root_three[4] = {0x1.279a74590331cp-1, 0x1.34863e0792bedp-55,
                                                   -0x1.a82f9e6c53222p-109,
                                                   -0x1.cb0f41134253ap-163};
  MCT_ALWAYS_INLINE static Wide wide(const double (&components)[4]) {
    Wide x;
    for (int k = 0; k < M + 2; ++k) x.limb[k] = V(components[k]);
    return x;
  }

  struct Local {
    Wide t, c[3], p, first;
    V u, v;

    template <class P>
    MCT_ALWAYS_INLINE explicit Local(const LaneRows<V, P>& rows) {
      // the components of an entry of Z, each times a number
      const auto entry = [&](int i, const auto& factor) {
        Wide z = Wide(factor) * rows.load(i);
        for (int k = 1; k < M; ++k) z = z + Wide(factor) * rows.load(11 * k + i);
        return z;
      };
      const auto minus = [&](Wide z, int i) {
        for (int k = 0; k < M; ++k) z = z - rows.load(11 * k + i);
        return z;
      };
      const Wide root = wide(root_three);
      const Wide part = wide(part_of_root_three);
      u = rows.load(9);
      v = rows.load(10);
      t = ::mct::detail::sqrt_limbs(Wide(V(1.0)) + Wide(u) * u + Wide(v) * v);
      c[0] = Wide(V(0.0)) + rows.load(0);
      for (int k = 1; k < M; ++k) c[0] = c[0] + rows.load(11 * k);
      c[0] = c[0] - entry(6, part);
      c[1] = minus(entry(1, root), 7);
      c[2] = minus(entry(2, root), 8);
      p = c[0] * t + c[1] * u + c[2] * v;
      first = entry(3, part) * t + entry(4, u) + entry(5, v);
    }
  };
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(l_tiling, double, kernels::TilePlace<1>, kernels::TilePlace<2>)
MCT_DEFINE_TRAINING(l_tiling, float, kernels::TilePlace<1, kernels::widest_batch<float>>)

}  // namespace mct::embed_detail::MCT_KERNELS

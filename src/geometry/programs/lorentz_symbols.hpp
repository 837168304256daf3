// Steps of the Lorentz model's formulas whose derivatives have a separate short form.
#pragma once

#include "mctensor/geometry/models/lorentz.hpp"
#include "src/geometry/programs/symbol.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// As the function of numbers, for squares that need no scaling.
template <int n>
inline MinkowskiProduct<Symbol, n> minkowski_product(const Symbol& radius,
                                                     const Point<Symbol, n>& X,
                                                     const Point<Symbol, n>& V, const Symbol& v0) {
  const auto square = long_square_sum(radius, X);
  require(ordinary_lanes(square.hi));
  const Symbol time = root(square.hi);
  const auto [near, near_low] = two_prod(time, time);
  const Symbol rest = halved(((square.hi - near) + (square.lo - near_low)) / time);
  const auto [across, across_low] = long_sum_of_products(X[0], V[0]);
  const auto [along, along_low] = two_prod(time, v0);
  const auto [sum, sum_low] = two_sum(across, -along);
  return {(sum + (sum_low + (across_low - along_low)) - rest * v0) / radius, X / time};
}

/// As the function of numbers. From the origin, P = -Y and b / K - 1 = |Y|^2 / (K (b + K)): nothing
/// cancels, and half_sinh_square has a relative error of (n + 6) u, its root of (n / 2 + 4) u.
template <int n>
inline MinkowskiPull<Symbol, n> minkowski_pull(const Symbol& radius, const Point<Symbol, n>& X,
                                               const Point<Symbol, n>& Y) {
  if (!X[0].is_zero()) return minkowski_pull<Symbol, n>(radius, X, Y);
  const Symbol square = squared_norm(Y);
  const Symbol b2 = radius * radius + square;
  require(ordinary_lanes(square) && ordinary_lanes(b2));
  const Symbol b = root(b2);
  const Symbol excess = square / (radius * (b + radius));
  return {-Y, b / radius, excess, halved(excess)};
}

/// The vectors f v as partial derivatives.
template <int n>
inline void note_vector(const Point<Traced<Symbol>, n>& operand, const Symbol& f,
                        const Point<Symbol, n>& v) {
  for (int i = 0; i < v.size(); ++i) Trace<Symbol>::current().note(operand[i].index, f * v[i]);
}

/// sinh of half the distance over K, with the derivatives P / (4 K^2 sinh) and -P / (ratio 4 K^2
/// sinh) by the points (MinkowskiPull), and (excess^2 / ratio - 4 sinh^2) / (4 K sinh) by K.
template <int n>
inline Traced<Symbol> noted_half_sinh(const Traced<Symbol>& radius,
                                      const Point<Traced<Symbol>, n>& X,
                                      const Point<Traced<Symbol>, n>& Y) {
  if (X[0].value.is_zero()) {
    const auto y2 = squared_norm(Y);
    require(ordinary_lanes(y2.value));
    return root(halved(y2 / (radius * (root(radius * radius + y2) + radius))));
  }
  const Symbol k = radius.value;
  const auto pull = minkowski_pull(k, values_of(X), values_of(Y));
  const Symbol four(4.0);
  const Symbol sinh = root(pull.half_sinh_square);
  const Symbol part = Symbol(1.0) / (four * k * sinh);
  note_vector(X, part / k, pull.vector);
  note_vector(Y, -(part / (k * pull.ratio)), pull.vector);
  return noted(sinh, By<Symbol>(radius, part * (pull.excess * pull.excess / pull.ratio -
                                                four * pull.half_sinh_square)));
}

/// The length over K of the tangent vector at X with the spatial part U: with c = X.U / a^2 and
/// V = U - c X it is sqrt(|V|^2 + K^2 c^2) / K, by U its derivative is V / (K^2 length), by X that
/// times -c, by K -|V|^2 / (K^3 length).
template <int n>
inline Traced<Symbol> noted_length(const Traced<Symbol>& radius, const Point<Traced<Symbol>, n>& X,
                                   const Point<Traced<Symbol>, n>& U) {
  const Symbol k = radius.value;
  const auto x = values_of(X);
  const auto a2 = long_square_sum(k, x);
  const auto product = long_sum_of_products(x[0], U[0].value);
  const Symbol c = product.hi / a2.hi;
  const auto [near, near_low] = two_prod(c, a2.hi);
  const Symbol low = ((product.hi - near) + (product.lo - (near_low + c * a2.lo))) / a2.hi;
  const auto V = long_pull(c, low, x, values_of(U));  // with the other sign
  const Symbol v2 = squared_norm(V);
  const Symbol size = v2 + (k * c) * (k * c);
  require(ordinary_lanes(size));
  const Symbol length = root(size) / k;
  const Symbol part = Symbol(1.0) / (k * k * length);
  note_vector(U, -part, V);
  note_vector(X, c * part, V);
  return noted(length, By<Symbol>(radius, -(v2 * part / k)));
}

/// U carried from X to Y as a vector in ambient coordinates: U - U.P / (2 K^2 cosh^2) (X + Y) for
/// the P of MinkowskiPull and cosh of half the distance.
template <int n>
inline Point<Traced<Symbol>, n> noted_carried(const Traced<Symbol>& radius,
                                              const Point<Traced<Symbol>, n>& X,
                                              const Point<Traced<Symbol>, n>& Y,
                                              const Point<Traced<Symbol>, n>& U) {
  const auto one = number<Traced<Symbol>>(1);
  const auto k2 = radius * radius;
  const auto ratio = root((k2 + squared_norm(Y)) / (k2 + squared_norm(X)));
  const auto pull = minkowski_pull(radius.value, values_of(X), values_of(Y)).vector;
  const auto P = generate<Point<Traced<Symbol>, n>>(X.size(), [&](int i) {
    return noted(pull[i], By<Symbol>(ratio, X[i].value), By<Symbol>(X[i], ratio.value),
                 By<Symbol>(Y[i], Symbol(-1.0)));
  });
  const auto sinh = noted_half_sinh(radius, X, Y);
  return U - (X + Y) * (dot(U, P) / (doubled(k2) * (one + sinh * sinh)));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

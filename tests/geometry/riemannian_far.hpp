// Representations that go far from the origin, and what their rows and vectors stand for in MPFR.
#pragma once

#include <vector>

#include "tests/geometry/riemannian_spaces.hpp"
#include "tests/geometry/tiling_tangents.hpp"

namespace mct::geometry_test {

using validation::combined;
using validation::followed;
using validation::tangent_length;
using validation::transported;
using validation::true_distance;
using validation::Truth;
using validation::truth_of;
using validation::TruthPrecision;
using validation::way;

using Xmc20 = HalfSpaceRows<XmcHalfSpace<double, 20>, double, 20, 3>;
using Log20 = HalfSpaceRows<LogHalfSpace<double, 20>, double, 20, 2>;
using LRows = TilingRows<LTiling<double>>;
using HRows = TilingRows<HTiling<double, 3>>;
using PRows = TilingRows<LTilingProduct<double>>;

/// A row 600 away from the origin, and what a row and a vector stand for in MPFR.
template <class Rows>
struct Far;
template <class S, class T, int M, int n>
struct Far<HalfSpaceRows<S, T, M, n>> {
  using Rows = HalfSpaceRows<S, T, M, n>;
  using P = typename Rows::RowPoint;
  static Rows make() { return Rows(1); }
  static P origin(const Rows&) { return S::template origin<n>(); }
  static P goal(const Rows& rows) {
    typename Rows::Vector v{};
    v[0] = T(560);
    v[n - 1] = T(-200);
    return rows.expmap(origin(rows), v);
  }
  static typename Rows::Vector vector(const Rows&, double a, double b) {
    typename Rows::Vector v{};
    v[0] = T(a);
    v[n - 1] = T(b);
    return v;
  }
  static std::vector<Truth> truth(const P& p) {
    std::vector<Truth> r;
    for (const auto& x : p.x) {
      Truth sum = 0;
      for (const T limb : x.limb) sum += Truth(double(limb));
      r.push_back(sum);
    }
    if constexpr (Rows::is_logarithmic) {
      r.push_back(exp(truth_of(p.height)));
    } else {
      r.push_back(truth_of(p.height));
    }
    return r;
  }
  static std::vector<Truth> truth(const P&, const typename Rows::Vector& v) {
    return {v.begin(), v.end()};
  }
};
template <class V>
struct Far<TilingRows<LTiling<V>>> {
  using Rows = TilingRows<LTiling<V>>;
  using P = typename Rows::RowPoint;
  static Rows make() { return Rows(); }
  static P origin(const Rows& rows) { return rows.space().origin(); }
  static P goal(const Rows& rows) { return rows.space().from_polar(V(600), {V(0.6), V(0.8)}); }
  static typename Rows::Vector vector(const Rows&, double a, double b) { return {V(a), V(b)}; }
  static validation::Truth3 truth(const P& p) { return truth_of(p); }
  static validation::Truth3 truth(const P& p, const typename Rows::Vector& v) {
    return validation::lifted(p, v);
  }
};
template <class V, std::size_t n>
struct Far<TilingRows<HTiling<V, n>>> {
  using Rows = TilingRows<HTiling<V, n>>;
  using P = typename Rows::RowPoint;
  static Rows make() { return Rows(); }
  static P origin(const Rows& rows) { return rows.space().origin(); }
  static P goal(const Rows& rows) { return rows.expmap(origin(rows), vector(rows, 560, -200)); }
  static typename Rows::Vector vector(const Rows&, double a, double b) {
    typename Rows::Vector v{};
    v[0] = V(a);
    v[n - 1] = V(b);
    return v;
  }
  static std::vector<Truth> truth(const P& p) { return truth_of(p); }
  static std::vector<Truth> truth(const P& p, const typename Rows::Vector& v) {
    std::vector<Truth> r;
    for (const V& c : v) r.push_back(truth_of(c) / truth_of(p.z[n - 1]));
    return r;
  }
};
template <>
struct Far<TilingRows<LTilingProduct<double>>> {
  using Rows = TilingRows<LTilingProduct<double>>;
  using P = Rows::RowPoint;
  static Rows make() { return Rows(LTilingProduct<double>(2)); }
  static P origin(const Rows& rows) { return rows.space().origin(); }
  static P goal(const Rows& rows) {
    const auto& plane = rows.space().factor();
    return {plane.from_polar(480, {0.6, 0.8}), plane.from_polar(360, {-1, 0.1})};
  }
  static Rows::Vector vector(const Rows&, double a, double b) { return {{a, b}, {-b, a}}; }
};

}  // namespace mct::geometry_test

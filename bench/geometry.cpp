// Points per second of distance, exponential map and logarithm in the Poincaré ball, the half-space
// and the hyperboloid, of 8 coordinates: ours for single points and for tensors (one thread),
// beside geoopt's formula in double and the textbook formula in MPFR. A time is that of one point.
#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/all.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/tensor/threads.hpp"
#include "validation/core/big.hpp"

namespace mct::bench {
namespace {

constexpr int coordinates = 8;
constexpr int count = 1024;

/// Points x, y of a model and tangent vectors at x.
template <template <class> class M, class V, int n>
struct Points {
  M<V> manifold;
  std::vector<geometry::Point<V, n>> x, y, u;

  Points() {
    for (int i = 0; i < count; ++i) {
      const auto number = std::uint64_t(i);
      x.push_back(manifold.template random_normal<n>(1, number, 0.5));
      y.push_back(manifold.template random_normal<n>(2, number, 0.5));
      u.push_back(manifold.logmap(x.back(), y.back()));
    }
  }
};

template <class Body>
void enter(std::vector<Case>& cases, const std::string& work, const std::string& type,
           const std::string& implementation, Body body) {
  enter_items(cases, "geometry/" + work, type, implementation, count,
              [body](benchmark::State& state) {
                const int before = num_threads();
                set_num_threads(1);
                const auto once = body();  // makes the operands
                for (auto _ : state) {
                  once();
                  benchmark::ClobberMemory();
                }
                set_num_threads(before);
              });
}

/// The three operations for one point after the other.
template <template <class> class M, class V, int n>
void enter_points(std::vector<Case>& cases, const std::string& model, const std::string& type) {
  const auto each = [](auto f) {
    return [f] {
      return [f, points = Points<M, V, n>()] {
        for (std::size_t i = 0; i < count; ++i) {
          auto result = f(points, i);
          benchmark::DoNotOptimize(result);
        }
      };
    };
  };
  enter(cases, model + "/dist", type, "ours",
        each([](const auto& p, std::size_t i) { return p.manifold.dist(p.x[i], p.y[i]); }));
  enter(cases, model + "/exp", type, "ours",
        each([](const auto& p, std::size_t i) { return p.manifold.expmap(p.x[i], p.u[i]); }));
  enter(cases, model + "/log", type, "ours",
        each([](const auto& p, std::size_t i) { return p.manifold.logmap(p.x[i], p.y[i]); }));
}

template <template <class> class M, int N, int n>
void enter_tensors(std::vector<Case>& cases, const std::string& model, const std::string& type) {
  using Numbers = Tensor<double, N>;
  using V = typename Numbers::Value;
  const auto all = [](auto f) {
    return [f] {
      const auto tensor = [](const auto& points) {
        std::vector<V> values;
        for (const auto& p : points)
          for (int i = 0; i < n; ++i) values.push_back(p[i]);
        return Numbers::from_values(values, {count, n});
      };
      const Points<M, V, n> points;
      return [f, m = points.manifold, x = tensor(points.x), y = tensor(points.y),
              u = tensor(points.u)] { benchmark::DoNotOptimize(f(m, x, y, u).data()); };
    };
  };
  enter(
      cases, model + "/dist", type, "ours, tensor",
      all([](const auto& m, const auto& x, const auto& y, const auto&) { return dist(m, x, y); }));
  enter(cases, model + "/exp", type, "ours, tensor",
        all([](const auto& m, const auto& x, const auto&, const auto& u) {
          return expmap(m, x, u);
        }));
  enter(cases, model + "/log", type, "ours, tensor",
        all([](const auto& m, const auto& x, const auto& y, const auto&) {
          return logmap(m, x, y);
        }));
}

/// A distance with its gradients by both points, as a backward pass leaves them.
template <template <class> class M, int n>
void enter_gradients(std::vector<Case>& cases, const std::string& model) {
  enter(cases, model + "/gradients", "f64x1", "ours, variables", [] {
    const Points<M, double, n> points;
    const auto leaf = [](const auto& all) {
      std::vector<double> values;
      for (const auto& p : all)
        for (int i = 0; i < n; ++i) values.push_back(p[i]);
      return Variable<double>(Tensor<double>::from_values(values, {count, n}), true);
    };
    return [m = points.manifold, x = leaf(points.x), y = leaf(points.y)] {
      x.zero_grad();
      y.zero_grad();
      sum(dist(m, x, y)).backward();
      benchmark::DoNotOptimize(x.grad().data());
    };
  });
}

/// The formulas of the ball as they are printed, K = 1: geoopt's, but for its clamps.
namespace textbook {

template <class V>
using Vector = std::array<V, coordinates>;

template <class V>
V product(const Vector<V>& x, const Vector<V>& y) {
  V sum(0.0);
  for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
  return sum;
}
template <class V>
Vector<V> combination(const V& a, const Vector<V>& x, const V& b, const Vector<V>& y) {
  Vector<V> r;
  for (std::size_t i = 0; i < x.size(); ++i) r[i] = a * x[i] + b * y[i];
  return r;
}
template <class V>
Vector<V> add(const Vector<V>& x, const Vector<V>& y) {
  const V one(1.0), two(2.0);
  const V xy = product(x, y), x2 = product(x, x), y2 = product(y, y);
  const V divisor = one + two * xy + x2 * y2;
  return combination<V>((one + two * xy + y2) / divisor, x, (one - x2) / divisor, y);
}
template <class V>
Vector<V> minus(const Vector<V>& x) {
  return combination<V>(V(-1.0), x, V(0.0), x);
}
template <class V>
V dist(const Vector<V>& x, const Vector<V>& y) {
  using std::atanh;
  using std::sqrt;
  const Vector<V> w = add(minus(x), y);
  return V(2.0) * atanh(sqrt(product(w, w)));
}
template <class V>
Vector<V> expmap(const Vector<V>& x, const Vector<V>& u) {
  using std::sqrt;
  using std::tanh;
  const V size = sqrt(product(u, u));
  const V scale = tanh(size / (V(1.0) - product(x, x))) / size;
  return add(x, combination<V>(scale, u, V(0.0), u));
}
template <class V>
Vector<V> logmap(const Vector<V>& x, const Vector<V>& y) {
  using std::atanh;
  using std::sqrt;
  const Vector<V> w = add(minus(x), y);
  const V size = sqrt(product(w, w));
  return combination<V>((V(1.0) - product(x, x)) * atanh(size) / size, w, V(0.0), w);
}

}  // namespace textbook

template <class V>
void enter_textbook(std::vector<Case>& cases, const std::string& type,
                    const std::string& implementation) {
  using textbook::Vector;
  struct Operands {
    std::vector<Vector<V>> x, y, u;
  };
  const auto each = [](auto f) {
    return [f] {
      const Points<geometry::PoincareBall, double, coordinates> points;
      Operands o;
      const auto vector = [](const auto& p) {
        Vector<V> r;
        for (int i = 0; i < coordinates; ++i) r[std::size_t(i)] = V(p[i]);
        return r;
      };
      for (std::size_t i = 0; i < count; ++i) {
        o.x.push_back(vector(points.x[i]));
        o.y.push_back(vector(points.y[i]));
        o.u.push_back(vector(points.u[i]));
      }
      return [f, o] {
        for (std::size_t i = 0; i < count; ++i) {
          auto result = f(o, i);
          benchmark::DoNotOptimize(result);
        }
      };
    };
  };
  enter(cases, "ball/dist", type, implementation,
        each([](const auto& o, std::size_t i) { return textbook::dist<V>(o.x[i], o.y[i]); }));
  enter(cases, "ball/exp", type, implementation,
        each([](const auto& o, std::size_t i) { return textbook::expmap<V>(o.x[i], o.u[i]); }));
  enter(cases, "ball/log", type, implementation,
        each([](const auto& o, std::size_t i) { return textbook::logmap<V>(o.x[i], o.y[i]); }));
}

template <template <class> class M, int n>
void enter_model(std::vector<Case>& cases, const std::string& model) {
  enter_points<M, double, n>(cases, model, "f64x1");
  enter_points<M, f64x2, n>(cases, model, "f64x2");
  enter_tensors<M, 1, n>(cases, model, "f64x1");
  enter_tensors<M, 2, n>(cases, model, "f64x2");
  enter_gradients<M, n>(cases, model);
}

}  // namespace

void add_geometry(std::vector<Case>& cases) {
  enter_model<geometry::PoincareBall, coordinates>(cases, "ball");
  enter_model<geometry::HalfSpace, coordinates>(cases, "half");
  enter_model<geometry::Lorentz, coordinates + 1>(cases, "lorentz");
  enter_textbook<double>(cases, "f64x1", "geoopt's formula");
  enter_textbook<validation::MpfrNumber<53>>(cases, "f64x1", "MPFR 53");
  enter_textbook<validation::MpfrNumber<106>>(cases, "f64x2", "MPFR 106");
}

}  // namespace mct::bench

// Operands of every operation of the registry, as tensors of points and vectors.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "mctensor/geometry/registry.hpp"

namespace mct::geometry_test {

using namespace mct::geometry;
using Numbers = Tensor<double, 1>;

constexpr double radius = 1.3;

inline bool is_one_of(const Registered& op, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), op.operation) != names.end();
}

/// Operands of the operations of a model, of n coordinates.
class Operands {
 public:
  Operands(std::string model, int n, double spread, std::int64_t count)
      : model_(std::move(model)), n_(n), spread_(spread), count_(count) {}

  Numbers call(const char* operation, const std::vector<Numbers>& operands) const {
    return registered(operation, model_, "f64x1").value<double, 1>(radius, operands);
  }
  Numbers normal(double size) {
    auto x = Numbers::uninitialized({count_, n_});
    std::normal_distribution<double> number;
    for (std::int64_t i = 0; i < x.numel(); ++i) x.data()[i] = size * number(random_);
    return x;
  }
  /// A tangent vector at x.
  Numbers vector(const Numbers& x) { return call("proju", {x, normal(spread_)}); }
  Numbers origin() {
    auto x = Numbers::uninitialized({count_, n_});
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      const auto column = i % n_;
      const bool is_one = (model_ == "HalfSpace" && column == n_ - 1);
      x.data()[i] = model_ == "Lorentz" && column == 0 ? radius : is_one ? 1 : 0;
    }
    return x;
  }
  Numbers point() {
    const Numbers o = origin();
    return call("expmap", {o, vector(o)});
  }
  /// One for each of an operation's operands.
  std::vector<Numbers> of(const Registered& op) {
    const bool first_vectors = is_one_of(op, {"norm", "expmap", "retr", "geodesic_unit", "inner",
                                              "component_inner", "ptransp0", "ptransp0back"});
    std::vector<Numbers> all;
    Numbers x;
    for (const char kind : op.operands) {
      if (kind == 'n') {
        auto number = Numbers::uninitialized({count_});
        std::uniform_real_distribution<double> between(0.1, 0.9);
        for (std::int64_t i = 0; i < count_; ++i) number.data()[i] = between(random_);
        all.push_back(number);
      } else if (x.numel() == 0 || x.dim() == 0) {
        x = op.operation == "expmap0" ? vector(origin()) : point();
        all.push_back(x);
      } else if (is_one_of(op, {"ptransp0"})) {
        all.push_back(vector(origin()));
      } else if (first_vectors || (all.size() == 2 && op.operands[0] != 'n')) {
        all.push_back(vector(x));
      } else {
        all.push_back(is_one_of(op, {"proju", "egrad2rgrad"}) ? normal(1) : point());
      }
    }
    return all;
  }

 private:
  std::string model_;
  std::int64_t n_;
  double spread_;
  std::int64_t count_;
  std::mt19937_64 random_{1};
};

}  // namespace mct::geometry_test

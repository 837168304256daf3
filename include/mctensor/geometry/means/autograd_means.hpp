// Differentiable means: weighted_midpoint and frechet_mean of variables, and products with
// matrices. See autograd.hpp.
//
// Error: values as in frechet_mean.hpp and weighted_midpoint.hpp. For derivatives only
// frechet_mean_gradients states a bound. Domain: weights that are not negative and not all 0; other
// weights throw DomainError. Source: Lou et al. 2020.
#pragma once

#include "mctensor/autograd/linalg.hpp"
#include "mctensor/geometry/autograd.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace detail {

/// Collects the gradients of the points and weights of means, in the order of MeanReader.
template <class T, int G>
class MeanGradients {
 public:
  MeanGradients(const Shape& sorted, int coordinates, std::size_t dim)
      : dim_(dim), count_(sorted.back()), coordinates_(coordinates) {
    Shape points(sorted);
    points.push_back(coordinates);
    point_grad_ = zeros<T, G>(points);
    weight_grad_ = zeros<T, G>(sorted);
  }
  template <class W>
  void set(std::int64_t mean, const std::vector<Point<Traced<W>>>& points,
           const std::vector<Traced<W>>& weights, const WorkWeights<W>& given) const {
    using GradValue = typename Tensor<T, G>::Value;
    const auto& trace = Trace<W>::current();
    const PointWriter<T, G> point_writer(point_grad_, coordinates_), weight_writer(weight_grad_, 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::int64_t at = mean * count_ + std::int64_t(i);
      for (int c = 0; c < coordinates_; ++c)
        if (points[i][c].index != 0)
          point_writer.set(at, c, gradient_value<GradValue>(trace.derivative(points[i][c].index)));
      if (weights[i].index != 0)
        weight_writer.set(
            at, 0, gradient_value<GradValue>(given.derivative(trace.derivative(weights[i].index))));
    }
  }
  Tensor<T, G> point_gradient() const {
    return with_leading_back(point_grad_, point_grad_.dim() - 2, 1);
  }
  Tensor<T, G> weight_gradient() const {
    return with_leading_back(weight_grad_, weight_grad_.dim() - 1, 0);
  }

 private:
  /// The inverse of with_last_leading.
  Tensor<T, G> with_leading_back(const Tensor<T, G>& x, std::int64_t from, int behind) const {
    Shape order;
    for (std::int64_t d = 0; d < from; ++d) order.push_back(d);
    order.insert(order.begin() + std::ptrdiff_t(dim_), from);
    if (behind > 0) order.push_back(x.dim() - 1);
    return x.permute(order);
  }

  std::size_t dim_;
  std::int64_t count_;
  int coordinates_;
  Tensor<T, G> point_grad_, weight_grad_;
};

/// A mean with the gradients of its variables. derive(manifold, formulas, points, weights, mean,
/// gradient) adds the derivatives of one mean's loss to the trace.
template <class M, class Radius, class X, class Weights, class Value, class Derive>
auto differentiable_mean(const M& m, const Radius& radius, const X& x, const Weights& weights,
                         std::int64_t dim, const Value& value, const Derive& derive) {
  using autograd_detail::value_of;
  return autograd_detail::record(
      value,
      [m, value, dim, derive, x = value_of(x), weights = value_of(weights)](const auto& to,
                                                                            const auto& grad) {
        using V = typename M::Value;
        using W = work_t<V>;
        using T = typename std::remove_cvref_t<decltype(grad)>::Component;
        constexpr int G = std::remove_cvref_t<decltype(grad)>::components;
        using Points = std::remove_cvref_t<decltype(x)>;
        const std::size_t along = normalize_dim(dim, x.shape());
        const MeanReader<T, Points::components> read(x, weights, along);
        const MeanGradients<T, G> mean_gradients(read.shape(), read.coordinates(), along);
        Shape all = value.shape();
        all.pop_back();
        const PointReader<T, Points::components> means(value, all);
        const PointReader<T, G> gradients(grad, all);
        const OperandGradient<T, G> radius_gradient(to.needs(0), all, M::radii);
        const std::int64_t means_in_all = numel(all);
        const std::int64_t each =
            read.count() * read.coordinates() * 1000 * limbs_of<W> * limbs_of<W>;
        parallel_for(
            means_in_all, double(means_in_all) * double(each),
            [&](std::int64_t begin, std::int64_t end) {
              auto& trace = Trace<W>::current();
              for (std::int64_t p = begin; p < end; ++p) {
                trace.clear();
                const auto radii = traced_radii(m, radius_gradient.wanted());
                std::vector<Point<Traced<W>>> points;
                for (const auto& point : read.template points<V>(p))
                  points.push_back(traced_input(to_work(point), to.needs(1)));
                const auto given = work_weights(read.template weights<V>(p));
                std::vector<Traced<W>> traced;
                for (const W& w : given.values) traced.push_back(traced_input(w, to.needs(2)));
                derive(m, m.formulas_at(radii), points, traced, to_work(means.template point<V>(p)),
                       [&](int i) { return W(to_work(gradients.coordinate(gradients.at(p), i))); });
                trace.backward();
                radius_gradient.set(p, radii);
                mean_gradients.set(p, points, traced, given);
              }
            });
        if (radius_gradient.wanted())
          to.give(0, summed(radius_gradient.take(false), to.input_shape(0)));
        if (to.needs(1)) to.give(1, mean_gradients.point_gradient());
        if (to.needs(2)) to.give(2, mean_gradients.weight_gradient());
      },
      radius, x, weights);
}

/// For midpoints, whose formula is differentiated step by step.
struct MidpointDerivatives {
  template <class M, class F, class W, class Gradient>
  void operator()(const M&, const F& f, const std::vector<Point<Traced<W>>>& points,
                  const std::vector<Traced<W>>& weights, const Point<W>&,
                  const Gradient& gradient) const {
    const auto mean = midpoint_of(f, points, weights);
    auto& trace = Trace<W>::current();
    trace.begin_backward();
    for (int i = 0; i < mean.size(); ++i) trace.add(mean[i].index, gradient(i));
  }
};

/// For Fréchet means, by implicit differentiation: the mean m satisfies sum w_i log_m(x_i) = 0. Let
/// z = H^-1 g for the Riemannian gradient g of the loss at m. The derivatives by x_i and w_i are
/// the derivatives of <z, sum w_i log_m(x_i)> for a constant m. Source: Lou et al. 2020.
struct FrechetDerivatives {
  template <template <class> class M, class V, class F, class W, class Gradient>
  void operator()(const M<V>& manifold, const F& f, const std::vector<Point<Traced<W>>>& points,
                  const std::vector<Traced<W>>& weights, const Point<W>& mean,
                  const Gradient& gradient) const {
    std::vector<Point<W>> x;
    std::vector<W> w;
    for (const auto& point : points) x.push_back(values_of(point));
    for (const auto& weight : weights) w.push_back(weight.value);
    const Point<W> g = generate<Point<W>>(mean.size(), gradient);
    const Point<W> z = on_work_manifold(manifold, [&](const auto& work) {
      const MeanView<std::remove_cvref_t<decltype(work)>, dynamic> view(work, x, w, mean);
      return view.solve(work.egrad2rgrad(mean, g));
    });
    const auto constant = [](const Point<W>& p) {
      return generate<Point<Traced<W>>>(p.size(), [&](int i) { return Traced<W>::constant(p[i]); });
    };
    const auto m = constant(mean);
    Point<Traced<W>> sum = f.logmap(m, points[0]) * weights[0];
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto log = f.logmap(m, points[i]) * weights[i];
      sum = generate<Point<Traced<W>>>(sum.size(), [&](int c) { return sum[c] + log[c]; });
    }
    const Traced<W> slope = f.inner(m, constant(z), sum);
    auto& trace = Trace<W>::current();
    trace.begin_backward();
    trace.add(slope.index, number<W>(1));
  }
};

/// The manifold, and the variable of its radius: 0 unless the manifold is a Learnable.
template <class M>
const M& manifold_of(const M& m) {
  return m;
}
template <class M, int G>
M manifold_of(const Learnable<M, G>& m) {
  return m.manifold();
}
template <class M>
int radius_of(const M&) {
  return 0;
}
template <class M, int G>
const auto& radius_of(const Learnable<M, G>& m) {
  return m.radius();
}
template <class M>
inline constexpr bool is_learnable_v = false;
template <class M, int G>
inline constexpr bool is_learnable_v<Learnable<M, G>> = true;

template <class M, class... X>
concept Differentiates = is_learnable_v<M> ||(is_variable_v<X> || ...);

template <class X>
auto equal_weights(const X& x) {
  using Points = std::remove_cvref_t<decltype(autograd_detail::value_of(x))>;
  return Points::scalar(typename Points::Value(typename Points::Component(1)));
}

}  // namespace detail

/// Means with derivatives by points, weights and the radius. Points or weights given as a tensor
/// are constant.
template <class M, class X, class Weights>
requires detail::Differentiates<M, X, Weights> &&
    (!std::is_integral_v<Weights>)auto weighted_midpoint(const M& m, const X& x,
                                                         const Weights& weights,
                                                         std::int64_t dim = 0) {
  using autograd_detail::value_of;
  const auto& manifold = detail::manifold_of(m);
  return detail::differentiable_mean(
      manifold, detail::radius_of(m), x, weights, dim,
      weighted_midpoint(manifold, value_of(x), value_of(weights), dim),
      detail::MidpointDerivatives());
}
template <class M, class X>
requires detail::Differentiates<M, X>
auto weighted_midpoint(const M& m, const X& x, std::int64_t dim = 0) {
  return weighted_midpoint(m, x, detail::equal_weights(x), dim);
}
/// As weighted_midpoint. Products of manifolds are not supported; take the means of the parts.
template <class M, class X, class Weights>
requires detail::Differentiates<M, X, Weights> &&
    (!std::is_integral_v<Weights>)auto frechet_mean(const M& m, const X& x, const Weights& weights,
                                                    std::int64_t dim = 0) {
  using autograd_detail::value_of;
  const auto& manifold = detail::manifold_of(m);
  return detail::differentiable_mean(manifold, detail::radius_of(m), x, weights, dim,
                                     frechet_mean(manifold, value_of(x), value_of(weights), dim),
                                     detail::FrechetDerivatives());
}
template <class M, class X>
requires detail::Differentiates<M, X>
auto frechet_mean(const M& m, const X& x, std::int64_t dim = 0) {
  return frechet_mean(m, x, detail::equal_weights(x), dim);
}

/// Applies a matrix M (m, n) to each point of x (..., n): mobius_image of the product M x. For
/// variables the product is rounded to their number type; for points and tensors it is not.
template <class M, class A, class X>
requires detail::Differentiates<M, A, X>
auto mobius_matvec(const M& ball, const A& matrix, const X& x) {
  return operate<operation::mobius_image>(ball, matmul(x, matrix.transpose(0, 1)), x);
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE

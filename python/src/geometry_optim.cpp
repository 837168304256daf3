// Riemannian optimizers of points in Python's arrays, as rows of double.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/unique_ptr.h>

#include <filesystem>
#include <memory>

#include "any_tensor.hpp"
#include "geometry_named.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/optim/radam.hpp"
#include "mctensor/geometry/optim/rsgd.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::python {

namespace {

using namespace mct::geometry;

/// An optimizer for any manifold.
class RowOptimizer {
 public:
  virtual ~RowOptimizer() = default;
  virtual RowStep step(const Tensor<double>& gradient) = 0;
  virtual RowStep step_rows(const Tensor<std::int64_t>& rows, const Tensor<double>& gradient) = 0;
  virtual void set_lr(double lr) = 0;
  virtual double lr() const = 0;
  virtual std::int64_t steps() const = 0;
  virtual void save(const std::string& path) const = 0;
  virtual void load(const std::string& path) = 0;
};

template <class Optimizer>
class Wrapped final : public RowOptimizer {
 public:
  template <class... Arguments>
  explicit Wrapped(Arguments&&... arguments) : optimizer_(std::forward<Arguments>(arguments)...) {}
  RowStep step(const Tensor<double>& gradient) override { return optimizer_.step(gradient); }
  RowStep step_rows(const Tensor<std::int64_t>& rows, const Tensor<double>& gradient) override {
    return optimizer_.step(rows, gradient);
  }
  void set_lr(double lr) override { optimizer_.set_lr(lr); }
  double lr() const override { return optimizer_.lr(); }
  std::int64_t steps() const override { return optimizer_.steps(); }
  void save(const std::string& path) const override { optimizer_.save(path); }
  void load(const std::string& path) override { optimizer_.load(path); }

 private:
  Optimizer optimizer_;
};

template <template <class> class Optimizer, class Options>
std::unique_ptr<RowOptimizer> make(const std::string& manifold, double radius,
                                   const AnyTensor& points, const Options& options) {
  const auto* rows = std::get_if<Tensor<double>>(&points.tensor);
  if (rows == nullptr) throw nb::type_error("points must be of float64");
  return with_manifold(manifold, radius, [&]<class M>(const M& m) -> std::unique_ptr<RowOptimizer> {
    using Rows = ManifoldRows<M>;
    return std::make_unique<Wrapped<Optimizer<Rows>>>(Rows(m), *rows, options);
  });
}

const Tensor<double>& gradient_of(const AnyTensor& x) {
  if (const auto* found = std::get_if<Tensor<double>>(&x.tensor)) return *found;
  throw nb::type_error("a gradient must be of float64");
}

}  // namespace

void bind_geometry_optim(nb::module_& m) {
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<RowStep>(m, "RowStep", "What a step of rows did.")
      .def_ro("updated", &RowStep::updated, "Rows that moved.")
      .def_ro("nonfinite", &RowStep::nonfinite, "Rows that were left alone.");
  nb::class_<RowOptimizer>(m, "RowOptimizer", "A Riemannian optimizer of rows of points.")
      .def(
          "step", [](RowOptimizer& o, const AnyTensor& g) { return o.step(gradient_of(g)); },
          "gradient"_a, free, "Moves every row.")
      .def(
          "step_rows",
          [](RowOptimizer& o, const ArrayOf<std::int64_t>& rows, const AnyTensor& g) {
            const nb::gil_scoped_release released;
            return o.step_rows(view_of(rows), gradient_of(g));
          },
          "rows"_a, "gradient"_a, "Moves some rows.")
      .def_prop_rw("lr", &RowOptimizer::lr, &RowOptimizer::set_lr, "The learning rate.")
      .def_prop_ro("steps", &RowOptimizer::steps, "How many steps there were.")
      .def(
          "save",
          [](const RowOptimizer& o, const std::filesystem::path& path) { o.save(path.string()); },
          "path"_a, free, "Writes the states.")
      .def(
          "load", [](RowOptimizer& o, const std::filesystem::path& path) { o.load(path.string()); },
          "path"_a, free, "Reads them.");
  m.def(
      "rsgd",
      [](const std::string& manifold, double radius, const AnyTensor& points, double lr,
         double momentum, double dampening, bool nesterov, double weight_decay) {
        return make<Rsgd>(manifold, radius, points,
                          RsgdOptions{lr, momentum, dampening, nesterov, weight_decay, {}});
      },
      "manifold"_a, "radius"_a, "points"_a, "lr"_a, "momentum"_a, "dampening"_a, "nesterov"_a,
      "weight_decay"_a, "Riemannian stochastic gradient descent.");
  m.def(
      "radam",
      [](const std::string& manifold, double radius, const AnyTensor& points, double lr,
         double beta1, double beta2, double eps, bool amsgrad, double weight_decay,
         bool decoupled_decay) {
        return make<Radam>(
            manifold, radius, points,
            RadamOptions{lr, beta1, beta2, eps, amsgrad, weight_decay, decoupled_decay, {}});
      },
      "manifold"_a, "radius"_a, "points"_a, "lr"_a, "beta1"_a, "beta2"_a, "eps"_a, "amsgrad"_a,
      "weight_decay"_a, "decoupled_decay"_a, "Riemannian Adam.");
}

}  // namespace mct::python

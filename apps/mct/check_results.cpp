// An operation in double, f64x2 and f64x3, or with an enclosure.
#include "apps/mct/check_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "mctensor/certified/all.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/registry.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/map.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::cli::check_command {
namespace {

using Operands = std::vector<Tensor<double>>;
using Number = Certified<double, 2>;

/// The radii of enclosures include some subnormals for their own rounding, even if a result is
/// exactly 0.
constexpr double few_subnormals = 64 * FloatTraits<double>::eta;

template <int N>
std::vector<Tensor<double, N>> with_components(const Operands& operands) {
  std::vector<Tensor<double, N>> r;
  r.reserve(operands.size());
  for (const auto& x : operands) r.push_back(convert<double, N>(x));
  return r;
}

/// |better - best| for each number, rounded up by a factor for the rounding of both.
Tensor<double> distances(const Tensor<double, 2>& better, const Tensor<double, 3>& best) {
  return abs(convert<double, 3>(better) - best).fc() * (1 + 0x1p-40);
}

/// An operation as a function of tensors of any number of components: `run` is a template.
template <class Run>
Results with_three(const Run& run, const Operands& operands) {
  Results r;
  r.plain = run(with_components<1>(operands)).contiguous();
  r.better = run(with_components<2>(operands)).contiguous();
  r.radius = distances(r.better, run(with_components<3>(operands))).contiguous();
  return r;
}

/// An operation in double, and its enclosures, element by element.
template <class Tensors, class Run>
Results certify(const Tensors& tensors, const Run& run, const Operands& operands) {
  Results r;
  r.plain = tensors(operands).contiguous();
  r.better = Tensor<double, 2>(r.plain.shape());
  r.radius = Tensor<double>(r.plain.shape());
  std::vector<Tensor<double>> x;
  for (const auto& operand : operands) x.push_back(operand.expand(r.plain.shape()).contiguous());
  for (std::int64_t i = 0; i < r.plain.numel(); ++i) {
    const auto at = [&](std::size_t k) { return Number(Expansion<double, 2>(x[k].data()[i])); };
    Number enclosure;
    if constexpr (requires { run(at(0)); }) {
      enclosure = run(at(0));
    } else {
      enclosure = run(at(0), at(1));
    }
    for (int k = 0; k < 2; ++k) r.better.plane(k).data()[i] = enclosure.value().limb[k];
    r.radius.data()[i] = enclosure.radius();
  }
  r.certified = true;
  return r;
}

/// Computes element by element, with an enclosure if Certified has the function.
template <class Run>
Results elementwise(const Run& run, const Operands& operands) {
  if constexpr (requires(Number x) { run.number(x); })
    return certify(
        run, [&](const Number& x) { return run.number(x); }, operands);
  else if constexpr (requires(Number x) { run.number(x, x); })
    return certify(
        run, [&](const Number& x, const Number& y) { return run.number(x, y); }, operands);
  else
    return with_three(run, operands);
}

// The arithmetic of enclosures under the names that the list uses.
Number neg(const Number& x) { return -x; }
Number square(const Number& x) { return x * x; }
Number add(const Number& x, const Number& y) { return x + y; }
Number sub(const Number& x, const Number& y) { return x - y; }
Number mul(const Number& x, const Number& y) { return x * y; }
Number div(const Number& x, const Number& y) { return x / y; }

// A class for each function of the list. The compiler looks its name up for tensors and for
// enclosures.
#define MCT_CHECK_UNARY(name, ...)                    \
  struct Unary_##name {                               \
    template <class X>                                \
    auto operator()(const std::vector<X>& x) const {  \
      return mct::name(x[0]);                         \
    }                                                 \
    template <class C>                                \
    requires requires(C x) { name(x); }               \
    auto number(const C& x) const { return name(x); } \
  };
#define MCT_CHECK_BINARY(name, ...)                                  \
  struct Binary_##name {                                             \
    template <class X>                                               \
    auto operator()(const std::vector<X>& x) const {                 \
      return mct::name(x[0], x[1]);                                  \
    }                                                                \
    template <class C>                                               \
    requires requires(C x) { name(x, x); }                           \
    auto number(const C& x, const C& y) const { return name(x, y); } \
  };
MCT_FOR_EACH_UNARY(MCT_CHECK_UNARY)
MCT_FOR_EACH_BINARY(MCT_CHECK_BINARY)
#undef MCT_CHECK_UNARY
#undef MCT_CHECK_BINARY

struct Sum {
  template <class X>
  auto operator()(const std::vector<X>& x) const {
    return mct::sum(x[0]);
  }
};
struct Mean {
  template <class X>
  auto operator()(const std::vector<X>& x) const {
    return mct::mean(x[0]);
  }
};

template <class Product>
Results product(const Product& certified, const Tensor<double>& plain, const Operands& operands) {
  const auto x = with_components<2>(operands);
  const CertifiedTensor<double, 2> c = certified(x[0], x[1]);
  return {plain.contiguous(), c.value.contiguous(), c.radius.contiguous(), true, 1};
}

void require_operands(const std::string& operation, std::size_t expected, std::size_t given) {
  if (expected != given)
    throw DomainError(
        fmt::format("{} has {} operand(s), but {} file(s) are given", operation, expected, given));
}

}  // namespace

const std::vector<PlainOperation>& plain_operations() {
  static const std::vector<PlainOperation> list = {
#define MCT_ENTER_UNARY(name, ...) \
  {#name, 1, [](const Operands& x) { return elementwise(Unary_##name(), x); }},
#define MCT_ENTER_BINARY(name, ...) \
  {#name, 2, [](const Operands& x) { return elementwise(Binary_##name(), x); }},
      MCT_FOR_EACH_UNARY(MCT_ENTER_UNARY) MCT_FOR_EACH_BINARY(MCT_ENTER_BINARY){
          "sum", 1, [](const Operands& x) { return with_three(Sum(), x); }},
      {"mean", 1, [](const Operands& x) { return with_three(Mean(), x); }},
      {"dot", 2,
       [](const Operands& x) {
         return product([](const auto& a, const auto& b) { return dot_certified(a, b); },
                        dot(x[0], x[1]), x);
       }},
      {"mm", 2, [](const Operands& x) {
         return product([](const auto& a, const auto& b) { return mm_certified(a, b); },
                        mm(x[0], x[1]), x);
       }}};
#undef MCT_ENTER_UNARY
#undef MCT_ENTER_BINARY
  return list;
}

std::vector<double> right_digits(const Results& results) {
  const double* plain = results.plain.data();
  const auto better = results.better;
  const double *first = better.plane(0).data(), *second = better.plane(1).data();
  const double* radius = results.radius.data();
  std::vector<double> digits(std::size_t(results.rows()));
  for (std::int64_t row = 0; row < results.rows(); ++row) {
    double error = 0, size = 0;
    bool known = true;  // if only the double is NaN, it has no right digits
    for (std::int64_t i = row * results.width; i < (row + 1) * results.width; ++i) {
      known = known && std::isfinite(first[i]) && std::isfinite(radius[i]);
      // first - plain is exact where they are near
      const double off = std::fabs((first[i] - plain[i]) + second[i]) + radius[i];
      error = off <= error ? error : std::isnan(off) ? FloatTraits<double>::infinity : off;
      size = std::max(size, std::fabs(first[i]));
    }
    double& d = digits[std::size_t(row)];
    if (!known) {
      d = FloatTraits<double>::nan;
    } else if (error == 0 || (size == 0 && error <= few_subnormals)) {
      d = most_digits;
    } else {
      d = error < size ? std::min(most_digits, -std::log10(error / size)) : 0;
    }
  }
  return digits;
}

Results check_plain(const std::string& operation, const Operands& operands) {
  for (const PlainOperation& found : plain_operations()) {
    if (found.name != operation) continue;
    require_operands(operation, found.operands, operands.size());
    return found.run(operands);
  }
  throw DomainError(
      fmt::format("there is no operation '{}'; mct check --list lists the operations", operation));
}

std::vector<std::string> model_operations(geometry::Model model) {
  std::vector<std::string> names;
  for (const auto& found : geometry::registered_operations())
    if (found.model == geometry::model_names[int(model)] && found.type == "f64x3" &&
        found.device == "cpu")
      names.push_back(found.operation);
  return names;
}

Results check_in_model(const std::string& operation, geometry::Model model, double radius,
                       const Operands& operands) {
  const std::string name = geometry::model_names[int(model)];
  const auto run = [&]<int N>(const std::vector<Tensor<double, N>>& x) {
    const auto& found = geometry::registered(operation, name, geometry::number_type<double>(N));
    require_operands(operation, found.operands.size(), x.size());
    return found.value<double, N>(typename Tensor<double, N>::Value(radius), x);
  };
  Results r = with_three(run, operands);
  const auto& found = geometry::registered(operation, name, "f64x2");
  if (found.result != geometry::OperationResult::number && r.plain.dim() > 0)
    r.width = r.plain.size(r.plain.dim() - 1);
  return r;
}

}  // namespace mct::cli::check_command

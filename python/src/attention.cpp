// Attention without its matrix of weights, and HyPE's columns.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "attention.hpp"
#include "mctensor/attention/hype.hpp"
#include "mctensor/attention/streaming_attention.hpp"
#include "mctensor/attention/summed_scores.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "names.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

using namespace mct::attention;

/// The arguments of a call beside its operands.
struct Seen {
  bool causal = false;
  std::optional<ArrayOf<bool>> hidden;
  std::optional<ArrayOf<std::int64_t>> edges;  // starts, then columns
  double dropout = 0;
  std::uint64_t seed = 0, call = 0;
};

template <class T>
Mask<T> mask_of(const Seen& seen, std::int64_t queries) {
  Mask<T> mask;
  if (seen.edges) {
    const auto both = view_of(*seen.edges);
    if (both.numel() == 0)
      throw ShapeError(
          "attention: columns are given without starts; give starts, one for each query and one "
          "more");
    const std::int64_t starts = std::min(queries + 1, both.numel());
    mask.seen = {both.narrow(0, 0, starts), both.narrow(0, starts, both.numel() - starts)};
  }
  mask.causal = seen.causal;
  if (seen.hidden) mask.hidden = view_of(*seen.hidden);
  mask.dropout = seen.dropout;
  mask.seed = seen.seed;
  mask.call = seen.call;
  return mask;
}

template <class T>
std::vector<Variable<T>> leaves_of(const char* name, const std::vector<AnyTensor>& operands,
                                   const std::vector<bool>& wanted) {
  std::vector<Variable<T>> leaves;
  for (std::size_t i = 0; i < operands.size(); ++i)
    leaves.emplace_back(operand_of<T, 1>(name, operands.at(i)), wanted.at(i));
  return leaves;
}

/// Calls f(variables, mask). The operands are q, k, v, gamma, radius and, if there is one, a bias.
template <class F>
auto with_operands(const std::vector<AnyTensor>& operands, const std::vector<bool>& wanted,
                   const Seen& seen, const F& f) {
  if (operands.size() != 5 && operands.size() != 6)
    throw nb::type_error("attention takes q, k, v, gamma, radius and perhaps a bias");
  const nb::gil_scoped_release free;
  const auto of = [&]<class T>(const T&) {
    const auto x = leaves_of<T>("attention", operands, wanted);
    Mask<T> mask = mask_of<T>(seen, x[0].dim() < 2 ? 0 : x[0].size(-2));
    if (x.size() > 5) mask.bias = x[5].value();
    return f(x, mask);
  };
  if (std::holds_alternative<Tensor<float>>(operands[0].tensor)) return of(float());
  return of(double());
}
template <class T>
Scored<T, 1, 1> scored(const std::string& comparison, const std::vector<Variable<T>>& x) {
  return compared(comparison_from(comparison), x[0], x[1], x[3], x[4]);
}
template <class T>
Operands<T> values_of(const Scored<T, 1, 1>& of, const Tensor<T>& v) {
  return {of.x.value(), of.a.value(), of.y.value(), of.b.value(), v};
}

using Pair = std::pair<AnyTensor, AnyTensor>;

/// The result, and the logarithms of the sums, which its derivatives need.
Pair attend(const std::string& comparison, const std::vector<AnyTensor>& operands,
            const Seen& seen) {
  const std::vector<bool> none(operands.size(), false);
  return with_operands(operands, none, seen, [&](const auto& x, const auto& mask) -> Pair {
    const auto of = scored(comparison, x);
    const auto result = attention::attend(of.score, values_of(of, x[2].value()), mask);
    return {wrap(result.values), wrap(result.log_sum)};
  });
}
Arrays derivatives(const std::string& comparison, const std::vector<AnyTensor>& operands,
                   const Pair& result, const AnyTensor& grad, const std::vector<bool>& wanted,
                   const Seen& seen) {
  if (wanted.size() != operands.size())
    throw DomainError("wanted must have one flag for each operand");
  return with_operands(
      operands, wanted, seen, [&]<class T>(const std::vector<Variable<T>>& x, const Mask<T>& mask) {
        const auto of = scored(comparison, x);
        const auto tensor = [](const AnyTensor& y) { return operand_of<T, 1>("attention", y); };
        const bool of_bias = x.size() > 5 && wanted[5];
        const auto by = attend_backward(of.score, values_of(of, x[2].value()), mask,
                                        Attended<T>{tensor(result.first), tensor(result.second)},
                                        tensor(grad), of_bias);
        const auto pass = [](const Variable<T>& to, const Tensor<T>& gradient) {
          if (to.requires_grad()) to.backward(gradient, true);
        };
        pass(of.x, by.x);
        pass(of.a, by.a);
        pass(of.y, by.y);
        pass(of.b, by.b);
        Arrays gradients(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
          if (wanted[i] && x[i].has_grad()) gradients[i] = wrap(x[i].grad());
        if (wanted[2]) gradients[2] = wrap(by.v);
        if (of_bias) gradients[5] = wrap(by.bias);
        return gradients;
      });
}

/// Derivatives along a direction. The operands, of double, are x, a, y, b, v, a bias and the
/// gradient; a and b may have no elements. `directions` has a direction or none for each operand.
/// Returns the derivative of the values, then the gradients of x, a, y, b, v and the bias, each
/// followed by its derivative.
Arrays along(const std::string& score, const std::vector<AnyTensor>& operands,
             const Arrays& directions, const Seen& seen) {
  if (operands.size() != 7 || directions.size() != 7)
    throw nb::type_error("attention_along takes x, a, y, b, v, a bias and a gradient");
  std::vector<Tensor<double, 2>> all;
  for (std::size_t i = 0; i < 7; ++i) {
    const auto& x = operand_of<double, 1>("attention", operands[i]);
    auto moving = convert<double, 2>(x);
    if (directions[i]) moving.plane(1).copy_(operand_of<double, 1>("attention", *directions[i]));
    all.push_back(std::move(moving));
  }
  const Score which = score_names.value("there is no score", score);
  const Mask<double> plain = mask_of<double>(seen, all[0].dim() < 2 ? 0 : all[0].size(-2));
  const Mask<double, 2> mask = {plain.causal,  plain.hidden, all[5],     false,
                                plain.dropout, plain.seed,   plain.call, plain.seen};
  const Operands<double, 2> of = {all[0], all[1], all[2], all[3], all[4]};
  const auto result = attend_along(which, of, mask);
  Arrays found{wrap(result.values.plane(1))};
  if (all[6].numel() == 0 && result.values.numel() > 0) return found;  // no gradient is asked for
  const auto by = attend_backward_along(which, of, mask, result, all[6], mask.bias.numel() > 0);
  for (const auto* each : {&by.x, &by.a, &by.y, &by.b, &by.v, &by.bias})
    for (const int plane : {0, 1}) found.emplace_back(wrap(each->plane(plane)));
  return found;
}

/// Factors of a product: the names of their comparisons, the widths of their vectors.
struct Factors {
  std::vector<std::string> names;
  std::vector<std::int64_t> widths;
};
/// Attention by the squared distance of a product of spaces. x: q, k, v, whose vectors have those
/// of the factors side by side, and the weights, one row for each factor.
template <class T>
Variable<T> by_product(const std::vector<Variable<T>>& x, const Factors& factors,
                       const Mask<T>& mask) {
  const std::size_t count = factors.names.size();
  if (factors.widths.size() != count || x[3].dim() < 1 || x[3].size(0) != std::int64_t(count))
    throw ShapeError("product_attention: weights of shape " + to_string(x[3].shape()) + " of " +
                     std::to_string(count) + " factors");
  std::vector<Scored<T, 1, 1>> scores;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = [&](const Variable<T>& of) {
      return of.narrow(-1, first, factors.widths[i]);
    };
    scores.push_back(compared(comparison_from(factors.names[i] + "-squared"), part(x[0]),
                              part(x[1]), square(x[3].select(0, std::int64_t(i))), Variable<T>()));
    first += factors.widths[i];
  }
  return softmax_attention(scores, x[2], mask);
}
/// Calls f(result, variables).
template <class F>
auto with_product(const std::vector<AnyTensor>& operands, const std::vector<bool>& wanted,
                  const Factors& factors, const Seen& seen, const F& f) {
  if (operands.size() != 4) throw nb::type_error("product_attention takes q, k, v and weights");
  const nb::gil_scoped_release free;
  const auto of = [&]<class T>(const T&) {
    const auto x = leaves_of<T>("product_attention", operands, wanted);
    return f(by_product(x, factors, mask_of<T>(seen, 0)), x);
  };
  if (std::holds_alternative<Tensor<float>>(operands[0].tensor)) return of(float());
  return of(double());
}

/// Calls f(columns, variables) for the columns of queries or of keys. The operands are mu and, for
/// queries, tau.
template <class F>
auto with_columns(const AnyTensor& positions, const std::vector<AnyTensor>& operands,
                  const std::vector<bool>& wanted, std::int64_t d, int copies, const F& f) {
  if (operands.empty() || operands.size() > 2) throw nb::type_error("expected mu, or mu and tau");
  const auto& places = operand_of<double, 1>("positions", positions);
  const auto of = [&]<class T>(const T&) {
    const auto x = leaves_of<T>("hype", operands, wanted);
    return f(operands.size() == 2 ? hype_query(places, x[0], x[1], d, copies)
                                  : hype_key(places, x[0], copies),
             x);
  };
  if (std::holds_alternative<Tensor<float>>(operands[0].tensor)) return of(float());
  return of(double());
}
AnyTensor hype_columns(const AnyTensor& positions, const std::vector<AnyTensor>& operands,
                       std::int64_t d, int copies) {
  const std::vector<bool> none(operands.size(), false);
  return with_columns(positions, operands, none, d, copies,
                      [](const auto& columns, const auto&) { return wrap(columns.value()); });
}
Arrays hype_derivatives(const AnyTensor& positions, const std::vector<AnyTensor>& operands,
                        const AnyTensor& grad, const std::vector<bool>& wanted, std::int64_t d,
                        int copies) {
  return with_columns(positions, operands, wanted, d, copies,
                      [&]<class T>(const Variable<T>& columns, const std::vector<Variable<T>>& x) {
                        return Recorded<T>{columns, x}.gradients(grad);
                      });
}

}  // namespace

void bind_attention(nb::module_& m) {
  m.attr("comparisons") = tuple_of(comparison_names);
  m.def(
      "attention",
      [](const std::string& comparison, const std::vector<AnyTensor>& operands, bool causal,
         std::optional<ArrayOf<bool>> hidden, std::optional<ArrayOf<std::int64_t>> edges,
         double dropout, std::uint64_t seed, std::uint64_t call) {
        return attend(comparison, operands, {causal, hidden, edges, dropout, seed, call});
      },
      "comparison"_a, "operands"_a, "causal"_a, "hidden"_a.none(), "edges"_a.none(), "dropout"_a,
      "seed"_a, "call"_a,
      "Softmax of a score of q and k, times v, and the logarithms of the softmax's sums; operands, "
      "of float or double: q, k, v, gamma, radius, and a bias or none. edges: the starts of a "
      "neighbourhood, then its columns.");
  m.def(
      "attention_derivatives",
      [](const std::string& comparison, const std::vector<AnyTensor>& operands, const Pair& result,
         const AnyTensor& grad, const std::vector<bool>& wanted, bool causal,
         std::optional<ArrayOf<bool>> hidden, std::optional<ArrayOf<std::int64_t>> edges,
         double dropout, std::uint64_t seed, std::uint64_t call) {
        return derivatives(comparison, operands, result, grad, wanted,
                           {causal, hidden, edges, dropout, seed, call});
      },
      "comparison"_a, "operands"_a, "result"_a, "grad"_a, "wanted"_a, "causal"_a, "hidden"_a.none(),
      "edges"_a.none(), "dropout"_a, "seed"_a, "call"_a,
      "The gradients of the operands for that of the first result; None where not wanted.");
  m.def(
      "attention_along",
      [](const std::string& score, const std::vector<AnyTensor>& operands, const Arrays& directions,
         bool causal, std::optional<ArrayOf<bool>> hidden,
         std::optional<ArrayOf<std::int64_t>> edges, double dropout, std::uint64_t seed,
         std::uint64_t call) {
        const nb::gil_scoped_release free;
        return along(score, operands, directions, {causal, hidden, edges, dropout, seed, call});
      },
      "score"_a, "operands"_a, "directions"_a, "causal"_a, "hidden"_a.none(), "edges"_a.none(),
      "dropout"_a, "seed"_a, "call"_a,
      "Derivatives along a direction: that of the values, and of x, a, y, b, v and the bias the "
      "gradients and theirs; operands: those and the gradient of the values, which may be empty.");
  m.def(
      "product_attention",
      [](const std::vector<AnyTensor>& operands, const std::vector<std::string>& factors,
         const std::vector<std::int64_t>& widths, bool causal,
         std::optional<ArrayOf<bool>> hidden) {
        const std::vector<bool> none(operands.size(), false);
        return with_product(operands, none, {factors, widths}, {causal, hidden, {}, 0, 0, 0},
                            [](const auto& result, const auto&) { return wrap(result.value()); });
      },
      "operands"_a, "factors"_a, "widths"_a, "causal"_a, "hidden"_a.none(),
      "Attention by the squared distance of a product of spaces; operands: q, k, v and weights.");
  m.def(
      "product_attention_derivatives",
      [](const std::vector<AnyTensor>& operands, const AnyTensor& grad,
         const std::vector<bool>& wanted, const std::vector<std::string>& factors,
         const std::vector<std::int64_t>& widths, bool causal,
         std::optional<ArrayOf<bool>> hidden) {
        return with_product(
            operands, wanted, {factors, widths}, {causal, hidden, {}, 0, 0, 0},
            [&]<class T>(const Variable<T>& result, const std::vector<Variable<T>>& x) {
              return Recorded<T>{result, x}.gradients(grad);
            });
      },
      "operands"_a, "grad"_a, "wanted"_a, "factors"_a, "widths"_a, "causal"_a, "hidden"_a.none(),
      "The gradients of the operands for that of the result; None where not wanted.");
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  m.def("hype_columns", &hype_columns, "positions"_a, "operands"_a, "d"_a, "copies"_a, free,
        "The columns of queries (operands mu, tau) or of keys (mu).");
  m.def("hype_derivatives", &hype_derivatives, "positions"_a, "operands"_a, "grad"_a, "wanted"_a,
        "d"_a, "copies"_a, free,
        "The gradients of mu and tau for that of the columns; None where not wanted.");
  bind_attention_device(m);
}

}  // namespace mct::python

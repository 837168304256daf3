// Attention without its matrix of weights, and HyPE's columns.
#include <nanobind/stl/optional.h>

#include "mctensor/attention/hype.hpp"
#include "mctensor/attention/streaming_attention.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "names.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

using namespace mct::attention;

/// What a call says beside its operands.
struct Seen {
  bool causal = false;
  std::optional<ArrayOf<bool>> hidden;
  double dropout = 0;
  std::uint64_t seed = 0, call = 0;
};

template <class T>
Mask<T> mask_of(const Seen& seen) {
  Mask<T> mask;
  mask.causal = seen.causal;
  if (seen.hidden) mask.hidden = view_of(*seen.hidden).clone();  // read again by the gradients
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

/// Operands: q, k, v, gamma, radius and, if there is one, a bias.
Recorded attend(const std::string& comparison, const std::vector<AnyTensor>& operands,
                const std::vector<bool>& wanted, const Seen& seen) {
  if (operands.size() != 5 && operands.size() != 6)
    throw nb::type_error("attention takes q, k, v, gamma, radius and perhaps a bias");
  const Comparison by = comparison_from(comparison);
  const nb::gil_scoped_release free;
  return std::visit(
      [&]<class T, int N>(const Tensor<T, N>&) -> Recorded {
        if constexpr (N == 1) {
          const auto x = leaves_of<T>("attention", operands, wanted);
          const auto bias = x.size() > 5 ? x[5] : Variable<T>();
          return recorded(
              compared_attention(by, x[0], x[1], x[2], x[3], x[4], mask_of<T>(seen), bias), x);
        } else {
          throw nb::type_error("attention: numbers of one component are taken");
        }
      },
      operands[0].tensor);
}

/// The columns of queries or of keys; operands: mu and, of queries, tau.
Recorded hype_columns(const AnyTensor& positions, const std::vector<AnyTensor>& operands,
                      const std::vector<bool>& wanted, std::int64_t d, int copies) {
  if (operands.empty() || operands.size() > 2) throw nb::type_error("mu, or mu and tau");
  const auto& places = operand_of<double, 1>("positions", positions);
  const auto of = [&]<class T>(const T&) {
    const auto x = leaves_of<T>("hype", operands, wanted);
    return recorded(operands.size() == 2 ? hype_query(places, x[0], x[1], d, copies)
                                         : hype_key(places, x[0], copies),
                    x);
  };
  if (std::holds_alternative<Tensor<float>>(operands[0].tensor)) return of(float());
  return of(double());
}

}  // namespace

void bind_attention(nb::module_& m) {
  m.attr("comparisons") = tuple_of(comparison_names);
  m.def(
      "attention",
      [](const std::string& comparison, const std::vector<AnyTensor>& operands,
         const std::vector<bool>& wanted, bool causal, std::optional<ArrayOf<bool>> hidden,
         double dropout, std::uint64_t seed, std::uint64_t call) {
        return attend(comparison, operands, wanted, {causal, hidden, dropout, seed, call});
      },
      nb::arg("comparison"), nb::arg("operands"), nb::arg("wanted"), nb::arg("causal"),
      nb::arg("hidden").none(), nb::arg("dropout"), nb::arg("seed"), nb::arg("call"),
      "Softmax of a score of q and k, times v; operands: q, k, v, gamma, radius, and a bias or "
      "none.");
  m.def("hype_columns", &hype_columns, nb::arg("positions"), nb::arg("operands"), nb::arg("wanted"),
        nb::arg("d"), nb::arg("copies"), nb::call_guard<nb::gil_scoped_release>(),
        "The columns of queries (operands mu, tau) or of keys (mu).");
}

}  // namespace mct::python

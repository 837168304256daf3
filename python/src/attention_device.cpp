// Attention of PyTorch's tensors in the memory of a GPU. The Python side passes addresses and
// streams of PyTorch; this file does not call PyTorch.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "attention.hpp"
#include "lent.hpp"
#include "mctensor/attention/device_attention.hpp"

namespace mct::python {

namespace {

using attention::Score;
using cuda::DeviceTensor;

/// The address of a contiguous tensor (0 for none) and its shape.
using Placed = std::pair<Address, Shape>;

/// Makes tensors of the library on the memory of PyTorch's tensors.
class There {
 public:
  There(Address stream, int device) : stream_(stream_of(stream, device)) {}
  template <class T>
  DeviceTensor<T> operator()(const Placed& of) {
    if (of.first == 0) return {};
    lent_.add(at<const void>(of.first), std::size_t(numel(of.second)) * sizeof(T));
    return DeviceTensor<T>::from_memory(at<T>(of.first), of.second, stream_);
  }
  /// x, a, y, b, v.
  template <class T>
  cuda::AttentionOperands<T> operands(const std::vector<Placed>& of) {
    auto& it = *this;
    return {it.operator()<T>(of.at(0)), it.operator()<float>(of.at(1)), it.operator()<T>(of.at(2)),
            it.operator()<float>(of.at(3)), it.operator()<T>(of.at(4))};
  }
  /// Values, logarithms of sums, the rest.
  template <class T>
  cuda::Attended<T> attended(const std::vector<Placed>& of) {
    auto& it = *this;
    return {it.operator()<T>(of.at(0)), it.operator()<float>(of.at(1)),
            it.operator()<bfloat16>(of.at(2))};
  }
  /// Starts and columns and, if they are given, the edges by keys.
  cuda::EdgesThere edges(const std::vector<Placed>& of,
                         const cuda::AttentionOperands<float>& operands) {
    std::vector<const std::int64_t*> all(5);
    for (std::size_t i = 0; i < of.size(); ++i) {
      all.at(i) = at<const std::int64_t>(of[i].first);
      lent_.add(all[i], std::size_t(numel(of[i].second)) * sizeof(std::int64_t));
    }
    cuda::EdgesThere there{operands.x.size(-2), operands.y.size(-2), numel(of.at(1).second)};
    there.starts = all[0];
    there.columns = all[1];
    there.key_starts = all[2];
    there.key_queries = all[3];
    there.key_places = all[4];
    return there;
  }
  cuda::AttentionMask mask(bool causal, const Placed& bias) {
    return {causal, (*this).operator()<float>(bias)};
  }

 private:
  Lent lent_;
  cuda::Stream stream_;
};

/// Calls f with a number of the type of the vectors.
template <class F>
void with_type(bool narrow, const F& f) {
  if (narrow) {
    f(bfloat16());
  } else {
    f(float());
  }
}

void attend_there(const std::string& score, bool narrow, const std::vector<Placed>& operands,
                  bool causal, const Placed& bias, const std::vector<Placed>& edges,
                  const std::vector<Placed>& to, int device, Address stream) {
  There there(stream, device);
  const Score which = attention::score_names.value("there is no score", score);
  if (!edges.empty()) {
    const auto of = there.operands<float>(operands);
    return cuda::attend_edges(which, of, there.edges(edges, of), there.attended<float>(to));
  }
  with_type(narrow, [&]<class T>(T) {
    cuda::attend(which, there.operands<T>(operands), there.mask(causal, bias),
                 there.attended<T>(to));
  });
}
void backward_there(const std::string& score, bool narrow, const std::vector<Placed>& operands,
                    bool causal, const Placed& bias, const std::vector<Placed>& edges,
                    const std::vector<Placed>& result, const Placed& gradient,
                    const std::vector<Placed>& to, int device, Address stream) {
  There there(stream, device);
  const Score which = attention::score_names.value("there is no score", score);
  if (!edges.empty()) {
    const auto of = there.operands<float>(operands);
    return cuda::attend_edges_backward(
        which, of, there.edges(edges, of), there.attended<float>(result),
        there.operator()<float>(gradient), there.operands<float>(to));
  }
  with_type(narrow, [&]<class T>(T) {
    cuda::attend_backward(which, there.operands<T>(operands), there.mask(causal, bias),
                          there.attended<T>(result), there.operator()<T>(gradient),
                          there.operands<T>(to));
  });
}

}  // namespace

void bind_attention_device(nb::module_& m) {
  m.def("attention_there", &attend_there, "score"_a, "narrow"_a, "operands"_a, "causal"_a, "bias"_a,
        "edges"_a, "to"_a, "device"_a, "stream"_a,
        "Starts attention in the memory of a device, of bfloat16 or of float; operands: x, a, y, "
        "b, v of a score, each an address (0: none) and a shape; edges: none, or starts and "
        "columns of a neighbourhood that has been checked.");
  m.def("attention_derivatives_there", &backward_there, "score"_a, "narrow"_a, "operands"_a,
        "causal"_a, "bias"_a, "edges"_a, "result"_a, "grad"_a, "to"_a, "device"_a, "stream"_a,
        "The gradients of the operands; edges: also those "
        "of each key (cuda::EdgesThere).");
  m.def(
      "require_neighbourhood",
      [](const ArrayOf<std::int64_t>& starts, const ArrayOf<std::int64_t>& columns,
         std::int64_t queries, std::int64_t keys) {
        attention::require_neighbourhood({view_of(starts), view_of(columns)}, queries, keys);
      },
      "starts"_a, "columns"_a, "queries"_a, "keys"_a,
      "Raises ValueError, with the index and the value, unless starts and columns are a "
      "neighbourhood.");
}

}  // namespace mct::python

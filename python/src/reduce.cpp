// Sums, means, extremes, norms, orders.
#include "mctensor/tensor/reduce.hpp"

#include <nanobind/stl/optional.h>
#include <algorithm>
#include <optional>

#include "any_tensor.hpp"
#include "mctensor/tensor/sort.hpp"

namespace mct::python {

namespace {

template <class F>
void bind_reduction(nb::module_& m, const char* name, const F& f) {
  m.def(
      name,
      [f](const AnyTensor& x, const Shape& dims, bool keepdim) {
        return map_tensor(x, [&](const auto& a) { return f(a, dims, keepdim); });
      },
      "x"_a, "dims"_a, "keepdim"_a, Release());
}

NumpyArray place(bool largest, const AnyTensor& x, std::optional<std::int64_t> dim, bool keepdim) {
  const auto index = [&] {
    const nb::gil_scoped_release free;
    return std::visit(
        [&](const auto& a) {
          if (!dim) return largest ? a.argmax() : a.argmin();
          return largest ? a.argmax(*dim, keepdim) : a.argmin(*dim, keepdim);
        },
        x.tensor);
  }();
  return to_numpy(index);
}

NumpyArray order(const AnyTensor& x) {
  const auto places = [&] {
    const nb::gil_scoped_release free;
    return std::visit(
        [](const auto& a) {
          if (a.dim() < 2) return argsort(a);
          auto result = Tensor<std::int64_t>::uninitialized(a.shape());
          const std::int64_t size = a.size(-1);
          const auto rows = a.reshape({size == 0 ? 0 : a.numel() / size, size});
          for (std::int64_t i = 0; i < rows.size(0); ++i)
            std::copy_n(argsort(rows[i]).data(), size, result.data() + i * size);
          return result;
        },
        x.tensor);
  }();
  return to_numpy(places);
}

}  // namespace

void bind_reduce(nb::module_& m) {
  bind_reduction(m, "sum",
                 [](const auto& a, const Shape& dims, bool keep) { return a.sum(dims, keep); });
  bind_reduction(m, "mean",
                 [](const auto& a, const Shape& dims, bool keep) { return a.mean(dims, keep); });
  bind_reduction(m, "max",
                 [](const auto& a, const Shape& dims, bool keep) { return a.max(dims, keep); });
  bind_reduction(m, "min",
                 [](const auto& a, const Shape& dims, bool keep) { return a.min(dims, keep); });
  m.def(
      "norm",
      [](const AnyTensor& x, double p, const Shape& dims, bool keepdim) {
        return map_tensor(x, [&](const auto& a) { return a.norm(p, dims, keepdim); });
      },
      "x"_a, "p"_a, "dims"_a, "keepdim"_a, Release());
  for (const bool largest : {true, false})
    m.def(
        largest ? "argmax" : "argmin",
        [largest](const AnyTensor& x, std::optional<std::int64_t> dim, bool keepdim) {
          return place(largest, x, dim, keepdim);
        },
        "x"_a, "dim"_a.none(), "keepdim"_a);
  m.def("argsort", &order, "x"_a,
        "The places of the elements in ascending order along the last dimension, NaN last.");
}

}  // namespace mct::python

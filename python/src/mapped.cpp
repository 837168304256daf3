// Functions of expansions without tensor kernels: element by element, on one thread.
#include "mapped.hpp"

#include "any_tensor.hpp"
#include "mctensor/expansion/fmod.hpp"
#include "mctensor/expansion/nextafter.hpp"
#include "mctensor/expansion/rounding.hpp"
#include "mctensor/tensor/map.hpp"

namespace mct::python {

namespace {

/// Applies f to each element of x.
template <class F>
void bind_one(nb::module_& m, const char* name, const F& f) {
  m.def(
      name,
      [f](const AnyTensor& x) { return map_tensor(x, [&](const auto& a) { return map(f, a); }); },
      "x"_a, Release());
}

/// Applies f to the elements of x and y, which have one type. Shapes broadcast.
template <class F>
void bind_two(nb::module_& m, const char* name, const F& f) {
  m.def(
      name,
      [f, name](const AnyTensor& x, const AnyTensor& y) {
        return map_tensor(x, [&](const auto& a) { return map(f, a, same_type(name, a, y)); });
      },
      "x"_a, "y"_a, Release());
}

}  // namespace

void bind_mapped(nb::module_& m) {
  bind_one(m, "floor", [](const auto& x) { return floor(x); });
  bind_one(m, "ceil", [](const auto& x) { return ceil(x); });
  bind_one(m, "trunc", [](const auto& x) { return trunc(x); });
  bind_one(m, "rint", [](const auto& x) { return rint(x); });
  bind_two(m, "fmod", [](const auto& x, const auto& y) { return fmod(x, y); });
  bind_two(m, "nextafter", [](const auto& x, const auto& y) { return nextafter(x, y); });
}

}  // namespace mct::python

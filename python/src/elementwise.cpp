// Element-wise operations, by their names.
#include "mctensor/tensor/elementwise.hpp"

#include <array>
#include <string_view>

#include "any_tensor.hpp"

namespace mct::python {

namespace {

// in the order of the enumerations of tensor/operation.hpp
constexpr std::array unary_names = {
    "neg",  "abs",   "square", "sqrt", "rsqrt", "relu",    "exp",      "exp2", "expm1", "log",
    "log2", "log1p", "sinh",   "cosh", "tanh",  "sigmoid", "softplus", "gelu", "sin",   "cos",
    "tan",  "asin",  "acos",   "atan", "asinh", "acosh",   "atanh",    "erf",  "erfc",  "cbrt"};
static_assert(unary_names.size() == std::size_t(Unary::count));
constexpr std::array binary_names = {"add",     "sub",     "mul", "div",
                                     "maximum", "minimum", "pow", "hypot"};
static_assert(binary_names.size() == std::size_t(Binary::count));
constexpr std::array compare_names = {"eq", "ne", "lt", "le"};
static_assert(compare_names.size() == std::size_t(Compare::count));

/// name -> number, for callers that look it up once.
template <std::size_t count>
nb::dict numbered(const std::array<const char*, count>& names) {
  nb::dict result;
  for (std::size_t i = 0; i < count; ++i) result[names[i]] = int(i);
  return result;
}

template <class Op>
Op checked(int number) {
  if (number < 0 || number >= int(Op::count)) throw nb::index_error("no operation has this number");
  return Op(number);
}

AnyTensor unary(int number, const AnyTensor& x) {
  const auto op = checked<Unary>(number);
  return map_tensor(x, [&]<class T, int N>(const Tensor<T, N>& a) {
    auto out = Tensor<T, N>::uninitialized(a.shape());
    tensor_detail::run_unary(op, out, a);
    return out;
  });
}

AnyTensor binary(int number, const AnyTensor& x, const AnyTensor& y) {
  const auto op = checked<Binary>(number);
  return visit_operands(binary_names[std::size_t(number)], x, y,
                        [&]<class T, int A, int B>(const Tensor<T, A>& a, const Tensor<T, B>& b) {
                          constexpr int N = A > B ? A : B;
                          auto out =
                              Tensor<T, N>::uninitialized(broadcast_shapes(a.shape(), b.shape()));
                          tensor_detail::run_binary(op, out, a, b);
                          return wrap(std::move(out));
                        });
}

void binary_in_place(int number, const AnyTensor& x, const AnyTensor& y) {
  const auto op = checked<Binary>(number);
  const char* const name = binary_names[std::size_t(number)];
  visit_operands(name, x, y,
                 [&]<class T, int A, int B>(const Tensor<T, A>& a, const Tensor<T, B>& b) {
                   if constexpr (A >= B) {
                     tensor_detail::run_binary(op, a, a, b);
                   } else {
                     throw_types(name, x, y);
                   }
                   return 0;
                 });
}

NumpyArray compare(int number, const AnyTensor& x, const AnyTensor& y) {
  const auto op = checked<Compare>(number);
  const auto mask = [&] {
    const nb::gil_scoped_release free;
    return visit_operands(
        compare_names[std::size_t(number)], x, y, [&](const auto& a, const auto& b) {
          auto out = Tensor<bool>::uninitialized(broadcast_shapes(a.shape(), b.shape()));
          tensor_detail::run_compare(op, out, a, b);
          return out;
        });
  }();
  return to_numpy(mask);
}

/// What elements compare with as with a number that their type may not hold.
template <class T, int N>
Tensor<T, N> stand_in(Compare op, bool number_first, double number) {
  const auto of = [&]<Compare Op>() {
    return number_first ? tensor_detail::threshold<Op, true, T, N>(number)
                        : tensor_detail::threshold<Op, false, T, N>(number);
  };
  const Expansion<T, N> value = op == Compare::lt   ? of.template operator()<Compare::lt>()
                                : op == Compare::le ? of.template operator()<Compare::le>()
                                                    : of.template operator()<Compare::eq>();
  if constexpr (N == 1) {
    return Tensor<T, N>::scalar(value.limb[0]);
  } else {
    return Tensor<T, N>::scalar(value);
  }
}

NumpyArray compare_number(int number, const AnyTensor& x, double value, bool number_first) {
  const auto op = checked<Compare>(number);
  const auto mask = [&] {
    const nb::gil_scoped_release free;
    return std::visit(
        [&]<class T, int N>(const Tensor<T, N>& a) {
          const auto b = stand_in<T, N>(op, number_first, value);
          auto out = Tensor<bool>::uninitialized(a.shape());
          if (number_first) {
            tensor_detail::run_compare(op, out, b, a);
          } else {
            tensor_detail::run_compare(op, out, a, b);
          }
          return out;
        },
        x.tensor);
  }();
  return to_numpy(mask);
}

AnyTensor ternary(Ternary op, const char* name, const AnyTensor& x, const AnyTensor& y,
                  const AnyTensor& z) {
  return map_tensor(x, [&]<class T, int N>(const Tensor<T, N>& a) {
    const auto& b = same_type(name, a, y);
    const auto& c = same_type(name, a, z);
    auto out = Tensor<T, N>::uninitialized(
        broadcast_shapes(broadcast_shapes(a.shape(), b.shape()), c.shape()));
    tensor_detail::run_ternary(op, out, a, b, c);
    return out;
  });
}

AnyTensor choose(const ArrayOf<bool>& mask, const AnyTensor& x, const AnyTensor& y) {
  const nb::gil_scoped_release free;
  const auto flags = view_of(mask);
  return map_tensor(x, [&]<class T, int N>(const Tensor<T, N>& a) {
    return where(flags, a, same_type("where", a, y));
  });
}

}  // namespace

void bind_elementwise(nb::module_& m) {
  m.attr("unary_numbers") = numbered(unary_names);
  m.attr("binary_numbers") = numbered(binary_names);
  m.attr("compare_numbers") = numbered(compare_names);
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  m.def("unary", &unary, nb::arg("number"), nb::arg("x"), free, "The function of this number.");
  m.def("binary", &binary, nb::arg("number"), nb::arg("x"), nb::arg("y"), free,
        "The operation of this number; shapes broadcast.");
  m.def("binary_in_place", &binary_in_place, nb::arg("number"), nb::arg("x"), nb::arg("y"), free,
        "The same, written to x.");
  m.def("compare", &compare, nb::arg("number"), nb::arg("x"), nb::arg("y"),
        "A mask: where the relation holds for the exact values.");
  m.def("compare_number", &compare_number, nb::arg("number"), nb::arg("x"), nb::arg("value"),
        nb::arg("number_first"), "The same with a number that the type of x need not hold.");
  m.def(
      "mul_add",
      [](const AnyTensor& x, const AnyTensor& y, const AnyTensor& z) {
        return ternary(Ternary::mul_add, "mul_add", x, y, z);
      },
      nb::arg("x"), nb::arg("y"), nb::arg("z"), free, "x y + z in one pass.");
  m.def(
      "clamp",
      [](const AnyTensor& x, const AnyTensor& low, const AnyTensor& high) {
        return ternary(Ternary::clamp, "clip", x, low, high);
      },
      nb::arg("x"), nb::arg("low"), nb::arg("high"), free, "min(max(x, low), high).");
  m.def("where", &choose, nb::arg("mask"), nb::arg("x"), nb::arg("y"), "mask ? x : y.");
}

}  // namespace mct::python

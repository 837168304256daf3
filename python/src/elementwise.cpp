// Element-wise operations, by their names.
#include "mctensor/tensor/elementwise.hpp"

#include <array>
#include <span>

#include "any_tensor.hpp"
#include "mapped.hpp"

namespace mct::python {

namespace {

constexpr std::array compare_names = {"eq", "ne", "lt", "le"};
static_assert(compare_names.size() == std::size_t(Compare::count));

/// name -> number. Callers look it up once.
nb::dict numbered(std::span<const OperationEntry> entries) {
  nb::dict result;
  for (const OperationEntry& entry : entries) result[entry.name] = int(&entry - entries.data());
  return result;
}

/// name -> a text of its entry.
nb::dict texts(const char* OperationEntry::*text) {
  nb::dict result;
  for (const OperationEntry& entry : unary_entries) result[entry.name] = entry.*text;
  for (const OperationEntry& entry : binary_entries) result[entry.name] = entry.*text;
  return result;
}

template <class Op>
Op checked(int number) {
  if (number < 0 || number >= int(Op::count))
    throw nb::index_error("the number of an operation is out of range");
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
  return visit_operands(entry_of(op).name, x, y,
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
  const char* const name = entry_of(op).name;
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

/// A number of the tensor's type with which elements compare as with `number`, which the type may
/// not hold.
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
  m.attr("unary_numbers") = numbered(unary_entries);
  m.attr("binary_numbers") = numbered(binary_entries);
  m.attr("meanings") = texts(&OperationEntry::meaning);
  m.attr("ufuncs") = texts(&OperationEntry::ufuncs);
  nb::dict compare_numbers;
  for (std::size_t i = 0; i < compare_names.size(); ++i) compare_numbers[compare_names[i]] = int(i);
  m.attr("compare_numbers") = compare_numbers;
  const auto free = Release();
  m.def("unary", &unary, "number"_a, "x"_a, free, "The function of this number.");
  m.def("binary", &binary, "number"_a, "x"_a, "y"_a, free,
        "The operation of this number; shapes broadcast.");
  m.def("binary_in_place", &binary_in_place, "number"_a, "x"_a, "y"_a, free,
        "A binary operation, whose result is written to x.");
  m.def("compare", &compare, "number"_a, "x"_a, "y"_a,
        "A mask: where the relation holds for the exact values.");
  m.def("compare_number", &compare_number, "number"_a, "x"_a, "value"_a, "number_first"_a,
        "The same with a number that the type of x need not hold.");
  m.def(
      "mul_add",
      [](const AnyTensor& x, const AnyTensor& y, const AnyTensor& z) {
        return ternary(Ternary::mul_add, "mul_add", x, y, z);
      },
      "x"_a, "y"_a, "z"_a, free, "x y + z in one pass.");
  m.def(
      "clamp",
      [](const AnyTensor& x, const AnyTensor& low, const AnyTensor& high) {
        return ternary(Ternary::clamp, "clip", x, low, high);
      },
      "x"_a, "low"_a, "high"_a, free, "min(max(x, low), high).");
  m.def("where", &choose, "mask"_a, "x"_a, "y"_a, "mask ? x : y.");
  bind_mapped(m);
}

}  // namespace mct::python

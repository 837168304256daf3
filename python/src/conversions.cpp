// Converts numbers, texts and other types to tensors and back.
#include "any_tensor.hpp"
#include "mctensor/expansion/io.hpp"

namespace mct::python {

namespace {

template <class T, int N>
Tensor<T, N> parse(const std::vector<std::string>& texts, const Shape& shape) {
  std::vector<typename Tensor<T, N>::Value> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) {
    const auto value = from_string<Expansion<T, N>>(text);
    if constexpr (N == 1) {
      values.push_back(value.limb[0]);
    } else {
      values.push_back(value);
    }
  }
  return Tensor<T, N>::from_values(values, shape);
}

template <class T, int N>
Tensor<T, N> from_whole_numbers(const ArrayOf<std::int64_t>& array) {
  const auto source = view_of(array);
  const auto flat = source.contiguous();
  auto result = Tensor<T, N>::uninitialized(source.shape());
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    const Expansion<T, N> value(flat.data()[i]);
    for (int k = 0; k < N; ++k) result.data(k)[i] = value.limb[k];
  }
  return result;
}

/// A number as an operand beside tensors of T and N. It is plain if T holds it, which is faster.
template <class T, int N>
AnyTensor scalar(double value) {
  const T plain(value);
  if (double(plain) == value || value != value) return wrap(Tensor<T, 1>::scalar(plain));
  const Expansion<T, N> rounded(value);
  if constexpr (N == 1) {
    return wrap(Tensor<T, 1>::scalar(rounded.limb[0]));
  } else {
    return wrap(Tensor<T, N>::scalar(rounded));
  }
}

/// Applies `text` to every element, row by row.
template <class F>
std::vector<std::string> each_text(const AnyTensor& x, const F& text) {
  return std::visit(
      [&]<class T, int N>(const Tensor<T, N>& a) {
        std::vector<std::string> texts;
        texts.reserve(std::size_t(a.numel()));
        for (const auto& value : a.values()) texts.push_back(text(Expansion<T, N>(value)));
        return texts;
      },
      x.tensor);
}

}  // namespace

/// Defined in one file for each U, because it has 56 conversions.
template <class U>
AnyTensor convert_to(const AnyTensor& x, int components);

void bind_conversions(nb::module_& m) {
  m.def(
      "from_texts",
      [](const std::vector<std::string>& texts, const Shape& shape, const std::string& dtype) {
        const nb::gil_scoped_release free;
        return with_dtype(dtype, [&]<class T, int N>() { return wrap(parse<T, N>(texts, shape)); });
      },
      "texts"_a, "shape"_a, "dtype"_a, "Decimal or hexadecimal numbers, each rounded once.");
  m.def(
      "from_int64",
      [](const ArrayOf<std::int64_t>& array, const std::string& dtype) {
        const nb::gil_scoped_release free;
        return with_dtype(dtype,
                          [&]<class T, int N>() { return wrap(from_whole_numbers<T, N>(array)); });
      },
      "array"_a, "dtype"_a, "Whole numbers, each rounded once.");
  m.def(
      "scalar",
      [](double value, const std::string& dtype) {
        return with_dtype(dtype, [&]<class T, int N>() { return scalar<T, N>(value); });
      },
      "value"_a, "dtype"_a, "A number as an operand beside tensors of a type, rounded once to it.");
  m.def(
      "convert",
      [](const AnyTensor& x, const std::string& dtype) {
        return with_dtype(dtype, [&]<class T, int N>() { return convert_to<T>(x, N); });
      },
      "x"_a, "dtype"_a, Release(), "The same values in another type: exact where they fit.");
  m.def(
      "shortest_texts",
      [](const AnyTensor& x) { return each_text(x, [](const auto& e) { return to_string(e); }); },
      "x"_a, Release(), "For every element the shortest text that reads back as it.");
  m.def(
      "digit_texts",
      [](const AnyTensor& x, int digits) {
        return each_text(x, [&](const auto& e) { return to_string(e, digits); });
      },
      "x"_a, "digits"_a, Release(), "Every element rounded to so many significant digits.");
  m.def(
      "print",
      [](const AnyTensor& x) {
        return std::visit([](const auto& a) { return to_string(a); }, x.tensor);
      },
      "x"_a, Release(), "As NumPy prints an array, with as many digits as the type is worth.");
}

}  // namespace mct::python

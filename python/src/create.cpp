// New tensors: zeros, ranges, random numbers, joined tensors.
#include "mctensor/tensor/create.hpp"

#include "any_tensor.hpp"

namespace mct::python {

namespace {

/// All tensors, of the type of the first. Throws TypeError if one has another type.
template <class T, int N>
std::vector<Tensor<T, N>> all_as(const char* name, const Tensor<T, N>& first,
                                 const std::vector<AnyTensor>& all) {
  std::vector<Tensor<T, N>> result;
  for (const AnyTensor& x : all) result.push_back(same_type(name, first, x));
  return result;
}

void require_some(const char* name, const std::vector<AnyTensor>& all) {
  if (all.empty()) throw DomainError(std::string(name) + ": no arrays are given");
}

AnyTensor put_together(bool along_new, const std::vector<AnyTensor>& all, std::int64_t dim) {
  const char* const name = along_new ? "stack" : "concatenate";
  require_some(name, all);
  return map_tensor(all.front(), [&](const auto& first) {
    const auto parts = all_as(name, first, all);
    return along_new ? stack(parts, dim) : cat(parts, dim);
  });
}

AnyTensor range(const AnyTensor& start, const AnyTensor& stop, const AnyTensor& step) {
  return map_tensor(start, [&]<class T, int N>(const Tensor<T, N>& a) {
    const auto value = [](const Tensor<T, N>& x) { return Expansion<T, N>(x.item()); };
    return arange<T, N>(value(a), value(same_type("arange", a, stop)),
                        value(same_type("arange", a, step)));
  });
}

}  // namespace

void bind_create(nb::module_& m) {
  m.def(
      "zeros",
      [](const Shape& shape, const std::string& dtype) {
        return with_dtype(dtype, [&]<class T, int N>() { return wrap(Tensor<T, N>(shape)); });
      },
      "shape"_a, "dtype"_a, Release());
  m.def(
      "rand",
      [](const Shape& shape, std::uint64_t seed, const std::string& dtype) {
        return with_dtype(dtype, [&]<class T, int N>() { return wrap(rand<T, N>(shape, seed)); });
      },
      "shape"_a, "seed"_a, "dtype"_a, Release());
  m.def(
      "randn",
      [](const Shape& shape, std::uint64_t seed, const std::string& dtype) {
        return with_dtype(dtype, [&]<class T, int N>() { return wrap(randn<T, N>(shape, seed)); });
      },
      "shape"_a, "seed"_a, "dtype"_a, Release());
  m.def("arange", &range, "start"_a, "stop"_a, "step"_a, Release());
  m.def(
      "concatenate",
      [](const std::vector<AnyTensor>& all, std::int64_t dim) {
        return put_together(false, all, dim);
      },
      "tensors"_a, "dim"_a, Release());
  m.def(
      "stack",
      [](const std::vector<AnyTensor>& all, std::int64_t dim) {
        return put_together(true, all, dim);
      },
      "tensors"_a, "dim"_a, Release());
}

}  // namespace mct::python

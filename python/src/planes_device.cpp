// Operations on planes of numbers in the memory of a GPU: what MCTensors there are computed with.
// Addresses and streams come from PyTorch, which is not asked for anything here.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <utility>

#include "any_tensor.hpp"
#include "lent.hpp"
#include "mctensor/device/elementwise.hpp"
#include "mctensor/device/reduce.hpp"
#include "mctensor/linalg/device_products.hpp"

namespace mct::python {

namespace {

using cuda::DeviceTensor;
using cuda::Reduction;
/// Where contiguous planes begin, and how many elements each has.
using Planes = std::pair<Address, std::int64_t>;

constexpr std::array reduction_names = {"sum", "mean", "max", "min"};

/// Planes of PyTorch as a device tensor, while `lent` lives.
template <class T, int N>
DeviceTensor<T, N> lent_tensor(Lent& lent, Address data, const Shape& shape,
                               const cuda::Stream& stream) {
  lent.add(at<const T>(data), std::size_t(N) * std::size_t(numel(shape)) * sizeof(T));
  return DeviceTensor<T, N>::from_memory(at<T>(data), shape, stream);
}

/// f of the type of numbers with this name, if it is one of Numbers. Throws DeviceError.
template <class... Numbers, class F>
void with_one_of(const char* what, const std::string& dtype, const F& f) {
  const auto is_it = [&]<class T, int N>(const Expansion<T, N>*) {
    if (dtype != dtype_name<T, N>()) return false;
    f.template operator()<T, N>();
    return true;
  };
  if (!(is_it(static_cast<const Numbers*>(nullptr)) || ...))
    throw DeviceError(std::string("there are no programs for ") + what + " of " + dtype);
}
template <class F>
void with_elements(const std::string& dtype, const F& f) {
  with_one_of<f64x2, f64x3, f32x2, bf16x2>("elements", dtype, f);
}

/// operands: one (a Unary) or two (a Binary), each of as many elements as the result or of one.
void apply_there(const std::string& dtype, int operation, const std::vector<Planes>& operands,
                 const Planes& out, int device, Address address) {
  const cuda::Stream stream = stream_of(address, device);
  with_elements(dtype, [&]<class T, int N>() {
    Lent lent;
    const auto taken = [&](const Planes& x) {
      return lent_tensor<T, N>(lent, x.first, {x.second}, stream);
    };
    if (operands.size() == 1)
      apply_to(taken(out), Unary(operation), taken(operands[0]));
    else
      apply_to(taken(out), Binary(operation), taken(operands.at(0)), taken(operands.at(1)));
  });
}

/// Rows of x, each of which makes one element of out.
void reduce_there(const std::string& dtype, const std::string& name, Address x, std::int64_t rows,
                  std::int64_t length, Address out, int device, Address address) {
  const cuda::Stream stream = stream_of(address, device);
  std::size_t how = 0;
  while (how < reduction_names.size() && reduction_names[how] != name) ++how;
  if (how == reduction_names.size()) throw DomainError("there is no reduction '" + name + "'");
  with_elements(dtype, [&]<class T, int N>() {
    Lent lent;
    reduce_to(lent_tensor<T, N>(lent, out, {rows}, stream), Reduction(how),
              lent_tensor<T, N>(lent, x, {rows, length}, stream), cuda::Over::last_dim);
  });
}

/// edges: rows of a, columns of a (and rows of b), columns of b.
void multiply_there(const std::string& dtype, Address a, Address b, Address out,
                    const std::array<std::int64_t, 3>& edges, int device, Address address) {
  const cuda::Stream stream = stream_of(address, device);
  const std::int64_t rows = edges[0], depth = edges[1], columns = edges[2];
  with_one_of<f64x2, f64x3, f32x2, f32x3>("matrices", dtype, [&]<class T, int N>() {
    Lent lent;
    mm_to(lent_tensor<T, N>(lent, out, {rows, columns}, stream),
          lent_tensor<T, N>(lent, a, {rows, depth}, stream),
          lent_tensor<T, N>(lent, b, {depth, columns}, stream));
  });
}

}  // namespace

void bind_planes_device(nb::module_& m) {
  m.attr("arithmetic_there") = std::pair(arithmetic_count<Unary>, arithmetic_count<Binary>);
  m.def(
      "device_has_programs",
      [](int device) {
        const std::vector<cuda::Device> all = cuda::devices();
        return device >= 0 && device < int(all.size()) &&
               all[std::size_t(device)].major >= cuda::least_compute_capability;
      },
      "device"_a, "Whether a device of CUDA's can run the library's programs.");
  m.def("planes_apply_there", &apply_there, "dtype"_a, "operation"_a, "operands"_a, "out"_a,
        "device"_a, "stream"_a, "Starts an operation on elements in the memory of a device.");
  m.def("planes_reduce_there", &reduce_there, "dtype"_a, "name"_a, "x"_a, "rows"_a, "length"_a,
        "out"_a, "device"_a, "stream"_a, "Starts sums or extremes of rows there.");
  m.def("planes_multiply_there", &multiply_there, "dtype"_a, "a"_a, "b"_a, "out"_a, "edges"_a,
        "device"_a, "stream"_a, Release(),
        "Starts a product of matrices there, which may wait for it.");
}

}  // namespace mct::python

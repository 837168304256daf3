// Exact sums of PyTorch's tensors in the memory of a GPU. The Python side passes addresses and
// streams of PyTorch; this file does not call PyTorch.
#include <nanobind/stl/string.h>

#include "any_tensor.hpp"
#include "lent.hpp"
#include "mctensor/distributed/device_sums.hpp"

namespace mct::python {

namespace {

using cuda::SumResult;

SumResult result_of(const std::string& name) {
  if (name == "levels") return SumResult::levels;
  if (name == "nearest") return SumResult::nearest;
  if (name == "to_odd") return SumResult::to_odd;
  if (name == "mean") return SumResult::mean;
  if (name == "mean_to_odd") return SumResult::mean_to_odd;
  throw DomainError("exact sums: there is no result '" + name + "'");
}

void sum_there(const std::string& result, Address x, Address y, std::int64_t count,
               std::int64_t length, std::int64_t piece, double divisor, Address out, Address left,
               int device, Address stream) {
  const cuda::DeviceSums of{
      at<const double>(x), at<const double>(y),   count, length, piece, result_of(result), divisor,
      at<double>(out),     at<std::uint8_t>(left)};
  const auto terms = std::size_t(count) * std::size_t(length) * sizeof(double);
  const auto sums = std::size_t(count) * std::size_t((length + piece - 1) / piece);
  Lent lent;
  lent.add(of.x, terms);
  lent.add(of.y, terms);
  lent.add(of.out, sums * sizeof(double) * (of.result == SumResult::levels ? 3 : 1));
  lent.add(of.left, sums);
  cuda::start_exact_sums(of, stream_of(stream, device));
}

}  // namespace

void bind_sums_device(nb::module_& m) {
  m.def("exact_sums_there", &sum_there, "result"_a, "x"_a, "y"_a, "count"_a, "length"_a, "piece"_a,
        "divisor"_a, "out"_a, "left"_a, "device"_a, "stream"_a,
        "Starts exact sums of rows of doubles, or of products of rows, in the memory of a device.");
}

}  // namespace mct::python

// Operations of manifolds on PyTorch's tensors in the memory of a GPU. Addresses and streams come
// from PyTorch, which is not asked for anything here.
#include <nanobind/stl/pair.h>

#include <utility>

#include "geometry.hpp"
#include "lent.hpp"
#include "mctensor/geometry/device_points.hpp"
#include "mctensor/geometry/registry.hpp"

namespace mct::python {

namespace {

using cuda::DevicePoints;

/// x, y, out: where rows of doubles begin; shape: how many rows, of how many numbers.
void operate_there(const std::string& manifold, const std::string& name, double radius, Address x,
                   Address y, Address out, std::pair<std::int64_t, std::int64_t> shape, int device,
                   Address stream) {
  const geometry::Registered& found = geometry::registered(name, manifold, "f64x1");
  if (found.compiled.operation == geometry::TensorOperation::count)
    throw DomainError(name + ": a conversion, for which there is no program on a device");
  const auto [count, coordinates] = shape;
  const DevicePoints of{found.compiled.model, found.compiled.operation, radius, at<const double>(x),
                        at<const double>(y),  at<double>(out),          count,  coordinates};
  const auto row = std::size_t(count) * sizeof(double);
  const bool is_number = found.result == geometry::OperationResult::number;
  Lent lent;
  lent.add(of.x, row * std::size_t(coordinates));
  lent.add(of.y, row * std::size_t(coordinates));
  lent.add(of.out, is_number ? row : row * std::size_t(coordinates));
  cuda::start_operation(of, stream_of(stream, device));
}

}  // namespace

void bind_geometry_device(nb::module_& m) {
  m.def("manifold_value_there", &operate_there, nb::arg("manifold"), nb::arg("name"),
        nb::arg("radius"), nb::arg("x"), nb::arg("y"), nb::arg("out"), nb::arg("shape"),
        nb::arg("device"), nb::arg("stream"),
        "Starts an operation of a manifold on rows of doubles in the memory of a device.");
}

}  // namespace mct::python

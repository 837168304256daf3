// Operations of manifolds on PyTorch's tensors in the memory of a GPU. Addresses and streams come
// from PyTorch, which is not asked for anything here.
#include <nanobind/stl/pair.h>

#include <utility>

#include "geometry.hpp"
#include "lent.hpp"
#include "mctensor/geometry/device_points.hpp"

namespace mct::python {

namespace {

using cuda::DevicePoints;
using geometry::TensorModel;
using geometry::TensorOperation;

TensorModel model_named(const std::string& name) {
#define MCT_COMPARE(model, Model, conversion) \
  if (name == #Model) return TensorModel::model;
  MCT_FOR_EACH_TENSOR_MODEL(MCT_COMPARE)
#undef MCT_COMPARE
  throw DomainError("there is no manifold " + name);
}
TensorOperation operation_named(const std::string& name) {
#define MCT_COMPARE(operation, kinds, gives) \
  if (name == #operation) return TensorOperation::operation;
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_COMPARE)
#undef MCT_COMPARE
  throw DomainError("there is no operation " + name);
}

/// x, y, out: where rows of doubles begin; shape: how many rows, of how many numbers.
void operate_there(const std::string& manifold, const std::string& name, double radius, Address x,
                   Address y, Address out, std::pair<std::int64_t, std::int64_t> shape, int device,
                   Address stream) {
  const TensorOperation operation = operation_named(name);
  const auto [count, coordinates] = shape;
  const DevicePoints of{model_named(manifold), operation,       radius, at<const double>(x),
                        at<const double>(y),   at<double>(out), count,  coordinates};
  const auto row = std::size_t(count) * sizeof(double);
  const bool is_number = geometry::described(operation).result == geometry::OperationResult::number;
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

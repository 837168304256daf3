// Operations of manifolds on PyTorch's tensors in the memory of a GPU. The Python side passes
// addresses and streams of PyTorch; this file does not call PyTorch.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "geometry.hpp"
#include "lent.hpp"
#include "mctensor/geometry/device_points.hpp"
#include "mctensor/geometry/registry.hpp"

namespace mct::python {

namespace {

using cuda::DevicePoints;
using cuda::PointRun;
using cuda::PointSteps;

/// Addresses of rows of doubles, and their lengths.
using Rows = std::vector<std::pair<Address, int>>;

/// x, y, out: the addresses of rows of doubles; shape: the number of rows and their length.
void operate_there(const std::string& manifold, const std::string& name, double radius, Address x,
                   Address y, Address out, std::pair<std::int64_t, std::int64_t> shape, int device,
                   Address stream) {
  const geometry::Registered& found = geometry::registered(name, manifold, "f64x1");
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

/// The enumerator of a name in a list of `count` names. Throws DomainError for other names.
template <class Name>
Name number_of(const char* const* names, const std::string& name) {
  for (int i = 0; i < int(Name::count); ++i)
    if (names[i] == name) return Name(i);
  throw DomainError("there are no cones '" + name + "'");
}

/// cones: the name of a system, or none.
std::optional<PointSteps> steps_there(const std::string& cones, const std::string& manifold,
                                      const std::string& name, int coordinates, unsigned wanted,
                                      unsigned given, int digits, int curvature_sign) {
  using namespace geometry;
  cuda::PointTask task{Model::count, TensorOperation::count, coordinates, wanted, given, digits};
  task.curvature_sign = curvature_sign;
  if (cones.empty()) {
    const auto& compiled = registered(name, manifold, "f64x1").compiled;
    task.model = compiled.model;
    task.operation = compiled.operation;
    task.to = compiled.to;
  } else {
    task.model = number_of<Model>(model_names, manifold);
    task.cones = number_of<ConeSystemName>(cone_system_names, cones);
    task.cone_operation = number_of<ConeOperationName>(cone_operation_names, name);
  }
  return cuda::steps_on_points(task);
}

/// in: rows of the operands, of the gradient of the result and of cotangents. out: rows of results.
/// A missing entry has the address 0. scratch: its address and the number of blocks.
void run_there(const PointSteps& steps, Address bytes, double radius, const Rows& in,
               const Rows& out, Address left, std::int64_t count, std::pair<Address, int> scratch,
               int device, Address stream) {
  if (in.size() > std::size(PointRun{}.in) || out.size() > std::size(PointRun{}.out))
    throw nb::type_error("more operands or results than there are");
  PointRun run{};
  run.of = &steps;
  run.bytes = at<const void>(bytes);
  run.radius = radius;
  run.left = at<std::uint8_t>(left);
  run.count = count;
  run.scratch = at<double>(scratch.first);
  run.blocks = scratch.second;
  Lent lent;
  const auto rows = std::size_t(count) * sizeof(double);
  for (std::size_t k = 0; k < in.size(); ++k) {
    run.in[k] = at<const double>(in[k].first);
    run.widths[k] = in[k].second;
    lent.add(run.in[k], rows * std::size_t(in[k].second));
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    run.out[k] = at<double>(out[k].first);
    run.out_widths[k] = out[k].second;
    lent.add(run.out[k], rows * std::size_t(out[k].second));
  }
  lent.add(run.bytes, steps.bytes.size());
  lent.add(run.left, std::size_t(count));
  lent.add(run.scratch, std::size_t(run.blocks) * cuda::point_step_threads *
                            std::size_t(steps.rows) * sizeof(double));
  cuda::start_steps(run, stream_of(stream, device));
}

}  // namespace

void bind_geometry_device(nb::module_& m) {
  m.def("manifold_value_there", &operate_there, "manifold"_a, "name"_a, "radius"_a, "x"_a, "y"_a,
        "out"_a, "shape"_a, "device"_a, "stream"_a,
        "Starts an operation of a manifold on rows of doubles in the memory of a device.");
  nb::class_<PointSteps>(m, "PointSteps", "Steps of an operation of a manifold, for a device.")
      .def_prop_ro(
          "bytes",
          [](const PointSteps& of) {
            return nb::bytes(reinterpret_cast<const char*>(of.bytes.data()), of.bytes.size());
          },
          "What belongs into the memory of the device.")
      .def_ro("rows", &PointSteps::rows, "How many numbers of scratch a thread has.");
  m.attr("point_step_threads") = cuda::point_step_threads;
  m.attr("point_dimensions_there") = nb::cast(cuda::compiled_point_dimensions());
  m.def("manifold_steps", &steps_there, "cones"_a, "manifold"_a, "name"_a, "coordinates"_a,
        "wanted"_a, "given"_a, "digits"_a, "curvature_sign"_a,
        "The steps of an operation or its derivatives (bits of the radius and operands), or None.");
  m.def("manifold_steps_there", &run_there, "steps"_a, "bytes"_a, "radius"_a, "rows"_a, "results"_a,
        "left"_a, "count"_a, "scratch"_a, "device"_a, "stream"_a,
        "Starts steps in the memory of a device.");
}

}  // namespace mct::python

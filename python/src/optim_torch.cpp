// AdamW over parameters of PyTorch. Their addresses are read again before every step, in one pass,
// because parameters may have new memory, new gradients or none.
#include <nanobind/stl/pair.h>

#include "tensor_batch.hpp"

namespace mct::python {

namespace {

using namespace mct::optim;

/// One step of all batches, in one call of the library. `is_skipped` is None or a function that
/// takes the number of gradients that are not finite and returns whether to skip the step.
StepReport step_batches(const std::vector<const TensorBatch*>& batches,
                        const std::vector<const AdamWOptions*>& options,
                        const std::vector<std::int64_t>& steps, const nb::object& is_skipped) {
  std::vector<AdamWGroup> groups;
  for (std::size_t i = 0; i < batches.size(); ++i)
    groups.push_back(batches[i]->group(*options.at(i), steps.at(i)));
  SkipVote vote;
  if (!is_skipped.is_none())
    vote = [&is_skipped](std::int64_t nonfinite) {
      const nb::gil_scoped_acquire gil;
      return nb::cast<bool>(is_skipped(nonfinite));
    };
  const nb::gil_scoped_release free;
  return adamw_step(groups, vote);
}

/// Whether one of the parameters has a gradient.
bool any_has_grad(const nb::list& parameters) {
  for (const nb::handle parameter : parameters)
    if (!TorchCalls::get().grad(parameter).is_none()) return true;
  return false;
}

/// Whether a dict has exactly these keys and values: the same objects in the same order.
bool has_items(const nb::dict& dict, const nb::list& keys, const nb::list& values) {
  if (dict.size() != keys.size()) return false;
  std::size_t i = 0;
  for (const auto& [key, value] : dict) {
    if (!key.is(keys[i]) || !value.is(values[i])) return false;
    ++i;
  }
  return true;
}

/// Whether two lists have the same objects.
bool has_objects(const nb::list& list, const nb::list& objects) {
  if (list.size() != objects.size()) return false;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!list[i].is(objects[i])) return false;
  return true;
}

void set_steps(const nb::list& states, nb::handle step) {
  static PyObject* const name = PyUnicode_InternFromString("step");
  for (const nb::handle state : states)
    if (PyDict_SetItem(state.ptr(), name, step.ptr()) != 0) nb::raise_python_error();
}

}  // namespace

void bind_optim_torch(nb::module_& m) {
  m.attr("group_length") = scale_group;
  nb::class_<TensorBatch>(m, "TensorBatch", "Parameters of PyTorch that are stepped together.")
      .def(nb::init<std::string_view, std::string_view, int>(), "strategy"_a, "format"_a,
           "device"_a = TensorPlace::cpu)
      .def("add", &TensorBatch::add, "state"_a, "runs"_a,
           "One more parameter by its state, and where its elements lie in the whole.")
      .def("locate", &TensorBatch::locate, "parameters"_a, "states"_a, "tensors"_a, "step"_a,
           "grads"_a, "strays"_a,
           "Finds out where all of it lies now; False if it is not what was added.")
      .def("place", &TensorBatch::place, "index"_a, "parameter"_a, "grad"_a, "has_float_grad"_a,
           "Where a parameter lies that `locate` has left out.");
  m.def("step_batches", &step_batches, "batches"_a, "options"_a, "steps"_a,
        "is_skipped"_a.none() = nb::none(),
        "One AdamW step of all, or of none if a gradient is not finite.");
  m.def("any_has_grad", &any_has_grad, "parameters"_a, "Whether one has a gradient.");
  m.def("has_items", &has_items, "dict"_a, "keys"_a, "values"_a,
        "Whether a dict has exactly these objects.");
  m.def("has_objects", &has_objects, "list"_a, "objects"_a,
        "Whether a list has exactly these objects.");
  m.def("set_steps", &set_steps, "states"_a, "step"_a, "Notes a number of steps in states.");
}

}  // namespace mct::python

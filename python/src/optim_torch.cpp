// AdamW over parameters of PyTorch. Where they lie is asked anew before every step, in one pass:
// they may have got other memory, other gradients or none.
#include "optim_arrays.hpp"
#include "torch_calls.hpp"

namespace mct::python {

namespace {

using namespace mct::optim;

nb::handle item(const nb::list& list, std::size_t i) {
  return PyList_GET_ITEM(list.ptr(), Py_ssize_t(i));
}

/// Parameters of one group, type and number of steps. Python keeps the objects; here are addresses,
/// which are used after `locate` has found them again.
class TensorBatch {
 public:
  TensorBatch(std::string_view strategy, std::string_view format, nb::object dtype)
      : strategy_(strategy_from_name(strategy)),
        format_(format_from_name(format)),
        dtype_(std::move(dtype)) {}

  /// One more parameter by its state. A state that has theta belongs to a parameter of floats,
  /// whose gradient and new weights pass beside the arrays.
  void add(const nb::dict& state, std::int64_t count, std::int64_t first) {
    Kept kept;
    AdamWMemory memory;
    memory.count = count;
    memory.first = first;
    for (const auto& [key, value] : state)
      for (const KeptArray& array : kept_arrays)
        if (nb::cast<std::string_view>(key) == array.name) {
          memory.*array.data = reinterpret_cast<void*>(TorchCalls::get().address(value));
          if (kept.count++ == 0) kept.first = array.data;
        }
    if (memory.theta != nullptr) floats_.resize(memory_.size() + 1);
    memory_.push_back(memory);
    kept_.push_back(kept);
  }

  /// Finds out where parameters, gradients and states lie now. False: not as when they were added,
  /// because a gradient is missing or a state has been exchanged. `grads` gets the gradients,
  /// `strays` the numbers of the parameters that must be looked at: moved, not contiguous, of
  /// another type or number of elements.
  bool locate(const nb::list& parameters, const nb::list& states, const nb::list& tensors,
              nb::handle step, nb::list grads, nb::list strays) {
    const std::size_t count = memory_.size();
    if (parameters.size() != count || states.size() != count || tensors.size() != count)
      throw DomainError("locate: as many parameters and states as were added are wanted");
    for (std::size_t i = 0; i < count; ++i) {
      const nb::handle parameter = item(parameters, i);
      nb::object grad = TorchCalls::get().grad(parameter);
      if (grad.is_none() || !has_state(i, item(states, i), item(tensors, i), step)) return false;
      if (!has_place(i, parameter, grad)) strays.append(i);
      grads.append(std::move(grad));
    }
    return true;
  }

  /// Sets what `locate` has left out.
  void place(std::size_t i, std::uintptr_t parameter, std::uintptr_t grad) {
    if (i >= memory_.size()) throw nb::index_error("no such parameter");
    memory_[i].grad = reinterpret_cast<const void*>(grad);
    if (floats_.empty()) {
      memory_[i].theta = reinterpret_cast<void*>(parameter);
    } else {
      floats_[i] = {reinterpret_cast<const float*>(grad), reinterpret_cast<float*>(parameter)};
    }
  }

  AdamWGroup group(const AdamWOptions& options, std::int64_t step) const {
    return {strategy_, format_, memory_, floats_, options, step};
  }

 private:
  /// The first array of a state, and how many it has.
  struct Kept {
    void* AdamWMemory::*first = nullptr;
    std::size_t count = 0;
  };

  /// Whether a state has the tensors that it had, and this number of steps. Of their addresses one
  /// is asked for: who moves the memory under an optimizer's tensors (share_memory_) moves all.
  bool has_state(std::size_t i, nb::handle state, nb::handle tensors, nb::handle step) const {
    std::size_t place = 0;
    bool has_step = false;
    Py_ssize_t position = 0;
    PyObject* value = nullptr;
    while (PyDict_Next(state.ptr(), &position, nullptr, &value) != 0) {
      if (value == step.ptr()) {
        has_step = true;
        continue;
      }
      if (place >= kept_[i].count || value != PyTuple_GET_ITEM(tensors.ptr(), Py_ssize_t(place)) ||
          (place == 0 && reinterpret_cast<std::uintptr_t>(memory_[i].*kept_[i].first) !=
                             TorchCalls::get().address(value)))
        return false;
      ++place;
    }
    return has_step && place == kept_[i].count;
  }

  /// Whether a parameter, which lies where it lay, and its gradient can be stepped there; then that
  /// is noted. Types of parameters are those of their gradients, and so are devices, or PyTorch
  /// would not have taken the gradients: of a parameter that has moved Python looks at everything.
  bool has_place(std::size_t i, nb::handle parameter, nb::handle grad) {
    const TorchCalls& torch = TorchCalls::get();
    const std::int64_t count = memory_[i].count;
    const std::uintptr_t address = torch.address(parameter);
    if (address != address_of(i) || !torch.is_contiguous(parameter) ||
        torch.count(parameter) != count || torch.count(grad) != count ||
        !torch.dtype(grad).is(dtype_))
      return false;
    try {  // a sparse tensor has no strides and no address
      if (!torch.is_contiguous(grad)) return false;
      place(i, address, torch.address(grad));
    } catch (nb::python_error&) {
      return false;
    }
    return true;
  }
  /// Where the parameter lay at the last step.
  std::uintptr_t address_of(std::size_t i) const {
    return floats_.empty() ? reinterpret_cast<std::uintptr_t>(memory_[i].theta)
                           : reinterpret_cast<std::uintptr_t>(floats_[i].theta);
  }

  Strategy strategy_;
  Format format_;
  nb::object dtype_;
  std::vector<AdamWMemory> memory_;
  std::vector<FloatSide> floats_;
  std::vector<Kept> kept_;
};

/// One step of all batches, in one call of the library.
StepReport step_batches(const std::vector<const TensorBatch*>& batches,
                        const std::vector<const AdamWOptions*>& options,
                        const std::vector<std::int64_t>& steps) {
  std::vector<AdamWGroup> groups;
  for (std::size_t i = 0; i < batches.size(); ++i)
    groups.push_back(batches[i]->group(*options.at(i), steps.at(i)));
  const nb::gil_scoped_release free;
  return adamw_step(groups);
}

/// Whether one of the parameters has a gradient.
bool any_has_grad(const nb::list& parameters) {
  for (const nb::handle parameter : parameters)
    if (!TorchCalls::get().grad(parameter).is_none()) return true;
  return false;
}

/// Whether a dict has exactly these keys and values, the same objects in this order.
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
  nb::class_<TensorBatch>(m, "TensorBatch", "Parameters of PyTorch that are stepped together.")
      .def(nb::init<std::string_view, std::string_view, nb::object>(), nb::arg("strategy"),
           nb::arg("format"), nb::arg("dtype"))
      .def("add", &TensorBatch::add, nb::arg("state"), nb::arg("count"), nb::arg("first"),
           "One more parameter by its state.")
      .def("locate", &TensorBatch::locate, nb::arg("parameters"), nb::arg("states"),
           nb::arg("tensors"), nb::arg("step"), nb::arg("grads"), nb::arg("strays"),
           "Finds out where all of it lies now; False if it is not what was added.")
      .def("place", &TensorBatch::place, nb::arg("index"), nb::arg("parameter"), nb::arg("grad"),
           "Where a parameter lies that `locate` has left out.");
  m.def("step_batches", &step_batches, nb::arg("batches"), nb::arg("options"), nb::arg("steps"),
        "One AdamW step of all, or of none if a gradient is not finite.");
  m.def("any_has_grad", &any_has_grad, nb::arg("parameters"), "Whether one has a gradient.");
  m.def("has_items", &has_items, nb::arg("dict"), nb::arg("keys"), nb::arg("values"),
        "Whether a dict has exactly these objects.");
  m.def("has_objects", &has_objects, nb::arg("list"), nb::arg("objects"),
        "Whether a list has exactly these objects.");
  m.def("set_steps", &set_steps, nb::arg("states"), nb::arg("step"),
        "Notes a number of steps in states.");
}

}  // namespace mct::python

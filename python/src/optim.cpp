// AdamW over arrays that belong to Python. The Python files of the package pass addresses. They
// have checked types and sizes, and keep the arrays.
#include "mctensor/base/number_text.hpp"
#include "optim_arrays.hpp"

namespace mct::python {

namespace {

using namespace mct::optim;

const char* content_name(Content content) {
  constexpr std::array names = {"none",       "narrow", "float32", "lower_bits",
                                "lower_byte", "roots",  "marks"};
  return names[std::size_t(content)];
}

/// The arrays of a strategy: name -> (content, bytes of an element, elements for so many
/// parameters).
nb::dict arrays_of(std::string_view strategy, std::int64_t parameters, bool amsgrad, bool marks) {
  const Composition parts = composition_of(strategy_from_name(strategy));
  const Layout layout = layout_of(parts);
  nb::dict result;
  for (const KeptArray& array : kept_arrays) {
    const bool is_wanted = !array.optional || (array.of_amsgrad ? amsgrad : marks);
    if (layout.*array.size == 0 || !is_wanted) continue;
    result[array.name] =
        nb::make_tuple(content_name(array.content(parts)), std::int64_t(layout.*array.size),
                       array.elements(parameters, layout));
  }
  return result;
}

void bind_options(nb::module_& m) {
  nb::enum_<WeightDecay>(m, "WeightDecay", "Where weight decay enters.")
      .value("inside", WeightDecay::inside)
      .value("decoupled", WeightDecay::decoupled)
      .value("l2", WeightDecay::l2);
  nb::enum_<Arithmetic>(m, "Arithmetic", "How the arithmetic of an update is done.")
      .value("registers", Arithmetic::registers)
      .value("strict", Arithmetic::strict);
  nb::class_<AdamWOptions>(m, "AdamWOptions", "The numbers of a step.")
      .def(nb::init<>())
      .def_rw("lr", &AdamWOptions::lr, "The learning rate.")
      .def_rw("beta1", &AdamWOptions::beta1, "The decay of the first moment.")
      .def_rw("beta2", &AdamWOptions::beta2, "The decay of the second moment.")
      .def_rw("eps", &AdamWOptions::eps, "What is added to the root of the second moment.")
      .def_rw("weight_decay", &AdamWOptions::weight_decay, "How much weights decay.")
      .def_rw("decay_mode", &AdamWOptions::decay_mode, "Where weight decay enters.")
      .def_rw("schedule", &AdamWOptions::schedule, "lr over the initial one, for decoupled decay.")
      .def_rw("grad_scale", &AdamWOptions::grad_scale, "Gradients are multiplied by this.")
      .def_rw("seed", &AdamWOptions::seed, "The seed of stochastic rounding.")
      .def_rw("arithmetic", &AdamWOptions::arithmetic, "How the arithmetic is done.")
      .def_rw("metrics", &AdamWOptions::metrics, "Measure what became of the updates.")
      .def_rw("metric_sample", &AdamWOptions::metric_sample, "Of one of so many blocks.");
}

std::string describe(const StepReport& report) {
  std::string text = "StepReport(elements=" + std::to_string(report.elements) +
                     ", nonfinite=" + std::to_string(report.nonfinite) +
                     ", skipped=" + (report.skipped ? "True" : "False");
  if (report.measured > 0)
    text += ", measured=" + std::to_string(report.measured) +
            ", updates=" + std::to_string(report.updates) +
            ", lost_updates=" + std::to_string(report.lost_updates) +
            ", descent_quality=" + number_text(report.descent_quality(), 6) +
            ", lost_percentage=" + number_text(report.lost_percentage(), 6);
  return text + ")";
}

void bind_report(nb::module_& m) {
  nb::class_<StepReport>(m, "StepReport", "What a step did.")
      .def(nb::init<>())
      .def_ro("elements", &StepReport::elements, "Parameters that have a gradient.")
      .def_ro("nonfinite", &StepReport::nonfinite, "Gradients that are infinite or NaN.")
      .def_ro("skipped", &StepReport::skipped, "Nothing was changed because of them.")
      .def_ro("measured", &StepReport::measured, "Parameters that the metrics are over.")
      .def_ro("updates", &StepReport::updates, "Updates that are not 0.")
      .def_ro("lost_updates", &StepReport::lost_updates, "Those that changed nothing.")
      .def_prop_ro("descent_quality", &StepReport::descent_quality,
                   "<update, effective> / |update|.")
      .def_prop_ro("lost_percentage", &StepReport::lost_percentage,
                   "Per cent of the updates that were lost.")
      .def("__repr__", &describe);
}

}  // namespace

void bind_optim(nb::module_& m) {
  bind_options(m);
  bind_report(m);
  const auto free = Release();
  nb::class_<AdamWArrays>(m, "AdamWArrays",
                          "The arrays of parameters that are stepped in one call.")
      .def(nb::init<std::string_view, std::string_view>(), "strategy"_a, "format"_a)
      .def("add", &AdamWArrays::add, "addresses"_a, "count"_a, "first"_a, "grad"_a = 0,
           "One more parameter: an address for each array.")
      .def("step", &AdamWArrays::step, "options"_a, "step"_a, free,
           "One step of all, or of none if a gradient is not finite.")
      .def("set_weights", &AdamWArrays::set_weights, "index"_a, "weights"_a,
           "Float weights into theta and low.")
      .def("get_weights", &AdamWArrays::get_weights, "index"_a, "weights"_a,
           "Float weights from theta and low.");
  m.def("adamw_arrays", &arrays_of, "strategy"_a, "parameters"_a, "amsgrad"_a, "marks"_a = false,
        "What a strategy keeps: name -> (content, bytes, elements).");
  m.def("strategies", [] {
    std::vector<std::string> names;
    for (const Strategy strategy : all_strategies()) names.push_back(to_string(strategy));
    return names;
  });
  m.def("successor_of", &successor_of, "strategy"_a,
        "What takes the place of a strategy of earlier versions; empty for others.");
  m.def(
      "validate_adamw",
      [](const AdamWOptions& options, std::string_view strategy, std::string_view format) {
        validate(options, strategy_from_name(strategy), format_from_name(format));
      },
      "options"_a, "strategy"_a, "format"_a,
      "Throws unless the options are possible and go with the strategy.");
  m.def(
      "narrow_floats",
      [](const std::string& format, std::uintptr_t from, std::uintptr_t to, std::int64_t count) {
        narrow_floats(format_from_name(format), reinterpret_cast<const float*>(from),
                      reinterpret_cast<void*>(to), count);
      },
      "format"_a, "source"_a, "target"_a, "count"_a, free,
      "Floats rounded to a 16-bit format, by their addresses.");
  m.def(
      "widen_to_floats",
      [](const std::string& format, std::uintptr_t from, std::uintptr_t to, std::int64_t count) {
        widen_to_floats(format_from_name(format), reinterpret_cast<const void*>(from),
                        reinterpret_cast<float*>(to), count);
      },
      "format"_a, "source"_a, "target"_a, "count"_a, free,
      "Floats from a 16-bit format, by their addresses.");
}

}  // namespace mct::python

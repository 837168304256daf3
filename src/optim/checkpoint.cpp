#include "mctensor/optim/checkpoint.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace mct::optim_detail {

using namespace optim;

namespace {

constexpr const char* model_prefix = "model.";
constexpr const char* rates_name = "rates";

std::string option_entry(const char* name) { return std::string("option.") + name; }

std::vector<std::size_t> places_of(const std::vector<NamedState>& states) {
  std::vector<std::size_t> order(states.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return states[a].name < states[b].name; });
  std::vector<std::size_t> places(states.size());
  for (std::size_t k = 0; k < order.size(); ++k) places[order[k]] = k;
  return places;
}

/// "; name: a, b", or nothing.
void add_list(std::string& text, const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  text += (text.empty() ? "" : "; ") + std::string(what) + ": ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
}

}  // namespace

StateNames state_names(const std::vector<NamedState>& states) {
  StateNames names;
  for (const NamedState& state : states) {
    if (state.name.empty())
      throw DomainError("checkpoint: parameter " + state.key +
                        " of the optimizer is not in the model");
    names.prefixes[state.key] = "optimizer." + state.name;
  }
  names.places = places_of(states);
  return names;
}

StateDescription checkpoint_description(const StateDescription& of_optimizer) {
  StateDescription description = of_optimizer;
  description["mctensor.checkpoint"] = "1";
  return description;
}

std::string model_entry(const std::string& parameter) { return model_prefix + parameter; }

void write_rates(StateWriter& writer, const std::vector<NamedState>& states) {
  const auto places = places_of(states);
  Tensor<double> rates({std::int64_t(states.size()), 2});
  for (std::size_t i = 0; i < states.size(); ++i) {
    rates.data()[2 * places[i]] = *states[i].lr;
    rates.data()[2 * places[i] + 1] = *states[i].weight_decay;
  }
  writer.add(rates_name, rates);
}

std::vector<std::pair<double, double>> read_rates(StateReader& reader,
                                                  const std::vector<NamedState>& states) {
  const auto places = places_of(states);
  const auto in_file = reader.state<double, 1>(rates_name, {std::int64_t(states.size()), 2},
                                               StateValues::not_negative);
  std::vector<std::pair<double, double>> rates;
  std::map<const double*, std::size_t> first_of_group;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double* const own = in_file.data() + 2 * places[i];
    rates.emplace_back(own[0], own[1]);
    const std::size_t first = first_of_group.emplace(states[i].lr, i).first->second;
    if (rates[first] != rates[i])
      reader.fail(rates_name, "holds different rates for " + states[first].name + " and " +
                                  states[i].name + ", which are in one group here");
  }
  return rates;
}

void write_option(StateWriter& writer, const char* name, double value) {
  writer.add(option_entry(name), Tensor<double>::from_values({value}));
}
double read_option(StateReader& reader, const char* name) {
  return reader.state<double, 1>(option_entry(name), {1}, StateValues::finite).item();
}

void visit_adamw_options(AdamWOptions& options, const OptionVisitor& visit) {
  visit("beta1", options.beta1);
  visit("beta2", options.beta2);
  visit("eps", options.eps);
  visit_choice(visit, "decay_mode", options.decay_mode, 3);
  visit("schedule", options.schedule);
  visit("grad_scale", options.grad_scale);
  visit_choice(visit, "arithmetic", options.arithmetic, 2);
  validate(options);
}

void check_model_entries(const StateReader& reader,
                         const std::vector<std::pair<std::string, Shape>>& entries) {
  std::vector<std::string> missing;
  std::vector<std::string> foreign;
  std::vector<std::string> misshapen;
  const auto in_file = reader.names();
  const std::set<std::string> all(in_file.begin(), in_file.end());
  std::set<std::string> known;
  for (const auto& [name, shape] : entries) {
    const std::string entry = model_entry(name);
    known.insert(entry);
    if (all.count(entry) == 0) {
      missing.push_back(name);
    } else if (reader.shape(entry) != shape) {
      misshapen.push_back(name + " (" + mct::to_string(reader.shape(entry)) + " in the file, " +
                          mct::to_string(shape) + " expected)");
    }
  }
  const std::string prefix = model_prefix;
  for (const std::string& entry : in_file)
    if (entry.compare(0, prefix.size(), prefix) == 0 && known.count(entry) == 0)
      foreign.push_back(entry.substr(prefix.size()));
  std::string problem;
  add_list(problem, "missing", missing);
  add_list(problem, "foreign", foreign);
  add_list(problem, "of another shape", misshapen);
  if (!problem.empty()) reader.fail("the model does not fit: " + problem);
}

}  // namespace mct::optim_detail

// Checkpoints: a model's parameters and its optimizer's states and options in one file, under the
// names of parameters.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/optim/parameter_groups.hpp"

namespace mct::optim_detail {

/// A parameter of an optimizer: its name, its key in the optimizer's files, and its rates.
struct NamedState {
  std::string name;
  std::string key;
  double* lr;
  double* weight_decay;
};

/// The names of states in a checkpoint, and the order of their counts of updates. Throws
/// DomainError for a parameter without a name.
optim::StateNames state_names(const std::vector<NamedState>& states);
/// The metadata of a checkpoint: the description of its optimizer, and an entry that says that the
/// file is a checkpoint.
optim::StateDescription checkpoint_description(const optim::StateDescription& of_optimizer);

void write_rates(optim::StateWriter& writer, const std::vector<NamedState>& states);
void write_option(optim::StateWriter& writer, const char* name, double value);
double read_option(optim::StateReader& reader, const char* name);
/// The rates in the file, in the order of `states`. Throws IoError if parameters that share a group
/// in `states` have different rates in the file.
std::vector<std::pair<double, double>> read_rates(optim::StateReader& reader,
                                                  const std::vector<NamedState>& states);

/// Throws IoError if a parameter is missing in the file, if only the file has it, or if its shape
/// differs. The message lists all such names.
void check_model_entries(const optim::StateReader& reader,
                         const std::vector<std::pair<std::string, Shape>>& entries);
std::string model_entry(const std::string& parameter);

/// The name of a parameter; empty if it has none.
template <class T, int N>
std::string name_of(const optim::NamedParameters<T, N>& model, const Variable<T, N>& parameter) {
  for (const auto& [name, candidate] : model)
    if (candidate.node() == parameter.node()) return name;
  return {};
}

template <class T, int N>
std::vector<NamedState> named_states(const optim::NamedParameters<T, N>& model,
                                     optim::Optimizer<T, N>& optimizer) {
  std::vector<NamedState> all;
  auto& groups = optimizer.groups();
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t i = 0; i < groups[g].parameters.size(); ++i)
      all.push_back({name_of(model, groups[g].parameters[i]), optimizer.key(g, i), &groups[g].lr,
                     &groups[g].weight_decay});
  return all;
}
template <class T, class P>
std::vector<NamedState> named_states(const optim::NamedParameters<P>& model,
                                     optim::McAdamW<T, P>& optimizer) {
  std::vector<NamedState> all;
  for (const auto& variable : optimizer.variables())
    all.push_back({name_of(model, variable), std::to_string(all.size()), &optimizer.options().lr,
                   &optimizer.options().weight_decay});
  return all;
}

template <class T, int N>
void visit_options(optim::Optimizer<T, N>& optimizer, const optim::OptionVisitor& visit) {
  optimizer.visit_options(visit);
}
void visit_adamw_options(optim::AdamWOptions& options, const optim::OptionVisitor& visit);
template <class T, class P>
void visit_options(optim::McAdamW<T, P>& optimizer, const optim::OptionVisitor& visit) {
  visit_adamw_options(optimizer.options(), visit);
}

/// Keeps a copy of an optimizer's options and rates; restore() brings them back.
template <class AnyOptimizer>
class OptionsBefore {
 public:
  OptionsBefore(AnyOptimizer& optimizer, const std::vector<NamedState>& states)
      : optimizer_(optimizer), states_(states) {
    visit_options(optimizer_, [&](const char*, double& value) { values_.push_back(value); });
    for (const NamedState& state : states_) rates_.emplace_back(*state.lr, *state.weight_decay);
  }
  void restore() {
    auto next = values_.begin();
    visit_options(optimizer_, [&](const char*, double& value) { value = *next++; });
    set_rates(rates_);
  }
  void set_rates(const std::vector<std::pair<double, double>>& rates) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      *states_[i].lr = rates[i].first;
      *states_[i].weight_decay = rates[i].second;
    }
  }

 private:
  AnyOptimizer& optimizer_;
  const std::vector<NamedState>& states_;
  std::vector<double> values_;
  std::vector<std::pair<double, double>> rates_;
};

}  // namespace mct::optim_detail

namespace mct::optim {

/// Writes one safetensors file. An existing file is replaced as a whole. It holds a model's exact
/// parameters ("model.NAME"), its optimizer's exact states ("optimizer.NAME.STATE"), counts of
/// steps, the learning rate and weight decay of every parameter, and all other options
/// ("option.NAME"). `model` comes from Module::named_parameters(); `optimizer` is an Optimizer<T,
/// N> or McAdamW. Throws DomainError if the optimizer has a parameter that is not in the model.
/// Throws IoError if the file cannot be written.
template <class T, int N, class AnyOptimizer>
void save_checkpoint(const std::filesystem::path& path, const NamedParameters<T, N>& model,
                     AnyOptimizer& optimizer) {
  const auto states = optim_detail::named_states(model, optimizer);
  StateWriter writer(optim_detail::state_names(states));
  optimizer.save_to(writer);
  writer.describe(optim_detail::checkpoint_description(optimizer.description()));
  for (const auto& [name, parameter] : model)
    writer.add(optim_detail::model_entry(name), parameter.value());
  optim_detail::write_rates(writer, states);
  optim_detail::visit_options(optimizer, [&](const char* name, const double& value) {
    optim_detail::write_option(writer, name, value);
  });
  writer.save(path);
}

/// Reads a checkpoint into a model with parameters of the same names and shapes, and into an
/// optimizer of the same kind for the same parameters. The order of the parameters may differ from
/// the file. Groups may differ, too, if the parameters of each group have the same rates in the
/// file. As in PyTorch, options and rates are read from the file. Throws IoError if a parameter or
/// entry is missing, unknown, of another shape or type, or invalid; the message names it. Throws
/// DomainError as save_checkpoint does. After an error nothing has changed.
template <class T, int N, class AnyOptimizer>
void load_checkpoint(const std::filesystem::path& path, const NamedParameters<T, N>& model,
                     AnyOptimizer& optimizer) {
  const auto states = optim_detail::named_states(model, optimizer);
  StateReader reader(path, optim_detail::checkpoint_description(optimizer.description()),
                     optim_detail::state_names(states));
  std::vector<std::pair<std::string, Shape>> entries;
  for (const auto& [name, parameter] : model) {
    Shape shape = parameter.shape();
    if (N > 1) shape.insert(shape.begin(), N);
    entries.emplace_back(name, shape);
  }
  optim_detail::check_model_entries(reader, entries);
  std::vector<Tensor<T, N>> values;
  for (const auto& [name, parameter] : model)
    values.push_back(reader.template state<T, N>(optim_detail::model_entry(name), parameter.shape(),
                                                 StateValues::finite));
  const auto rates = optim_detail::read_rates(reader, states);
  optim_detail::OptionsBefore<AnyOptimizer> options(optimizer, states);
  try {
    optim_detail::visit_options(optimizer, [&](const char* name, double& value) {
      value = optim_detail::read_option(reader, name);
    });
    options.set_rates(rates);
    optimizer.load_from(reader);
  } catch (const DomainError& error) {
    options.restore();
    reader.fail(error.what());
  } catch (...) {
    options.restore();
    throw;
  }
  for (std::size_t i = 0; i < model.size(); ++i) model[i].second.value().copy_(values[i]);
}

}  // namespace mct::optim

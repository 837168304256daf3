// Makes parameter groups from the names or dimensions of parameters. For example, biases get no
// weight decay, or the last layer gets another learning rate.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mctensor/optim/optimizer.hpp"

namespace mct::optim {

/// Parameters with their names, as nn::Module::named_parameters() returns them.
template <class T, int N = 1>
using NamedParameters = std::vector<std::pair<std::string, Variable<T, N>>>;

/// The learning rate and weight decay of parameters whose names fit a pattern. * stands for any
/// text, dots included: "*.bias", "head.*", "layers.*.norm*".
struct GroupRule {
  std::string pattern;
  double lr;
  double weight_decay;
};

bool fits_pattern(std::string_view name, std::string_view pattern);

/// One group for each rule. A parameter belongs to the first rule whose pattern fits its name.
/// Parameters that fit no pattern form a further group, the first one, with lr and weight_decay. If
/// there are none, this group is left out. Throws DomainError for a rule that no parameter belongs
/// to.
template <class T, int N>
std::vector<ParameterGroup<T, N>> groups_by_name(const NamedParameters<T, N>& parameters, double lr,
                                                 double weight_decay,
                                                 const std::vector<GroupRule>& rules) {
  std::vector<ParameterGroup<T, N>> groups = {{{}, lr, weight_decay}};
  for (const GroupRule& rule : rules) groups.push_back({{}, rule.lr, rule.weight_decay});
  for (const auto& [name, parameter] : parameters) {
    std::size_t k = 0;
    while (k < rules.size() && !fits_pattern(name, rules[k].pattern)) ++k;
    groups[k < rules.size() ? k + 1 : 0].parameters.push_back(parameter);
  }
  for (std::size_t k = 0; k < rules.size(); ++k)
    if (groups[k + 1].parameters.empty())
      throw DomainError("groups_by_name: the pattern '" + rules[k].pattern +
                        "' fits no parameter that an earlier pattern has not taken");
  if (groups[0].parameters.empty()) groups.erase(groups.begin());
  return groups;
}

/// Two groups. The first has the parameters of two and more dimensions, with weight decay. The
/// second has vectors and single numbers, such as biases and the weights of norms, without weight
/// decay. Empty groups are left out.
template <class T, int N>
std::vector<ParameterGroup<T, N>> groups_by_dimension(const NamedParameters<T, N>& parameters,
                                                      double lr, double weight_decay) {
  std::vector<ParameterGroup<T, N>> groups = {{{}, lr, weight_decay}, {{}, lr, 0}};
  for (const auto& [name, parameter] : parameters)
    groups[parameter.shape().size() >= 2 ? 0 : 1].parameters.push_back(parameter);
  std::erase_if(groups, [](const auto& group) { return group.parameters.empty(); });
  return groups;
}

}  // namespace mct::optim

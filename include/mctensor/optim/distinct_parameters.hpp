// A check that an optimizer gets each variable only once.
#pragma once

#include <vector>

namespace mct::optim_detail {

/// Throws DomainError, which begins with `owner`, if a node is in the list twice, because each step
/// would update its variable twice. `nodes` are the nodes of an optimizer's parameters, group after
/// group.
void require_distinct(const char* owner, const std::vector<const void*>& nodes);

/// The same for variables.
template <class AnyVariable>
void require_distinct(const char* owner, const std::vector<AnyVariable>& variables) {
  std::vector<const void*> nodes;
  nodes.reserve(variables.size());
  for (const AnyVariable& variable : variables) nodes.push_back(variable.node().get());
  require_distinct(owner, nodes);
}

}  // namespace mct::optim_detail

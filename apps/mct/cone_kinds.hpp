// The kinds of cones, as options name them.
#pragma once

#include <map>
#include <string>

#include "mctensor/embed/cone_evaluation.hpp"

namespace mct::cli {

inline std::map<std::string, embed::ConeKind> cone_kinds() {
  std::map<std::string, embed::ConeKind> kinds;
  for (const auto kind :
       {embed::ConeKind::umbral, embed::ConeKind::penumbral, embed::ConeKind::entailment})
    kinds.emplace(name_of(kind), kind);
  return kinds;
}

}  // namespace mct::cli

#include "apps/mct/node_named.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "apps/mct/spelling.hpp"
#include "mctensor/error.hpp"

namespace mct::cli {

std::int32_t node_named(const embed::Embedding& embedding, const std::string& name) {
  const std::int32_t node = embedding.find(name);
  if (node >= 0) return node;
  constexpr std::size_t shown = 5;
  std::vector<std::string_view> names;
  std::vector<std::int32_t> longer;  // "dog.n.01" for "dog"
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    names.push_back(embedding.name(std::int32_t(i)));
    if (names.back().starts_with(name + '.')) longer.push_back(std::int32_t(i));
  }
  if (longer.size() == 1) return longer[0];
  std::string alike;
  for (const std::string_view other : similar_names(names, name, shown))
    alike += fmt::format("{}'{}'", alike.empty() ? "" : ", ", other);
  throw DomainError(
      fmt::format("there is no node '{}'; the most similar names are {}", name, alike));
}

}  // namespace mct::cli

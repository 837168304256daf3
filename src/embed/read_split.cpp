// Splits that others have made, in files.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/closure.hpp"
#include "mctensor/embed/read_graph.hpp"
#include "mctensor/embed/split.hpp"
#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const fs::path& prefix, const std::string& ending) {
  return prefix.string() + "." + ending;
}
std::string training_ending(double percent) { return "train_" + number_text(percent) + "percent"; }

Graph read_edges(const fs::path& file) {
  EdgeListOptions options;
  options.parent_first = true;
  return read_graph(file, options);
}

/// The edges of `closure` that a file names. Throws IoError for others.
Graph part_of(const Graph& closure, const fs::path& file) {
  const Graph named = read_edges(file);
  std::vector<std::pair<std::int32_t, std::int32_t>> wanted;
  wanted.reserve(named.edge_count());
  for (std::size_t e = 0; e < named.edge_count(); ++e)
    wanted.emplace_back(closure.find(named.name(named.sources()[e])),
                        closure.find(named.name(named.targets()[e])));
  std::sort(wanted.begin(), wanted.end());
  std::vector<std::uint8_t> keep(closure.edge_count());
  std::size_t found = 0;
  for (std::size_t e = 0; e < keep.size(); ++e) {
    const std::pair edge(closure.sources()[e], closure.targets()[e]);
    keep[e] = std::binary_search(wanted.begin(), wanted.end(), edge) ? 1 : 0;
    found += keep[e];
  }
  if (found != wanted.size())
    throw IoError(file.string() + ": " + std::to_string(wanted.size() - found) +
                  " edges that do not follow from the basic ones");
  return edges_where(closure, keep);
}

}  // namespace

Graph read_split_closure(const fs::path& prefix) {
  return transitive_closure(read_edges(file_of(prefix, training_ending(0))));
}

EdgeSplit read_split(const fs::path& prefix, double percent, const Graph& closure) {
  return {part_of(closure, file_of(prefix, training_ending(percent))),
          part_of(closure, file_of(prefix, "valid")), part_of(closure, file_of(prefix, "test"))};
}

}  // namespace mct::embed

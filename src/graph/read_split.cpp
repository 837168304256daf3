// Splits in files, as papers publish them.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "mctensor/graph/split.hpp"

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

/// The edges of a closure by their ends.
class ClosureEdges {
 public:
  explicit ClosureEdges(const Graph& closure) : closure_(closure) {
    for (std::size_t e = 0; e < closure.edge_count(); ++e)
      number_of_.emplace(std::pair(closure.sources()[e], closure.targets()[e]), e);
  }

  /// The edges that a file names. Throws IoError for edges that the closure does not have.
  Graph part(const fs::path& file) const {
    const Graph named = read_edges(file);
    std::vector<std::uint8_t> keep(closure_.edge_count());
    for (std::size_t e = 0; e < named.edge_count(); ++e) {
      const std::string_view descendant = named.name(named.sources()[e]);
      const std::string_view ancestor = named.name(named.targets()[e]);
      const auto at = number_of_.find({closure_.find(descendant), closure_.find(ancestor)});
      if (at == number_of_.end())
        throw IoError(file.string() + ": the edge from '" + std::string(ancestor) + "' to '" +
                      std::string(descendant) + "' does not follow from the basic ones");
      keep[at->second] = 1;
    }
    return edges_where(closure_, keep);
  }

 private:
  const Graph& closure_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> number_of_;
};

}  // namespace

Graph read_split_closure(const fs::path& prefix) {
  return transitive_closure(read_edges(file_of(prefix, training_ending(0))));
}

EdgeSplit read_split(const fs::path& prefix, double percent, const Graph& closure) {
  const ClosureEdges edges(closure);
  return {edges.part(file_of(prefix, training_ending(percent))),
          edges.part(file_of(prefix, "valid")), edges.part(file_of(prefix, "test"))};
}

}  // namespace mct::embed

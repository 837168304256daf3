// Graphs whose nodes have features and labels.
#include "apps/mct/train/node_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace {

namespace fs = std::filesystem;

/// All texts NAME for which the folder has a file prefix + NAME + suffix.
std::set<std::string> names_in(const fs::path& folder, const std::string& prefix,
                               const std::string& suffix) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.size() > prefix.size() + suffix.size() && file.starts_with(prefix) &&
        file.ends_with(suffix))
      names.insert(file.substr(prefix.size(), file.size() - prefix.size() - suffix.size()));
  }
  return names;
}

/// Sorts the edges and keeps each pair once with the smaller number first. Loops are removed and
/// counted.
void tidy_edges(NodeGraph& graph) {
  graph.left_out += std::int64_t(
      std::erase_if(graph.edges, [](const auto& edge) { return edge.first == edge.second; }));
  for (auto& [a, b] : graph.edges)
    if (a > b) std::swap(a, b);
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
}

/// A format of files: the text around NAME in the file's name, and the reader.
struct Form {
  const char* before;
  const char* behind;
  NodeGraph (*read)(const fs::path& folder, const std::string& name);
};
constexpr Form forms[] = {{"ind.", ".graph", read_planetoid},
                          {"", ".content", read_citations},
                          {"", ".edges.csv", read_hgcn},
                          {"", ".p", read_airport}};

/// The only graph of a folder, or the graph to which the file `wanted` (if any) belongs.
NodeGraph read_folder(const fs::path& folder, const std::string& wanted) {
  std::string found;
  std::size_t count = 0;
  NodeGraph (*read)(const fs::path&, const std::string&) = nullptr;
  std::string only;
  for (const Form& form : forms)
    for (const std::string& name : names_in(folder, form.before, form.behind)) {
      found += (count == 0 ? "" : ", ") + fmt::format("{}{}{}", form.before, name, form.behind);
      const std::string prefix = form.before + name + ".";
      if (!wanted.empty() && !wanted.starts_with(prefix)) continue;
      ++count;
      read = form.read;
      only = name;
    }
  if (count != 1)
    throw IoError(fmt::format(
        "'{}' has {} graphs ({}): one is wanted, or the path of one of its files, which are "
        "ind.NAME.graph ..., NAME.content and NAME.cites, NAME.edges.csv and NAME.labels.npy, or "
        "NAME.p",
        (folder / wanted).string(), count, found));
  NodeGraph graph = read(folder, only);
  graph.name = only;
  return graph;
}

}  // namespace

NodeGraph read_node_graph(const fs::path& path) {
  const std::string file = path.filename().string();
  std::error_code error;
  const bool is_file = fs::is_regular_file(path, error);
  if (is_file && !file.ends_with(".edges.csv") &&
      (file.ends_with(".csv") || file.ends_with(".csv.gz")))
    return read_texts(path);
  if (!is_file && !fs::is_directory(path, error))
    throw IoError(
        fmt::format("'{}' is neither a folder nor a file that can be read", path.string()));
  NodeGraph graph =
      is_file ? read_folder(path.parent_path().empty() ? fs::path(".") : path.parent_path(), file)
              : read_folder(path, "");
  tidy_edges(graph);
  return graph;
}

SparseMatrix normalized_adjacency(const NeighbourList& edges, std::int64_t nodes) {
  std::vector<std::vector<std::int64_t>> neighbours{std::size_t(nodes)};
  for (std::int64_t v = 0; v < nodes; ++v) neighbours[std::size_t(v)].push_back(v);
  for (const auto& [a, b] : edges) {
    neighbours[std::size_t(a)].push_back(b);
    neighbours[std::size_t(b)].push_back(a);
  }
  const auto root_degree = [&](std::int64_t v) {
    return std::sqrt(double(neighbours[std::size_t(v)].size()));
  };
  SparseMatrix result;
  result.columns = nodes;
  for (std::int64_t a = 0; a < nodes; ++a) {
    for (const std::int64_t b : neighbours[std::size_t(a)])
      result.add(b, 1 / (root_degree(a) * root_degree(b)));
    result.end_row();
  }
  return result;
}

}  // namespace mct::cli::train

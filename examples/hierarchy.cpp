// A list of edges, its faults, and all ancestors of a node.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mctensor/mctensor.hpp>
#include <string>

int main() {
  using namespace mct::embed;
  const auto path = std::filesystem::temp_directory_path() / "mctensor_example_hierarchy.csv";
  std::ofstream(path) << "child,parent\n"
                         "dog,canine\n"
                         "\"fox, red\",canine\n"
                         "canine,mammal\n"
                         "dog,canine\n"  // there already
                         "cat,cat\n";    // its own parent
  EdgeListReport report;
  const Graph graph = read_graph(path, {}, &report);
  std::filesystem::remove(path);
  std::printf("%zu nodes, %zu edges; left out: %d twice, %d to themselves\n", graph.node_count(),
              graph.edge_count(), int(report.duplicates), int(report.self_loops));

  const Graph closure = transitive_closure(graph);
  const Adjacency above = successors(closure);
  const std::int32_t fox = closure.find("fox, red");
  for (const std::int32_t ancestor : above[fox])
    std::printf("above the fox: %s\n", std::string(closure.name(ancestor)).c_str());

  const GraphStatistics s = statistics(graph);
  std::printf("depth %d, %zu components, cycles %zu\n", s.depth.value_or(-1), s.components,
              s.cycles.components);
  return above[fox].size() == 2 && closure.edge_count() == 5 && report.duplicates == 1 ? 0 : 1;
}

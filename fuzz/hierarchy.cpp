// Ontologies in OBO and NCBI's taxonomy.
#include <string_view>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/read_hierarchy.hpp"

namespace mct::fuzz {
namespace {

using embed::Graph;
using embed::HierarchyOptions;
using embed::HierarchyReport;

bool same(const Graph& a, const Graph& b) {
  if (a.edge_count() != b.edge_count() || a.node_count() != b.node_count()) return false;
  for (std::size_t i = 0; i < a.edge_count(); ++i)
    if (a.name(a.sources()[i]) != b.name(b.sources()[i]) ||
        a.name(a.targets()[i]) != b.name(b.targets()[i]))
      return false;
  return true;
}

void check(const std::filesystem::path& path, const HierarchyOptions& options) {
  try {
    HierarchyReport report;
    const Graph graph = embed::read_hierarchy(path, options, &report);
    require(report.edges == graph.edge_count() + report.duplicates + report.self_loops,
            "every edge is there, or counted");
    const auto again = as_file("again.tsv", nullptr, 0);
    write_graph(again, graph);
    require(same(embed::read_graph(again), graph), "a graph survives being written and read");
  } catch (const IoError&) {
    return;
  }
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  const SeedWriter write{directory};
  write("terms",
        "format-version: 1.2\n\n[Term]\nid: A:1\nname: all\n\n[Term]\nid: A:2\nname: a\\, "
        "b {x=\"y\"}\nis_a: A:1 {p=\"q\"} ! all\nrelationship: part_of A:3 ! part\n\n[Term]\n"
        "id: A:3\nname: part\nis_a: A:1\nis_a: B:1\n\n[Term]\nid: A:4\nis_obsolete: true\n\n"
        "[Typedef]\nid: part_of\n");
  write("same_names", "[Term]\nid: 1\nname: a\n[Term]\nid: 2\nname: a\nis_a: 1\n");
  write("escapes", "[Term]\nid: 1\nname: a\\Wb\\n\\\\\nis_a: 1\nis_a: 2 !\n[Term]\nid: 1\\\n");
  write("taxa",
        "1\t|\t1\t|\tno rank\t|\t\t|\n2\t|\t1\t|\tgenus\t|\t\t|\n3\t|\t2\t|\tspecies\t|\t\t|\n"
        "names\n"
        "1\t|\troot\t|\t\t|\tscientific name\t|\n2\t|\tCanis\t|\t\t|\tscientific name\t|\n"
        "3\t|\twolf\t|\t\t|\tcommon name\t|\n3\t|\tlupus\t|\tC. lupus\t|\tscientific name\t|\n");
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct;  // NOLINT(google-build-using-namespace)
  embed::HierarchyOptions options;
  options.format = embed::HierarchyFormat::obo;
  const auto path = fuzz::as_file("file", data, size);
  fuzz::check(path, options);
  options.obo = {.ids = true, .relationships = {"part_of"}};
  fuzz::check(path, options);
  options = {};
  fuzz::check(path, options);  // whatever it is
  // the names of taxa stand after a line "names"
  constexpr std::string_view mark = "\nnames\n";
  const std::size_t at = fuzz::as_text(data, size).find(mark);
  if (at == std::string_view::npos) return 0;
  const auto nodes = fuzz::as_file("nodes.dmp", data, at + 1);
  options.taxon_names =
      fuzz::as_file("names.dmp", data + at + mark.size(), size - at - mark.size());
  fuzz::check(nodes, options);
  return 0;
}

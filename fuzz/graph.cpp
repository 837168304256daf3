// Graphs from edge lists, plain and compressed, and from WordNet's verbs.
#include "mctensor/graph/graph.hpp"

#include <string>
#include <string_view>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/components.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "mctensor/graph/wordnet.hpp"

namespace mct::fuzz {
namespace {

using embed::Graph;

/// More would take long for what it tells.
constexpr std::uint64_t most_closure_edges = 100000;

bool same(const Graph& a, const Graph& b) {
  if (a.edge_count() != b.edge_count() || a.node_count() != b.node_count()) return false;
  for (std::size_t i = 0; i < a.edge_count(); ++i)
    if (a.name(a.sources()[i]) != b.name(b.sources()[i]) ||
        a.name(a.targets()[i]) != b.name(b.targets()[i]) || a.weight(i) != b.weight(i))
      return false;
  return true;
}

void check_written(const Graph& graph, const std::filesystem::path& path) {
  write_graph(path, graph);
  require(same(embed::read_graph(path), graph), "a graph survives being written and read");
}

void check_parts(const Graph& graph) {
  try {
    const auto basic = embed::basic_edges(graph);
    const Graph closure = embed::transitive_closure(graph, most_closure_edges);
    const Graph reduced = embed::edges_where(graph, basic);
    require(same(embed::transitive_closure(reduced), closure), "basic edges have the same closure");
  } catch (const DomainError&) {
    return;  // cycles, or a large closure
  }
}

void check_options(const std::filesystem::path& path, const embed::EdgeListOptions& options) {
  try {
    embed::EdgeListReport report;
    const Graph graph = embed::read_graph(path, options, &report);
    require(report.edges == graph.edge_count() + report.duplicates + report.self_loops,
            "every edge is there, or counted");
    check_written(graph, as_file("again.tsv", nullptr, 0));
    check_parts(graph);
  } catch (const IoError&) {
    return;
  }
}

void check_verbs(const std::uint8_t* data, std::size_t size) {
  // the index stands after a line "index"
  const std::string_view text = as_text(data, size);
  constexpr std::string_view mark = "\nindex\n";
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return;
  const auto path = as_file("data.verb", data, at + 1);
  as_file("index.verb", data + at + mark.size(), size - at - mark.size());
  try {
    const Graph verbs = embed::read_wordnet(path.parent_path(), embed::WordnetSubset::verbs);
    require(embed::find_cycles(verbs).components == 0, "a closure has no cycles");
  } catch (const IoError&) {
    return;
  }
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  const SeedWriter write{directory};
  write("tabs",
        "# a comment\nid1\tid2\tweight\ndog\tanimal\t1\ncat\tanimal\t0.5\nalone\talone\t1\n");
  write("quotes",
        "\xEF\xBB\xBF\"a, b\",\"say \"\"c\"\"\"\r\nd,\"a, b\"\r\nd,\"say \"\"c\"\"\"\r\n");
  write("semicolons", "child;parent;weight\n\"a;\";b;0,5\nb;c;1\nc;\"|\";2\n");
  write("bars", "% a comment\n2\t|\t1\t|\n3\t|\t1\t|\n");
  write("two_ways", "a;b,c\nd;e,f\n");
  write("blanks", "a b\n a  b \nb c\nc a\n");
  write("bad_bytes", "caf\xE9 b\na\x01 b\n");
  write("verbs",
        "  1 the licence\n"
        "00000010 29 v 01 breathe 0 000 01 + 02 00 | air\n"
        "00000020 29 v 02 Choke 0 gag 1 001 @ 00000010 v 0000 01 + 02 00 | none\n"
        "index\n"
        "breathe v 1 0 1 1 00000010\n"
        "choke v 1 1 @ 1 1 00000020\n");
  try {
    write_graph(directory / "packed.gz", embed::read_graph(directory / "quotes"));
  } catch (const IoError&) {
    return;  // a library without zlib
  }
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct;  // NOLINT(google-build-using-namespace)
  const auto path = fuzz::as_file("edges", data, size);
  fuzz::check_options(path, {});
  embed::EdgeListOptions other;
  other.separator = embed::Separator::comma;
  other.header = embed::Header::none;
  other.parent_first = true;
  other.comments = false;
  fuzz::check_options(path, other);
  other.separator = embed::Separator::bar;
  other.quotes = false;
  fuzz::check_options(path, other);
  fuzz::check_verbs(data, size);
  return 0;
}

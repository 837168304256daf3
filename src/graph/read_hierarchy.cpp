#include "mctensor/graph/read_hierarchy.hpp"

#include <string_view>

#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "src/graph/columns.hpp"
#include "src/graph/foreign_forms.hpp"

namespace mct::embed {
namespace {

HierarchyFormat format_of(const std::filesystem::path& path) {
  std::filesystem::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  if (name.extension() == ".obo") return HierarchyFormat::obo;
  if (name == "nodes.dmp") return HierarchyFormat::ncbi;
  TextLines lines(path);
  std::string_view line;
  while (lines.next(line)) {
    if (trimmed(line).empty()) continue;
    if (begins_obo(line)) return HierarchyFormat::obo;
    if (is_taxonomy_line(line)) return HierarchyFormat::ncbi;
    break;
  }
  return HierarchyFormat::edge_list;
}

/// Throws DomainError for options that a format does not use.
void check_options(const std::filesystem::path& path, const HierarchyOptions& options,
                   HierarchyFormat format) {
  const auto refuse = [&](bool given, const char* what, const char* form) {
    if (given)
      throw DomainError("'" + path.string() + "': only " + form + " has " + what +
                        "; say what the file is (format, --format)");
  };
  const bool list = format == HierarchyFormat::edge_list;
  refuse(!list && options.edges.separator != Separator::automatic, "a separator", "an edge list");
  refuse(!list && options.edges.header != Header::automatic, "a header", "an edge list");
  refuse(!list && options.edges.parent_first, "parents in front", "an edge list");
  refuse(!list && !(options.edges.comments && options.edges.comment_mark.empty()),
         "a choice of comments", "an edge list");
  refuse(!list && !options.edges.quotes, "a choice of quotes", "an edge list");
  const bool obo = format == HierarchyFormat::obo;
  refuse(!obo && options.obo.ids, "ids beside names", "an ontology in OBO");
  refuse(!obo && !options.obo.relationships.empty(), "relationships", "an ontology in OBO");
  refuse(format != HierarchyFormat::ncbi && !options.taxon_names.empty(), "names in another file",
         "NCBI's nodes.dmp");
}

}  // namespace

Graph read_hierarchy(const std::filesystem::path& path, const HierarchyOptions& options,
                     HierarchyReport* report) {
  const HierarchyFormat format =
      options.format == HierarchyFormat::automatic ? format_of(path) : options.format;
  check_options(path, options, format);
  HierarchyReport ours;
  HierarchyReport& found = report == nullptr ? ours : *report;
  found = {};
  found.format = format;
  if (format == HierarchyFormat::obo) return read_obo(path, options.obo, &found);
  if (format == HierarchyFormat::ncbi) return read_ncbi_taxonomy(path, options.taxon_names, &found);
  return read_graph(path, options.edges, &found);
}

}  // namespace mct::embed

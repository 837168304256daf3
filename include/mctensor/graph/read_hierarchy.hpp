// Reads hierarchies from files in the formats in which other projects publish them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mctensor/graph/read_graph.hpp"

namespace mct::embed {

/// The format of a file.
enum class HierarchyFormat {
  automatic,  ///< found by the rule of read_hierarchy
  edge_list,
  obo,   ///< an ontology (http://owlcollab.github.io/oboformat/doc/obo-syntax.html)
  ncbi,  ///< nodes.dmp of NCBI's taxonomy (taxdump.tar.gz)
};
inline constexpr Names<HierarchyFormat, 4> hierarchy_format_names{
    {{HierarchyFormat::automatic, "auto"},
     {HierarchyFormat::edge_list, "edges"},
     {HierarchyFormat::obo, "obo"},
     {HierarchyFormat::ncbi, "ncbi"}}};

struct OboOptions {
  /// True: the name of a node is the id of its term (GO:0008150). False: it is the name of the term
  /// (biological_process).
  bool ids = false;
  /// Relationships that become edges, such as part_of. is_a always becomes an edge.
  std::vector<std::string> relationships = {};
};

struct HierarchyOptions {
  HierarchyFormat format = HierarchyFormat::automatic;
  /// Options of edge lists.
  EdgeListOptions edges = {};
  OboOptions obo = {};
  /// The path of NCBI's names.dmp, or "". With this file nodes have scientific names, without it
  /// numbers.
  std::filesystem::path taxon_names = {};
};

/// What the reader found in a file, and the format of the file. The inherited members header,
/// separator and comments are used for edge lists only.
struct HierarchyReport : EdgeListReport {
  HierarchyFormat format = HierarchyFormat::automatic;
  std::uint64_t obsolete = 0;   ///< obsolete terms of OBO, which are not in the graph
  std::uint64_t undefined = 0;  ///< targets of OBO's edges that no term defines; each is a node
};

/// The terms of an ontology and its edges "is_a", which lead from the special to the general term.
/// Obsolete terms are left out. A term without edges is a node. Comments (" ! ...") and qualifiers
/// ("{...}") do not belong to a value; escapes ("\:") are decoded. An edge may lead to a term that
/// the file does not define, such as a term of another ontology. The node of such a term has the id
/// as its name.
///
/// Throws IoError with file, line and value if there are no terms or no edges, and for: a line of a
/// term without "tag: value", a term without an id, two terms with one id, two terms with one name
/// (unless `ids` is set), a value that continues in the next line, and names that read_graph
/// refuses.
Graph read_obo(const std::filesystem::path& path, const OboOptions& options = {},
               HierarchyReport* report = nullptr);

/// The taxa of NCBI's nodes.dmp, each with an edge to its parent. With names.dmp the nodes have
/// scientific names. If several taxa have the same scientific name, their nodes have the unique
/// names of names.dmp.
///
/// Throws IoError with file, line and value if there are no edges, and for: a line without a
/// taxon's number, its parent's number and a rank, a line of names.dmp without its four fields, a
/// taxon without a scientific name, two taxa with one name, and names that read_graph refuses.
Graph read_ncbi_taxonomy(const std::filesystem::path& nodes,
                         const std::filesystem::path& names = {},
                         HierarchyReport* report = nullptr);

/// Reads a file in any of these formats. With `automatic` the name and the first line that is not
/// empty decide. A file is OBO if its name ends in .obo or .obo.gz, or if that line is
/// "format-version: ..." or "[Term]". A file is NCBI's if its name is nodes.dmp or nodes.dmp.gz, or
/// if that line has more than three fields: "\t|\t" separates them, and the line ends in "\t|". All
/// other files are edge lists. Throws DomainError for options that the format does not use, and
/// IoError as the reader of that format does.
Graph read_hierarchy(const std::filesystem::path& path, const HierarchyOptions& options = {},
                     HierarchyReport* report = nullptr);

}  // namespace mct::embed

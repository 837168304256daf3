// Hierarchies in the forms in which others have them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mctensor/graph/read_graph.hpp"

namespace mct::embed {

/// What a file is.
enum class HierarchyFormat {
  automatic,  ///< read_hierarchy has the rule
  edge_list,
  obo,   ///< an ontology, as http://owlcollab.github.io/oboformat/doc/obo-syntax.html says
  ncbi,  ///< nodes.dmp of NCBI's taxonomy (taxdump.tar.gz)
};
inline constexpr Names<HierarchyFormat, 4> hierarchy_format_names{
    {{HierarchyFormat::automatic, "auto"},
     {HierarchyFormat::edge_list, "edges"},
     {HierarchyFormat::obo, "obo"},
     {HierarchyFormat::ncbi, "ncbi"}}};

struct OboOptions {
  /// Nodes are called by the ids of terms (GO:0008150), not by their names (biological_process).
  bool ids = false;
  /// Relationships that are edges, such as part_of; is_a always is one.
  std::vector<std::string> relationships = {};
};

struct HierarchyOptions {
  HierarchyFormat format = HierarchyFormat::automatic;
  /// Of edge lists.
  EdgeListOptions edges = {};
  OboOptions obo = {};
  /// NCBI's names.dmp: nodes are called by scientific names, not by numbers. "": none.
  std::filesystem::path taxon_names = {};
};

/// What was found in a file, and what it was taken for. Header, separator and comments are those of
/// an edge list.
struct HierarchyReport : EdgeListReport {
  HierarchyFormat format = HierarchyFormat::automatic;
  std::uint64_t obsolete = 0;  ///< terms of OBO; left out, with the edges to them
  std::uint64_t undefined =
      0;  ///< ids of OBO that edges lead to and no term has; nodes of that name
};

/// The terms of an ontology and their edges "is_a", from the special to the general. Obsolete terms
/// are left out. A term without edges is a node. Comments (" ! ...") and qualifiers ("{...}") of a
/// value are no part of it; escapes ("\:") are understood. What edges lead to and the file does not
/// define, such as a term of another ontology, is called by its id.
///
/// Throws IoError, naming file, line and value, for: no terms, a term without an id, an id that is
/// there twice, two terms of one name (unless they are called by ids), a value without its end, and
/// names that read_graph refuses.
Graph read_obo(const std::filesystem::path& path, const OboOptions& options = {},
               HierarchyReport* report = nullptr);

/// The taxa of NCBI's nodes.dmp, each with an edge to its parent. With names.dmp they are called by
/// scientific names, and where two taxa share one by the unique name that stands beside it.
///
/// Throws IoError, naming file, line and value, for: a line that has not numbers of a taxon and its
/// parent and a rank, a taxon without a scientific name, two taxa of one name, and names that
/// read_graph refuses.
Graph read_ncbi_taxonomy(const std::filesystem::path& nodes,
                         const std::filesystem::path& names = {},
                         HierarchyReport* report = nullptr);

/// Reads a file in any of these forms. Automatic: a file whose name ends in .obo or .obo.gz, or
/// whose first line is "format-version: ..." or "[Term]", is OBO; one that is called nodes.dmp, or
/// whose first line has more than three fields with NCBI's bar between tabs behind each, is NCBI's;
/// others are edge lists. Throws DomainError for options that the form has no use for, IoError as
/// the reader of that form does.
Graph read_hierarchy(const std::filesystem::path& path, const HierarchyOptions& options = {},
                     HierarchyReport* report = nullptr);

}  // namespace mct::embed

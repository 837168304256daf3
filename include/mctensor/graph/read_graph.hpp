// Reads graphs from edge lists.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "mctensor/base/names.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// The separator between the columns of an edge list.
enum class Separator {
  automatic,  ///< the separator that fits the first lines; read_graph states the rule
  tab,
  comma,
  semicolon,  ///< a weight may have a decimal comma
  bar,    ///< "|" with any blanks and tabs around it; a bar at the end of a line begins no column
  blank,  ///< any number of blanks and tabs
};
inline constexpr Names<Separator, 6> separator_names{{{Separator::automatic, "auto"},
                                                      {Separator::tab, "tab"},
                                                      {Separator::comma, "comma"},
                                                      {Separator::semicolon, "semicolon"},
                                                      {Separator::bar, "bar"},
                                                      {Separator::blank, "blank"}}};
/// The name of a separator in messages: "tabs", "commas" ...
std::string_view name_of(Separator separator);

/// Whether the first line has names of columns instead of an edge.
enum class Header {
  /// The first line is a header if both names are usual names of columns, or if its third column
  /// does not begin like a number.
  automatic,
  present,
  none,
};
inline constexpr Names<Header, 3> header_names{
    {{Header::automatic, "auto"}, {Header::present, "yes"}, {Header::none, "no"}}};

struct EdgeListOptions {
  Separator separator = Separator::automatic;
  Header header = Header::automatic;
  /// Lines are "parent child": edges lead from the second column to the first.
  bool parent_first = false;
  /// Whether lines that begin with a mark are comments.
  bool comments = true;
  /// The mark of comments. "" stands for #. In a file that begins with % or //, "" stands for that
  /// mark, too.
  std::string comment_mark = {};
  /// Whether a column that begins with " ends at the next single ", as RFC 4180 says. Within such a
  /// column "" means one quote.
  bool quotes = true;
  /// Called from time to time with the number of bytes that have been read, and the size of the
  /// file in bytes.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// What read_graph found in a file, and the format in which it read the file.
struct EdgeListReport {
  std::uint64_t lines = 0;
  std::uint64_t comments = 0;    ///< lines that begin with a mark
  std::uint64_t edges = 0;       ///< lines with an edge, including the next two counts
  std::uint64_t duplicates = 0;  ///< edges that repeat an earlier edge; left out
  std::uint64_t self_loops = 0;  ///< edges from a node to itself; left out
  bool header = false;
  Separator separator = Separator::automatic;  ///< the separator that was used
};

/// Reads an edge list. A line has two names, a child and its parent (or ancestor), and may have a
/// third column, a weight >= 0. All lines must have the same number of columns. Nodes are numbered
/// in the order in which their names appear. Edges keep the order of the file.
///
/// The file may be compressed by gzip; its content shows this. It may begin with a byte order mark
/// of UTF-8, and its lines may end with CR LF. Empty lines do not count. Blanks around a name do
/// not belong to it. If an edge is listed several times, its first line counts, with its weight. An
/// edge from a node to itself is left out, but its node is kept: "name<TAB>name" lists a node
/// without edges.
///
/// The first 1000 lines (at most 256 KiB) decide which separator `automatic` takes. A separator
/// fits if all these lines have 2 columns, or all have 3 and the third column begins like a number
/// (except in a header). `automatic` takes the first separator of this list that fits: a bar
/// between tabs, a tab, a semicolon, a comma, blanks. Two kinds of files are refused as ambiguous.
/// In the first kind, both a semicolon and a comma fit, and not every comma is the decimal comma of
/// a weight. In the second kind, a comma fits that may also be the decimal comma of a weight
/// between blanks. If no separator fits, `automatic` takes the separator of the first line, and the
/// error names the line that does not fit.
///
/// Usual names of columns are a name of a child (child, descendant, hyponym, subclass, narrower,
/// term, taxon, tax, node, name, usage, id) and a name of a parent (parent, ancestor, hypernym,
/// superclass, broader, or parent followed by a child's name, such as parent_term). Each name may
/// be followed by id or name. Other usual names are the pairs id1 id2, source target, from to,
/// FromNodeId ToNodeId, src dst, head tail, node1 node2. Capitals, blanks and the characters _ - .
/// in names do not matter. A header with the parent in front of the child is refused unless
/// parent_first is set. A header with the child in front is refused if parent_first is set.
///
/// Throws IoError, with file, line and value, for a line that
/// - has another number of columns or a NUL byte;
/// - has a quote that does not end in the line, or text between a quote and the next separator;
/// - has an empty name, or a name with control characters or not in UTF-8;
/// - has a weight that is not finite and >= 0;
/// - is longer than 1 MiB (such a line is never read whole).
/// Throws IoError for a file that
/// - has no edges, or more than 2^31 - 1 nodes or 2^32 - 1 edges;
/// - is compressed and damaged, cut off or not by gzip;
/// - is in another known format (the message has the way to read it).
Graph read_graph(const std::filesystem::path& path, const EdgeListOptions& options = {},
                 EdgeListReport* report = nullptr);

/// The graph that read_graph makes from lines, here from columns in memory: edge i has the columns
/// first[i], second[i] and, if there are weights, weights[i]. In the report only edges, duplicates
/// and self_loops are set. Throws ShapeError for columns of different lengths. Throws DomainError
/// for a name that read_graph refuses, and for a weight that is not finite and >= 0; the message
/// has the number of the edge (counted from 0) and the value.
Graph graph_of_edges(std::span<const std::string> first, std::span<const std::string> second,
                     std::span<const double> weights = {}, bool parent_first = false,
                     EdgeListReport* report = nullptr);

/// The error message if the names of columns contradict parent_first, because every edge would then
/// be reversed; else "".
std::string problem_of_header(std::string_view first, std::string_view second, bool parent_first);

}  // namespace mct::embed

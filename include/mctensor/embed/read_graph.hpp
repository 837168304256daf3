// Graphs from edge lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "mctensor/embed/graph.hpp"

namespace mct::embed {

/// What stands between the columns of an edge list.
enum class Separator {
  automatic,  ///< of the first line that has an edge: a tab if it has one, else a comma, else
              ///< blanks
  tab,
  comma,  ///< CSV as in RFC 4180: a column may stand in quotes, "" within them is one quote
  blank,  ///< any number of blanks and tabs
};

/// Whether the first line has names of columns instead of an edge.
enum class Header {
  automatic,  ///< if its third column is no number, or both others are usual names of columns
  present,
  none,
};

struct EdgeListOptions {
  Separator separator = Separator::automatic;
  Header header = Header::automatic;
  /// Lines are "parent child": edges lead from the second column to the first.
  bool parent_first = false;
  /// Lines that begin with # do not count.
  bool comments = true;
  /// Called from time to time: so many bytes of the file have been read, of how many.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// What read_graph found in a file.
struct EdgeListReport {
  std::uint64_t lines = 0;
  std::uint64_t edges = 0;       ///< lines with an edge, all that follow included
  std::uint64_t duplicates = 0;  ///< edges that were there before; left out
  std::uint64_t self_loops = 0;  ///< edges from a node to itself; left out
  bool header = false;
  Separator separator = Separator::automatic;  ///< the one that was used
};

/// Reads an edge list: a line has two names, a child and its parent (or ancestor), and may have a
/// weight, a number >= 0; all lines must have the same number of columns. Nodes are numbered in the
/// order in which their names appear, edges keep the order of the file.
///
/// The file may be compressed by gzip, which is recognized by its content, may have a byte order
/// mark of UTF-8, and lines that end with CR LF; empty lines do not count. Blanks around a name are
/// no part of it. Of an edge that is there several times the first one counts, with its weight. An
/// edge from a node to itself is left out, but its node is there: "name<TAB>name" is how a list has
/// a node without edges.
///
/// A usual name of a column is, in any case: id1 id2, source target, from to, src dst, child
/// parent, descendant ancestor, hyponym hypernym, head tail, node1 node2. A header with the parent
/// in front of the child is refused unless parent_first is set, and one with the child in front if
/// it is.
///
/// Throws IoError, naming file, line and value, for: another number of columns, a quote that does
/// not end in its line, an empty name, one with control characters or not in UTF-8, a NUL byte, a
/// line longer than 1 MiB (which is never read whole), a weight that is not finite and >= 0, a file
/// without edges, one that is compressed and damaged or cut off, and more than 2^31 - 1 nodes or
/// 2^32 - 1 edges.
Graph read_graph(const std::filesystem::path& path, const EdgeListOptions& options = {},
                 EdgeListReport* report = nullptr);

}  // namespace mct::embed

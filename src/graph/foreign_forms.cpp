#include "src/graph/foreign_forms.hpp"

#include <algorithm>
#include <initializer_list>

#include "mctensor/base/text_lines.hpp"
#include "src/graph/columns.hpp"

namespace mct::embed {
namespace {

bool begins(std::string_view line, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return line.starts_with(start); });
}

/// "graph {", "strict digraph x {"
bool begins_dot(std::string_view line) {
  constexpr std::string_view strict = "strict ";
  if (line.starts_with(strict)) line.remove_prefix(strict.size());
  return begins(line, {"graph", "digraph"}) && line.find('{') < std::string_view::npos;
}

/// "{", "[", or a text that begins with two of their characters.
bool begins_json(std::string_view line) {
  if (!begins(line, {"{", "["})) return false;
  const std::string_view rest = trimmed(line.substr(1));
  return rest.empty() || begins(rest, {"{", "[", "\""});
}

/// Where tabs separate, a name may begin in any way.
std::string_view form_without_tabs(std::string_view line) {
  if (begins_json(line)) return "JSON: networkx.node_link_graph makes a graph of such data";
  if (begins_dot(line)) return "a graph of Graphviz: networkx.nx_agraph.read_dot reads it";
  if (line == "graph [" || line == "graph") return "a graph in GML: networkx.read_gml reads it";
  if (line.starts_with('(') && line.ends_with(';'))
    return "a tree in Newick's form: Bio.Phylo.read and Bio.Phylo.to_networkx read it";
  if (begins(line, {"@prefix ", "Prefix(", "Ontology("}))
    return "an ontology in OWL or RDF: `robot convert --output x.obo` makes OBO of it";
  return "";
}

std::string_view form_of_line(std::string_view line) {
  if (begins_obo(line)) return "an ontology in OBO: read_obo reads it, --format obo";
  if (is_taxonomy_line(line)) return "NCBI's nodes.dmp: read_ncbi_taxonomy reads it, --format ncbi";
  if (line.starts_with("%%MatrixMarket"))
    return "a matrix of MatrixMarket: scipy.io.mmread and networkx.from_scipy_sparse_array read it";
  if (line.starts_with("#NEXUS"))
    return "a file of NEXUS: Bio.Phylo.read and Bio.Phylo.to_networkx read its trees";
  if (begins(line, {"*Vertices", "*vertices", "*Network", "*network"}))
    return "a graph of Pajek: networkx.read_pajek reads it";
  if (begins(line, {"<?xml", "<graphml", "<!DOCTYPE", "<rdf:RDF", "<owl", "<gexf"}))
    return "XML: networkx.read_graphml reads GraphML, networkx.read_gexf GEXF, `robot convert "
           "--output x.obo` makes OBO of OWL";
  return line.find('\t') < std::string_view::npos ? "" : form_without_tabs(line);
}

}  // namespace

bool begins_obo(std::string_view line) {
  const bool tab = line.find('\t') < std::string_view::npos;
  return (line.starts_with("format-version:") && !tab) || trimmed(line) == "[Term]";
}

bool is_taxonomy_line(std::string_view line) {
  constexpr std::string_view bar = "\t|\t";
  if (!line.ends_with("\t|")) return false;
  std::size_t fields = 1;
  for (std::size_t at = 0; (at = line.find(bar, at)) < line.size(); at += bar.size()) ++fields;
  return fields > 3;
}

std::string foreign_form(std::string_view line) {
  const std::string_view form = form_of_line(line.starts_with(' ') ? trimmed(line) : line);
  return form.empty() ? "" : "no edge list but " + std::string(form) + ": " + shortened(line);
}

}  // namespace mct::embed

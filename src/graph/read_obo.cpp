// Ontologies in OBO.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/read_hierarchy.hpp"
#include "src/graph/columns.hpp"
#include "src/graph/edge_collector.hpp"

namespace mct::embed {
namespace {

struct Parent {
  std::string id;
  std::size_t line;
};

struct Term {
  std::size_t line = 0;
  std::string id, name;
  std::size_t name_line = 0;
  bool obsolete = false;
  std::vector<Parent> parents;
};

class OboReader {
 public:
  OboReader(const std::filesystem::path& path, const OboOptions& options)
      : lines_(path), options_(options) {}

  Graph read(HierarchyReport& report);

 private:
  void read_terms();
  void read_tag(std::string_view line);
  void end_term();
  std::string text_of(std::string_view value) const;
  std::string word_of(std::string_view value) const;
  void check_names() const;
  const std::string& name_of(const Term& term) const {
    return options_.ids || term.name.empty() ? term.id : term.name;
  }
  void add_edges(EdgeCollector& edges, HierarchyReport& report) const;

  TextLines lines_;
  const OboOptions& options_;
  std::optional<Term> term_;  // that is being read
  std::vector<Term> terms_;
  std::unordered_map<std::string, std::size_t> by_id_;
};

/// Without a comment or qualifiers at its end. A comment is a ! between blanks, and the rest of the
/// line.
std::string_view without_end(std::string_view value) {
  for (std::size_t at = 0; (at = value.find('!', at)) < value.size(); ++at)
    if ((at == 0 || value[at - 1] == ' ') && (at + 1 == value.size() || value[at + 1] == ' '))
      value = value.substr(0, at);
  value = trimmed(value);
  if (!value.ends_with('}')) return value;
  const std::size_t begin = value.rfind('{');
  if (begin > value.size() || value.find('=', begin) > value.size()) return value;
  return trimmed(value.substr(0, begin));
}

/// The text of a value, with its escapes replaced.
std::string OboReader::text_of(std::string_view value) const {
  value = without_end(value);
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    char c = value[i];
    if (c == '\\') {
      if (++i == value.size())
        lines_.fail("a value that ends in a backslash and continues in the next line: " +
                    shortened(value));
      c = value[i] == 'W' ? ' ' : value[i] == 'n' ? '\n' : value[i] == 't' ? '\t' : value[i];
    }
    text += c;
  }
  return text;
}

/// The first word of a value, which must be there: an id, and perhaps what follows it.
std::string OboReader::word_of(std::string_view value) const {
  std::string text = text_of(value);
  text.resize(std::min(text.find(' '), text.size()));
  if (text.empty()) lines_.fail("the id is empty");
  return text;
}

void OboReader::end_term() {
  if (!term_) return;
  Term term = std::move(*term_);
  term_.reset();
  if (term.id.empty()) lines_.fail(term.line, "the term has no id");
  const auto [at, fresh] = by_id_.emplace(term.id, terms_.size());
  if (!fresh)
    lines_.fail(term.line, "the id " + shortened(term.id) + " occurs twice, first in line " +
                               std::to_string(terms_[at->second].line));
  terms_.push_back(std::move(term));
}

void OboReader::read_tag(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    lines_.fail("a line of a term is not of the form 'tag: value': " + shortened(line));
  const std::string_view tag = trimmed(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (tag == "id") {
    term_->id = word_of(value);
  } else if (tag == "name") {
    term_->name = text_of(value);
    term_->name_line = lines_.number();
  } else if (tag == "is_obsolete") {
    term_->obsolete = text_of(value) == "true";
  } else if (tag == "is_a") {
    term_->parents.push_back({word_of(value), lines_.number()});
  } else if (tag == "relationship") {
    const std::string kind = word_of(value);
    const auto& wanted = options_.relationships;
    if (std::find(wanted.begin(), wanted.end(), kind) == wanted.end()) return;
    term_->parents.push_back({word_of(trimmed(value.substr(kind.size()))), lines_.number()});
  }
}

void OboReader::read_terms() {
  std::string_view line;
  while (lines_.next(line)) {
    line = trimmed(line);
    if (line.empty() || line.starts_with('!')) continue;
    if (line.starts_with('[')) {
      end_term();
      if (line.starts_with("[Term]")) {
        term_.emplace();
        term_->line = lines_.number();
      }
    } else if (term_) {
      read_tag(line);
    }
  }
  end_term();
}

/// Two terms of one name would become one node.
void OboReader::check_names() const {
  if (options_.ids) return;
  std::unordered_map<std::string_view, const Term*> by_name;
  for (const Term& term : terms_) {
    if (term.obsolete) continue;
    const auto [at, fresh] = by_name.emplace(name_of(term), &term);
    if (fresh) continue;
    lines_.fail(term.name_line > 0 ? term.name_line : term.line,
                "the name " + shortened(name_of(term)) + " of " + shortened(term.id) +
                    " is that of " + shortened(at->second->id) +
                    ", too; terms can be called by ids (OboOptions::ids, --ids)");
  }
}

void OboReader::add_edges(EdgeCollector& edges, HierarchyReport& report) const {
  std::vector<bool> has_edge(terms_.size(), false);
  std::unordered_map<std::string_view, bool> undefined;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    if (term.obsolete) continue;
    for (const Parent& parent : term.parents) {
      const auto found = by_id_.find(parent.id);
      if (found == by_id_.end()) {
        undefined[parent.id] = true;
        edges.add(name_of(term), parent.id, parent.line);
      } else if (const Term& above = terms_[found->second]; !above.obsolete) {
        edges.add(name_of(term), name_of(above), parent.line);
        has_edge[found->second] = true;
      } else {
        continue;
      }
      has_edge[i] = true;
    }
  }
  edges.flush();
  report.edges = edges.added();
  report.self_loops = edges.self_loops();
  report.undefined = undefined.size();
  for (std::size_t i = 0; i < terms_.size(); ++i)
    if (!has_edge[i] && !terms_[i].obsolete)
      edges.add(name_of(terms_[i]), name_of(terms_[i]), terms_[i].line);
}

Graph OboReader::read(HierarchyReport& report) {
  HierarchyReport found;
  found.format = HierarchyFormat::obo;
  read_terms();
  found.lines = lines_.number();
  if (terms_.empty())
    throw IoError(lines_.name() +
                  " has no terms: an ontology in OBO has a line '[Term]' before each term");
  check_names();
  found.obsolete = std::uint64_t(
      std::count_if(terms_.begin(), terms_.end(), [](const Term& term) { return term.obsolete; }));
  EdgeCollector edges(
      false, false, [this](std::size_t line, const std::string& what) { lines_.fail(line, what); });
  add_edges(edges, found);
  if (found.edges == 0) throw IoError(lines_.name() + " has no edges between its terms");
  Graph graph = edges.graph();
  found.duplicates = edges.duplicates();
  report = found;
  return graph;
}

}  // namespace

Graph read_obo(const std::filesystem::path& path, const OboOptions& options,
               HierarchyReport* report) {
  HierarchyReport ours;
  return OboReader(path, options).read(report == nullptr ? ours : *report);
}

}  // namespace mct::embed

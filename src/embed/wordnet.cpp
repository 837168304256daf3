// The hierarchies of WordNet: the closure of hypernyms, and the tree of nouns.
#include "mctensor/embed/wordnet.hpp"

#include <utility>

#include "mctensor/embed/closure.hpp"
#include "mctensor/embed/tree.hpp"
#include "mctensor/error.hpp"
#include "src/embed/checked_tree.hpp"
#include "src/embed/wordnet_database.hpp"

namespace mct::embed {
namespace {

/// An edge from every synset to each of its hypernyms.
Graph hypernym_graph(const WordnetData& data, const std::vector<std::string>& names) {
  auto table = std::make_shared<NameTable>();
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> targets;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Synset& synset = data.synsets()[i];
    for (const auto* const above : {&synset.hypernyms, &synset.instance_hypernyms})
      for (const std::string& offset : *above) {
        sources.push_back(table->enter(names[i]).first);
        targets.push_back(table->enter(names[data.find(offset, synset)]).first);
      }
  }
  return {std::move(table), std::move(sources), std::move(targets)};
}

/// A node, all that have an edge to it, and the edges among them.
Graph below_and_itself(const Graph& closure, std::int32_t node) {
  std::vector<std::uint8_t> keep(closure.node_count(), 0);
  keep[std::size_t(node)] = 1;
  for (std::size_t i = 0; i < closure.edge_count(); ++i)
    if (closure.targets()[i] == node) keep[std::size_t(closure.sources()[i])] = 1;
  return nodes_where(closure, keep);
}

}  // namespace

Graph read_wordnet(const std::filesystem::path& directory, WordnetSubset subset) {
  const auto part = subset == WordnetSubset::verbs ? PartOfSpeech::verb : PartOfSpeech::noun;
  const WordnetData data(directory, part);
  const Graph direct = hypernym_graph(data, synset_names(directory, part, data));
  Graph closure;
  try {
    closure = transitive_closure(direct);
  } catch (const DomainError& error) {
    throw IoError(data.file() + ": " + error.what());
  }
  if (subset != WordnetSubset::mammals) return closure;
  constexpr const char* root = "mammal.n.01";
  const std::int32_t mammal = closure.find(root);
  if (mammal < 0) throw IoError(data.file() + ": no synset '" + root + "' below or above another");
  return below_and_itself(closure, mammal);
}

Tree read_wordnet_nouns(const std::filesystem::path& directory) {
  const WordnetData data(directory, PartOfSpeech::noun);
  const auto& synsets = data.synsets();
  const auto name = [&](std::size_t i) { return synsets[i].word + '.' + synsets[i].offset; };
  std::vector<std::vector<std::size_t>> below(synsets.size());
  std::vector<std::pair<std::string, std::string>> list;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < synsets.size(); ++i) {
    const Synset& synset = synsets[i];
    if (!synset.hypernyms.empty()) {
      below[data.find(synset.hypernyms.front(), synset)].push_back(i);
    } else if (synset.word == "entity") {
      list.emplace_back(name(i), "");
      open.push_back(i);
    }
  }
  // what hangs on an instance is not reached from the root
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const std::size_t i : below[open[next]]) {
      list.emplace_back(name(i), name(open[next]));
      open.push_back(i);
    }
  return checked_tree(data.file(), list);
}

}  // namespace mct::embed

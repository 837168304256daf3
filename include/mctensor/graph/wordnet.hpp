// The hierarchies of WordNet (Fellbaum 1998), from its database files.
#pragma once

#include <filesystem>
#include <string_view>

#include "mctensor/base/names.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// The directory in which Debian's package wordnet-base installs the database files of WordNet 3.0.
constexpr const char* debian_wordnet = "/usr/share/wordnet";

enum class WordnetSubset { nouns, verbs, mammals };

inline constexpr Names<WordnetSubset, 3> wordnet_subset_names{
    {{WordnetSubset::nouns, "nouns"},
     {WordnetSubset::verbs, "verbs"},
     {WordnetSubset::mammals, "mammals"}}};
/// The subset of this name. Throws DomainError for any other name; the message lists all names.
inline WordnetSubset wordnet_subset_from(std::string_view name) {
  return wordnet_subset_names.value("WordNet has no subset", name);
}

/// The transitive closure of hypernyms of nouns, verbs, or mammals: an edge from every synset to
/// every synset above it. The way up follows pointers @ (hypernym) and @i (instance hypernym) in
/// any order, as Nickel and Kiela 2017 count them. Synsets are left out if they neither have a
/// hypernym nor are one. Mammals are mammal.n.01 and all synsets below it. In WordNet 3.0 there are
/// 82115 nouns and 743241 edges, 13542 verbs and 35079 edges, 1182 mammals and 6542 edges.
///
/// Nodes are named as in NLTK, such as "dog.n.01". A name has the first word of the synset in lower
/// case, n or v, and the number of the sense. This number is the place of the synset in the entry
/// of that word in the index.
///
/// Reads data.noun and index.noun, or data.verb and index.verb. Throws IoError with the file, the
/// line and the reason.
Graph read_wordnet(const std::filesystem::path& directory, WordnetSubset subset);

}  // namespace mct::embed

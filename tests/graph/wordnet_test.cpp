// WordNet: names, closures, the list that is shipped.
#include "mctensor/graph/wordnet.hpp"

#include <gtest/gtest.h>

#include <set>

#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "mctensor/graph/statistics.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using namespace testing;

/// The database of these lines, below a licence.
class WordnetFiles : public FileTest {
 protected:
  void write(const std::string& name, const std::string& lines) const {
    std::ofstream(directory_ / name) << "  1 This software and database is being provided\n"
                                     << lines;
  }
  void write_nouns() const {
    write("data.noun",
          "00000010 03 n 01 entity 0 001 ~ 00000020 n 0000 | all\n"
          "00000020 03 n 02 Mammal 0 beast 1 001 @ 00000010 n 0000 | x | y\n"
          "00000030 05 n 01 dog 0 002 @ 00000020 n 0000 @ 00000010 n 0000 | barks\n"
          "00000040 18 n 01 Rex 0 001 @i 00000030 n 0000 | a dog\n"
          "00000050 18 n 01 tail 0 001 @ 00000040 n 0000 | below an instance\n"
          "00000060 03 n 01 dog 1 001 @ 00000010 n 0000 | another\n"
          "00000070 03 n 01 nothing 0 000 | alone\n");
    write("index.noun",
          "beast n 1 1 @ 1 0 00000020  \n"
          "dog n 2 2 @ ~ 2 1 00000060 00000030  \n"
          "entity n 1 1 ~ 1 1 00000010  \n"
          "mammal n 1 1 @ 1 1 00000020  \n"
          "nothing n 1 0 1 0 00000070  \n"
          "rex n 1 1 @i 1 0 00000040  \n"
          "tail n 1 1 @ 1 0 00000050  \n");
  }
  std::string error() const {
    return io_error_of([&] { read_wordnet(directory_, WordnetSubset::nouns); });
  }
};

TEST_F(WordnetFiles, ClosureWithInstances) {
  write_nouns();
  const Graph nouns = read_wordnet(directory_, WordnetSubset::nouns);
  EXPECT_EQ(nouns.node_count(), 6u);  // all but the one alone
  const auto has = [&](const char* child, const char* ancestor) {
    const Edges edges = edges_of(nouns);
    return std::count(edges.begin(), edges.end(),
                      std::pair<int, int>(nouns.find(child), nouns.find(ancestor)));
  };
  EXPECT_EQ(has("dog.n.02", "mammal.n.01"), 1);  // by the order of the index
  EXPECT_EQ(has("dog.n.01", "entity.n.01"), 1);
  EXPECT_EQ(has("dog.n.01", "mammal.n.01"), 0);
  EXPECT_EQ(has("tail.n.01", "mammal.n.01"), 1);  // through an instance
  EXPECT_EQ(nouns.edge_count(), 1u + 2 + 3 + 4 + 1);
  const Graph mammals = read_wordnet(directory_, WordnetSubset::mammals);
  EXPECT_EQ(mammals.node_count(), 4u);
  EXPECT_EQ(text_of(mammals),
            "dog.n.02>mammal.n.01 rex.n.01>mammal.n.01 rex.n.01>dog.n.02 tail.n.01>mammal.n.01 "
            "tail.n.01>dog.n.02 tail.n.01>rex.n.01");
}

TEST_F(WordnetFiles, SaysWhatIsWrong) {
  EXPECT_TRUE(contains(error(), "data.noun"));
  write_nouns();
  fs::remove(directory_ / "index.noun");
  EXPECT_TRUE(contains(error(), "index.noun"));
  write("index.noun", "entity n 1 x\n");
  EXPECT_TRUE(contains(error(), "line 2: the number of pointers is 'x', not a number"));
  write("index.noun", "entity n 2 0 1 1 00000010\n");
  EXPECT_TRUE(contains(error(), "line 2: the line ends before the offset"));
  write("index.noun", "entity n 1 0 1 1 00000010\n");
  EXPECT_TRUE(contains(error(), "'Mammal' has no sense at 00000020"));
  write("data.noun", "1 03 n 01 a 0 001 @ 2 n 0000 | x\n2 03 n 01 b 0 001 @ 1 n 0000 | x\n");
  write("index.noun", "a n 1 0 1 1 1\nb n 1 0 1 1 2\n");
  EXPECT_TRUE(contains(error(),
                       "data.noun': the graph has cycles through 2 of its nodes: "
                       "'a.n.01' -> 'b.n.01' -> 'a.n.01'"));
  write("data.noun", "1 03 n 01 a 0 001 @ 2 n 0000 | x\n2 03 n 01 b 0 000 | x\n");
  EXPECT_TRUE(contains(io_error_of([&] { read_wordnet(directory_, WordnetSubset::mammals); }),
                       "mammal.n.01"));
  EXPECT_TRUE(contains(message_of<DomainError>([] { wordnet_subset_from("birds"); }),
                       "WordNet has no subset 'birds'; there are nouns, verbs, mammals"));
}

class Wordnet : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(debian_wordnet) / "data.noun"))
      GTEST_SKIP() << "wordnet-base is not installed";
  }
};

TEST_F(Wordnet, Nouns) {
  const Graph nouns = read_wordnet(debian_wordnet, WordnetSubset::nouns);
  EXPECT_EQ(nouns.node_count(), 82115u);
  EXPECT_EQ(nouns.edge_count(), 743241u);
  const auto above = [&](const std::string& name) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < nouns.edge_count(); ++i)
      if (nouns.name(nouns.sources()[i]) == name) names.emplace(nouns.name(nouns.targets()[i]));
    return names;
  };
  // what NLTK gives for dog.n.01.closure(hypernyms)
  EXPECT_EQ(
      above("dog.n.01"),
      (std::set<std::string>{"canine.n.02", "domestic_animal.n.01", "carnivore.n.01", "animal.n.01",
                             "placental.n.01", "organism.n.01", "mammal.n.01", "living_thing.n.01",
                             "vertebrate.n.01", "whole.n.02", "chordate.n.01", "object.n.01",
                             "physical_entity.n.01", "entity.n.01"}));
  EXPECT_TRUE(above("einstein.n.01").contains("physicist.n.01"));
  EXPECT_TRUE(above("entity.n.01").empty());
  const GraphStatistics s = statistics(nouns);
  EXPECT_EQ(s.roots, 1u);
  EXPECT_EQ(s.components, 1u);
  EXPECT_EQ(s.cycles.components, 0u);
}

TEST_F(Wordnet, Verbs) {
  const Graph verbs = read_wordnet(debian_wordnet, WordnetSubset::verbs);
  EXPECT_EQ(verbs.node_count(), 13542u);
  EXPECT_EQ(verbs.edge_count(), 35079u);
  EXPECT_GE(verbs.find("walk.v.01"), 0);
  EXPECT_GE(verbs.find("travel.v.01"), 0);
}

TEST_F(Wordnet, MammalsAreTheShippedList) {
  const Graph mammals = read_wordnet(debian_wordnet, WordnetSubset::mammals);
  EXPECT_EQ(mammals.node_count(), 1182u);
  EXPECT_EQ(mammals.edge_count(), 6542u);
  const TemporaryDirectory directory;
  write_graph(directory / "mammals.tsv", mammals);
  EXPECT_EQ(content_of(directory / "mammals.tsv"),
            content_of(fs::path(MCT_SOURCE_DATA_DIR) / "wordnet_mammals.tsv"));
}

TEST(ShippedMammals, AreAClosureBelowOneRoot) {
  const Graph mammals = read_graph(fs::path(MCT_SOURCE_DATA_DIR) / "wordnet_mammals.tsv");
  EXPECT_EQ(mammals.node_count(), 1182u);
  EXPECT_EQ(mammals.edge_count(), 6542u);
  EXPECT_EQ(transitive_closure(mammals).edge_count(), 6542u);
  const GraphStatistics s = statistics(mammals);
  EXPECT_EQ(s.roots, 1u);
  EXPECT_EQ(s.most_children, 1181u);
  EXPECT_EQ(mammals.name(s.most_children_at), "mammal.n.01");
}

}  // namespace
}  // namespace mct::embed

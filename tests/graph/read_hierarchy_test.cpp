// Hierarchies in the forms of others: ontologies in OBO, NCBI's taxonomy.
#include "mctensor/graph/read_hierarchy.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "mctensor/error.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"

namespace mct::embed {
namespace {

using namespace testing;

const char* const ontology =
    "format-version: 1.2\n"
    "ontology: x\n"
    "\n"
    "[Term]\n"
    "id: X:1\n"
    "name: thing\n"
    "\n"
    "[Term]\n"
    "id: X:2 ! a comment\n"
    "name: body\\, solid {source=\"y\"}\n"
    "is_a: X:1 {is_inferred=\"true\"} ! thing\n"
    "relationship: part_of X:3 ! whole\n"
    "relationship: has_part X:1\n"
    "\n"
    "[Term]\n"
    "id: X:3\n"
    "name: whole!\n"
    "is_a: X:1\n"
    "is_a: X:4 ! obsolete old\n"
    "is_a: Y:9 ! of another file\n"
    "is_a: X:1\n"
    "\n"
    "[Term]\n"
    "id: X:4\n"
    "name: thing\n"
    "is_obsolete: true\n"
    "\n"
    "[Term]\n"
    "id: X:5\n"
    "\n"
    "[Typedef]\n"
    "id: part_of\n"
    "name: part of\n"
    "is_a: X:1\n";

class HierarchyFile : public FileTest {
 protected:
  fs::path write(const std::string& text, const std::string& name = "file") const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
    return directory_ / name;
  }
  std::string read(const fs::path& path, const HierarchyOptions& options = {}) {
    return text_of(read_hierarchy(path, options, &report_));
  }
  void expect_error(const std::string& text, const std::string& part, const std::string& name,
                    const HierarchyOptions& options = {}) {
    const fs::path path = write(text, name);
    const std::string message = io_error_of([&] { read_hierarchy(path, options); });
    EXPECT_TRUE(contains(message, path.string()) && contains(message, part)) << message;
  }

  HierarchyReport report_;
};

TEST_F(HierarchyFile, TermsByTheirNames) {
  const fs::path path = write(ontology);
  EXPECT_EQ(read(path), "body, solid>thing whole!>thing whole!>Y:9");
  EXPECT_EQ(report_.format, HierarchyFormat::obo);
  EXPECT_EQ(report_.edges, 4u);
  EXPECT_EQ(report_.duplicates, 1u);
  EXPECT_EQ(report_.self_loops, 0u);
  EXPECT_EQ(report_.obsolete, 1u);
  EXPECT_EQ(report_.undefined, 1u);
  EXPECT_EQ(report_.lines, 34u);
  EXPECT_GE(read_obo(path).find("X:5"), 0);  // has no name and no edge, but is there
  EXPECT_EQ(read_obo(path).node_count(), 5u);
}

TEST_F(HierarchyFile, TermsByTheirIdsAndParts) {
  HierarchyOptions options;
  options.obo = {.ids = true, .relationships = {"part_of"}};
  EXPECT_EQ(read(write(ontology), options), "X:2>X:1 X:2>X:3 X:3>X:1 X:3>Y:9");
  EXPECT_EQ(report_.edges, 5u);
}

TEST_F(HierarchyFile, WhatIsNoOntology) {
  const std::string begin = "[Term]\nid: A\nname: a\n[Term]\n";
  const auto wrong = [&](const std::string& text, const std::string& part) {
    expect_error(text, part, "x.obo");
  };
  wrong("", "no terms");
  wrong("a\tb\n", "no terms");
  wrong("[Term]\nid: A\n", "no edges");
  wrong("[Term]\nname: a\n", "line 1: the term has no id");
  wrong(begin + "id: A\n", "line 4: the id 'A' occurs twice, first in line 1");
  wrong(begin + "id: B\nname: a\nis_a: A\n", "line 6: the name 'a' of 'B' is that of 'A', too");
  wrong(begin + "id: B\nis_a:\n", "line 6: the id is empty");
  wrong(begin + "id: B\nis_a: ! A\n", "line 6: the id is empty");
  wrong(begin + "id: B\nname\n",
        "line 6: a line of a term is not of the form 'tag: value': 'name'");
  wrong(begin + "id: B\nname: b\\\n", "line 6: a value that ends in a backslash");
  wrong(begin + "id: B\nname: b\\nc\nis_a: A\n", "a control character (0x0A) in a name");
  wrong(begin + "id: B\nname: b\xFF\nis_a: A\n", "line 7: a name that is not UTF-8");
  EXPECT_EQ(read(write("[Term]\nid: A\n[Term]\nid: B\nname: A\nis_a: A\n"), {.obo = {.ids = true}}),
            "B>A");
}

const char* const taxa =
    "1\t|\t1\t|\tno rank\t|\t\t|\t8\t|\n"
    "2\t|\t131567\t|\tsuperkingdom\t|\t\t|\t0\t|\n"
    "131567\t|\t1\t|\tno rank\t|\t\t|\t8\t|\n";
const char* const taxon_names =
    "1\t|\tall\t|\t\t|\tsynonym\t|\n"
    "1\t|\troot\t|\t\t|\tscientific name\t|\n"
    "2\t|\tBacteria\t|\tBacteria <bacteria>\t|\tscientific name\t|\n"
    "9\t|\tBuchnera\t|\t\t|\tscientific name\t|\n"
    "131567\t|\tcellular organisms\t|\t\t|\tscientific name\t|\n";

TEST_F(HierarchyFile, Taxa) {
  EXPECT_EQ(read(write(taxa)), "2>131567 131567>1");
  EXPECT_EQ(report_.format, HierarchyFormat::ncbi);
  EXPECT_EQ(report_.edges, 2u);
  EXPECT_EQ(report_.self_loops, 0u);
  HierarchyOptions options;
  options.taxon_names = write(taxon_names, "names.dmp");
  EXPECT_EQ(read(write(taxa, "nodes.dmp"), options),
            "Bacteria <bacteria>>cellular organisms cellular organisms>root");
}

TEST_F(HierarchyFile, WhatIsNoTaxonomy) {
  const std::string more = taxa;
  expect_error("a\tb\n", "line 1: not a line of nodes.dmp", "nodes.dmp");
  expect_error("1\t|\t1\t|\tno rank\t|\n", "no edges", "nodes.dmp");
  expect_error(more + "x\t|\t1\t|\tgenus\t|\n", "line 4: not a line of nodes.dmp", "nodes.dmp");
  expect_error(taxon_names, "line 1: not a line of nodes.dmp", "file");
  const auto wrong = [&](const std::string& names, const std::string& part) {
    HierarchyOptions options;
    options.taxon_names = write(names, "names.dmp");
    const fs::path nodes = write(taxa, "nodes.dmp");
    const std::string message = io_error_of([&] { read_hierarchy(nodes, options); });
    EXPECT_TRUE(contains(message, "names.dmp") && contains(message, part)) << message;
  };
  wrong("1\t|\troot\t|\t\t|\tscientific name\t|\n", "no scientific name of the taxon 2");
  wrong("1\t|\troot\n", "line 1: not a line of names.dmp");
  wrong("1\t|\t\x01\t|\t\t|\tscientific name\t|\n", "line 1: a control character");
  std::string same = taxon_names;
  same.replace(same.find("Bacteria <bacteria>"), 19, "root");
  wrong(same, "the name 'root' is that of two taxa");
}

TEST_F(HierarchyFile, TheFormIsFoundOrSaid) {
  EXPECT_EQ(read(write("child;parent\na;b\n")), "a>b");
  EXPECT_EQ(report_.format, HierarchyFormat::edge_list);
  EXPECT_EQ(report_.separator, Separator::semicolon);
  EXPECT_TRUE(report_.header);
  EXPECT_EQ(read(write("a b\n", "x.obo"), {.format = HierarchyFormat::edge_list}), "a>b");
  EXPECT_EQ(read(write(std::string("! a comment\n") + ontology, "x.obo")).substr(0, 4), "body");
  HierarchyOptions options;
  options.edges.separator = Separator::tab;
  const auto refused = [&](const std::string& text) {
    return message_of<DomainError>([&] { read_hierarchy(write(text), options); });
  };
  EXPECT_TRUE(contains(refused(ontology), "only an edge list has a separator"));
  options = {.obo = {.ids = true}};
  EXPECT_TRUE(contains(refused("a b\n"), "only an ontology in OBO has ids beside names"));
  options = {.taxon_names = "names.dmp"};
  EXPECT_TRUE(contains(refused(ontology), "only NCBI's nodes.dmp has names in another file"));
}

}  // namespace
}  // namespace mct::embed

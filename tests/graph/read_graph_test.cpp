// Edge lists: formats, bad input, writing.
#include "mctensor/graph/read_graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <sstream>

#include "mctensor/error.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/memory_limit.hpp"

namespace mct::embed {
namespace {

using namespace testing;
using namespace std::string_literals;

class EdgeList : public FileTest {
 protected:
  fs::path write(const std::string& text, const std::string& name = "edges") const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
    return directory_ / name;
  }
  std::string read(const std::string& text, const EdgeListOptions& options = {}) {
    return text_of(read_graph(write(text), options, &report_));
  }
  /// The message, which must name the file.
  std::string error(const std::string& text, const EdgeListOptions& options = {}) {
    const fs::path path = write(text);
    const std::string message = io_error_of([&] { read_graph(path, options); });
    EXPECT_TRUE(contains(message, path.string())) << message;
    return message;
  }
  void expect_error(const std::string& text, const std::string& part,
                    const EdgeListOptions& options = {}) {
    const std::string message = error(text, options);
    EXPECT_TRUE(contains(message, part)) << message;
  }

  EdgeListReport report_;
};

TEST_F(EdgeList, Separators) {
  EXPECT_EQ(read("dog\tanimal\ncat lion\tanimal\n"), "dog>animal cat lion>animal");
  EXPECT_EQ(report_.separator, Separator::tab);
  EXPECT_EQ(read("dog,animal\n cat lion , animal"), "dog>animal cat lion>animal");
  EXPECT_EQ(report_.separator, Separator::comma);
  EXPECT_EQ(read("dog animal\n  cat   animal  \n"), "dog>animal cat>animal");
  EXPECT_EQ(report_.separator, Separator::blank);
  // given, a separator is no longer looked for
  EXPECT_EQ(read("a,b c,d\n", {.separator = Separator::blank}), "a,b>c,d");
  EXPECT_EQ(read("a b,c\td\n", {.separator = Separator::tab}), "a b,c>d");
}

TEST_F(EdgeList, LinesThatDoNotCount) {
  EXPECT_EQ(read("\xEF\xBB\xBF# a comment\r\n\r\n  \t \r\na\tb\r\n#c\td\r\na\tc"), "a>b a>c");
  EXPECT_EQ(report_.lines, 6u);
  EXPECT_EQ(report_.edges, 2u);
  EXPECT_EQ(read("\xEF\xBB\xBF#a\tb\n", {.comments = false}), "#a>b");
  EXPECT_EQ(read("a\t#b\n"), "a>#b");
}

TEST_F(EdgeList, Quotes) {
  EXPECT_EQ(read("\"dog, big\",\"the \"\"animal\"\"\"\r\n"), "dog, big>the \"animal\"");
  EXPECT_EQ(read("\"a\"  , \"\"\"b\" ,2\n"), "a>\"b");
  EXPECT_EQ(read("5\" pipe,pipe\n"), "5\" pipe>pipe");
  EXPECT_EQ(read("\"\"\"\"\"\",\"\"\"\",\"1\"\n"), "\"\">\"");
  EXPECT_EQ(read("\"a b\"\t\"c\"\"\"\n"), "a b>c\"");
  EXPECT_EQ(read("\"a b\" c\n"), "a b>c");
  EXPECT_EQ(read("\"a; b\" ; c\n"), "a; b>c");
  EXPECT_EQ(read("\"a\"\tb\n", {.quotes = false}), "\"a\">b");
  expect_error("a,b\n\"a,b\n", "line 2: a quote does not end in its line: '\"a,b'");
  expect_error("a,\"b\"c\n", "line 1: characters between a quote and the next separator");
  expect_error("\"a\"b c\n", "line 1: characters between a quote and the next separator");
  expect_error("\"Weird Al\" Yankovic\tsinger\nB.B. King\tsinger\n",
               "line 1: characters between a quote and the next separator");
  expect_error("\"a\nb\",c\n", "line 1: a quote does not end in its line");
  expect_error("\"\",b\n", "line 1: an empty name");
}

TEST_F(EdgeList, Headers) {
  EXPECT_EQ(read("id1,id2,weight\na,b,1\n"), "a>b");
  EXPECT_TRUE(report_.header);
  EXPECT_EQ(read("x\ty\tsimilarity\na\tb\t1\n"), "a>b");
  EXPECT_TRUE(report_.header);
  EXPECT_EQ(read("Source,Target\na,b\n"), "a>b");
  EXPECT_EQ(read("x,y\na,b\n"), "x>y a>b");
  EXPECT_FALSE(report_.header);
  EXPECT_EQ(read("x,y\na,b\n", {.header = Header::present}), "a>b");
  EXPECT_EQ(read("source target\na b\n", {.header = Header::none}), "source>target a>b");
  EXPECT_EQ(read("parent,child\na,b\n", {.parent_first = true}), "b>a");
  EXPECT_EQ(read("child,parent\na,b\n"), "a>b");
  for (const std::string usual :
       {"term,parent_term", "subclass,superclass", "taxon,parent", "Node ID,Parent ID",
        "taxonID,parentNameUsageID", "tax_id,parent_tax_id", "name,parent", "id,parentId",
        "FromNodeId,ToNodeId", "narrower,broader"}) {
    EXPECT_EQ(read(usual + "\na,b\n"), "a>b") << usual;
    EXPECT_TRUE(report_.header) << usual;
  }
  EXPECT_EQ(read("\"child\"\t\"parent\"\n\"a\"\t\"b\"\n"), "a>b");  // as R writes it
  expect_error("parent_term;term\na;b\n", "line 1: the header is 'parent_term', 'term'");
  expect_error("parent,childhood\n\n", "header", {.header = Header::present});
  expect_error("Parent,Child\na,b\n", "line 1: the header is 'Parent', 'Child', but the lines");
  expect_error("hyponym,hypernym\na,b\n", "'parent child'", {.parent_first = true});
  expect_error("id1,id2\n", "no edges, only a line that was taken for a header");
}

TEST_F(EdgeList, Weights) {
  const Graph graph = read_graph(write("a\tb\t0.25\nb\tc\t1e3\nc\td\t0\n"));
  EXPECT_EQ(graph.weights(), (std::vector<double>{0.25, 1000, 0}));
  EXPECT_FALSE(read_graph(write("a b\n")).has_weights());
  EXPECT_EQ(read_graph(write("a b\n")).weight(0), 1);
  for (const std::string bad : {"-1", "nan", "inf", "1e999", "1x", "0x1", "-inf"})
    expect_error("a b 1\na b " + bad + "\n",
                 "line 2: the weight is '" + bad + "', not a finite number >= 0");
  // no header, either
  for (const std::string bad : {"-1", "nan", "inf", "1e400", "1x", "+1", ".", "0,5"})
    for (const std::string line : {"a\tb\t", "a;b;", "\"a\"\tb\t"})
      if (bad != "0,5" || line != "a;b;")
        expect_error(line + bad + "\nc" + line.substr(line.size() - 1) + "d" +
                         line.substr(line.size() - 1) + "1\n",
                     "line 1: the weight is '" + bad + "'");
}

TEST_F(EdgeList, Semicolons) {
  EXPECT_EQ(read("Canis lupus;Canis\nVulpes vulpes;Vulpes\n"),
            "Canis lupus>Canis Vulpes vulpes>Vulpes");
  EXPECT_EQ(report_.separator, Separator::semicolon);
  const Graph graph = read_graph(write("a;b;0,5\nb;c;1\nc;d;1,25e1\nd;e;2.5\n"));
  EXPECT_EQ(graph.weights(), (std::vector<double>{0.5, 1, 12.5, 2.5}));
  EXPECT_EQ(text_of(graph), "a>b b>c c>d d>e");
  EXPECT_EQ(read("child;parent;weight\na;b;0,5\n"), "a>b");
  expect_error("a;b;1.000,5\n", "line 1: the weight is '1.000,5'");
  expect_error("a\tb\t1\na\tb\t0,5\n",
               "line 2: the weight is '0,5', not a finite number >= 0; a decimal comma is "
               "understood where semicolons separate");
}

// What may be read in two ways is asked for.
TEST_F(EdgeList, TwoWays) {
  const std::string both = "a;x,b\nc;y,d\n";
  expect_error(both, "line 1: semicolons and commas may both separate its columns");
  EXPECT_EQ(read(both, {.separator = Separator::semicolon}), "a>x,b c>y,d");
  EXPECT_EQ(read(both, {.separator = Separator::comma}), "a;x>b c;y>d");
  EXPECT_EQ(read(both + "e;z;1\n", {.separator = Separator::comma, .comment_mark = "e"}),
            "a;x>b c;y>d");
  expect_error("a b 0,5\nb c 1,5\n", "its comma may separate two columns, or be the decimal comma");
  EXPECT_EQ(read("a b 0,5\nb c 1,5\n", {.separator = Separator::comma}), "a b 0>5 b c 1>5");
  EXPECT_EQ(read("a;b,c\nd,e\n"), "a;b>c d>e");  // one way fits all lines
  EXPECT_EQ(read("a b,c\nd,e\n"), "a b>c d>e");
  expect_error("a,b\nc;d\n", "line 2: 1 column, the lines before have 2, separated by commas");
}

TEST_F(EdgeList, Bars) {
  EXPECT_EQ(read("2\t|\t1\t|\n3\t|\t1\t|\n"), "2>1 3>1");
  EXPECT_EQ(report_.separator, Separator::bar);
  EXPECT_EQ(read("2\t|\t1\n"), "2>1");
  EXPECT_EQ(read("a | b\nc|b|\n", {.separator = Separator::bar}), "a>b c>b");
  EXPECT_EQ(read("sp|P1|X\tprotein\n"), "sp|P1|X>protein");
}

TEST_F(EdgeList, Comments) {
  EXPECT_EQ(read("% a graph of KONECT\n% 2 3\na b\n%c d\n#e\n"), "a>b");
  EXPECT_EQ(report_.comments, 4u);
  EXPECT_EQ(read("// a note\na b\n//c d\n"), "a>b");
  EXPECT_EQ(read("a b\n%c d\n//e f\n"), "a>b %c>d //e>f");
  EXPECT_EQ(read("; a note\n#a b\n", {.comment_mark = ";"}), "#a>b");
  EXPECT_EQ(read("# FromNodeId\tToNodeId\r\n0\t1\r\n"), "0>1");  // as SNAP writes it
}

/// Files of others: right, or refused with the line.
TEST_F(EdgeList, OtherForms) {
  const std::pair<std::string, std::string> refused[] = {
      {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n", "MatrixMarket"},
      {"*Vertices 2\n1 \"a\"\n2 \"b\"\n*Arcs\n1 2\n", "Pajek"},
      {"<?xml version=\"1.0\"?>\n<graphml/>\n", "networkx.read_graphml"},
      {"graph [\n node [\n id 1\n ]\n]\n", "GML"},
      {"digraph g {\n a -> b;\n}\n", "Graphviz"},
      {"((a,b)c);\n", "Newick"},
      {"(a,b)c;\n", "Newick"},
      {"#NEXUS\nbegin trees;\n", "NEXUS"},
      {"{\"a\": \"b\"}\n", "JSON"},
      {"[[\"a\", \"b\"]]\n", "JSON"},
      {"\n[\n[\"a\", \"b\"]]\n", "JSON"},
      {"@prefix : <http://x> .\n", "OWL"},
      {"format-version: 1.2\n\n[Term]\nid: a\n", "read_obo"},
      {"1\t|\t1\t|\tno rank\t|\t\t|\n", "read_ncbi_taxonomy"}};
  for (const auto& [text, part] : refused) expect_error(text, part);
  for (const auto& [text, part] : refused) expect_error(text, ", line ");
  // a row number, as R and pandas write it unless they are told not to
  expect_error("\"child\"\t\"parent\"\n\"1\"\t\"a\"\t\"b\"\n",
               "line 2: 3 columns, the lines before have 2");
  expect_error(",child,parent\n0,a,b\n", "line 2: the weight is 'b'");
  expect_error("a -> b\nb -> c\n", "line 2: the weight is 'c'");
  expect_error("1 2 1 1082040961\n", "line 1: 4 columns");   // with a time, as of KONECT
  expect_error("a\rb\rc\td\r", "control character (0x0D)");  // lines as of Mac OS 9
  EXPECT_EQ(read("\r\n \r\nx, y\r\n\r\nz, y\r\n"), "x>y z>y");
}

TEST_F(EdgeList, Archives) {
  const std::pair<std::string, std::string> forms[] = {{"\xFD"
                                                        "7zXZ\0\0"s,
                                                        "xz -dk"},
                                                       {"BZh91AY&SY\x01\x02", "bzip2 -dk"},
                                                       {"\x28\xB5\x2F\xFD\x04", "zstd -dk"},
                                                       {"PK\x03\x04\x14\0"s, "unzip"},
                                                       {"7z\xBC\xAF\x27\x1C", "7z x"},
                                                       {"\x04\x22\x4D\x18", "lz4 -dk"},
                                                       {"\x1F\x9D\x90", "uncompress -k"},
                                                       {"PAR1\x15\x04", "read_parquet"},
                                                       {"%PDF-1.4\n", "PDF"}};
  for (const auto& [bytes, part] : forms) {
    expect_error(bytes, part);
    expect_error(bytes + std::string(5000, '\0'), "gzip");
  }
  EXPECT_EQ(read("BZh9 b\n"), "BZh9>b");
  EXPECT_EQ(read("BZh9"
                 "1AY a\n"),
            "BZh91AY>a");
  for (const char* const name : {"out.tsv.xz", "out.bz2", "out.zst", "out.zip"}) {
    const std::string message = io_error_of([&] {
      write_graph(directory_ / name, graph_of(2, {{0, 1}}));
    });
    EXPECT_TRUE(contains(message, name) && contains(message, ".gz")) << message;
  }
}

TEST_F(EdgeList, EdgesOfAProgram) {
  const std::vector<std::string> first = {"a", "b", "a", "c"};
  const std::vector<std::string> second = {"b", "c", "b", "c"};
  Graph graph = graph_of_edges(first, second, {}, false, &report_);
  EXPECT_EQ(text_of(graph), "a>b b>c");
  EXPECT_EQ(report_.edges, 4u);
  EXPECT_EQ(report_.duplicates, 1u);
  EXPECT_EQ(report_.self_loops, 1u);
  graph = graph_of_edges(first, second, std::vector<double>{1, 2, 3, 4}, true);
  EXPECT_EQ(text_of(graph), "b>a c>b");
  EXPECT_EQ(graph.weights(), (std::vector<double>{1, 2}));
  EXPECT_EQ(graph.name(0), "a");
  const auto message = [&](const std::string& name, const std::vector<double>& weights) {
    const std::vector<std::string> names = {"a", "b", name};
    return message_of<DomainError>([&] { graph_of_edges(names, names, weights); });
  };
  EXPECT_TRUE(contains(message("a\nb", {}), "edge 2: a control character (0x0A) in a name"));
  EXPECT_TRUE(contains(message("", {}), "edge 2: an empty name"));
  EXPECT_TRUE(contains(message("\xED\xA0\x80", {}), "edge 2: a name that is not UTF-8"));
  EXPECT_TRUE(contains(message("c", {1, -1, 1}), "edge 1: the weight is -1"));
  EXPECT_TRUE(contains(message(" ", {1, 1, HUGE_VAL}), "edge 2: the weight is inf"));
  EXPECT_NE(message_of<ShapeError>([&] { graph_of_edges(first, {}); }), "");
}

TEST_F(EdgeList, DuplicatesAndLoops) {
  const Graph graph =
      read_graph(write("a b 1\nb a 2\na b 3\nc c 4\nb b 5\na d 6\na b 7\n"), {}, &report_);
  EXPECT_EQ(text_of(graph), "a>b b>a a>d");
  EXPECT_EQ(graph.weights(), (std::vector<double>{1, 2, 6}));
  EXPECT_EQ(report_.edges, 7u);
  EXPECT_EQ(report_.duplicates, 2u);
  EXPECT_EQ(report_.self_loops, 2u);
  EXPECT_EQ(graph.node_count(), 4u);  // c has no edges, but is there
}

TEST_F(EdgeList, ASingleNode) {
  const Graph graph = read_graph(write("alone\talone\n"));
  EXPECT_EQ(graph.node_count(), 1u);
  EXPECT_EQ(graph.edge_count(), 0u);
}

TEST_F(EdgeList, WrongColumns) {
  expect_error(
      "a\n",
      "line 1: 1 column, 2 or 3 are wanted (child, parent, weight), separated by blanks: 'a'");
  expect_error("a b 1 c\n", "line 1: 4 columns, 2 or 3 are wanted");
  expect_error("a b\n# note\na b 1\n",
               "line 3: 3 columns, the lines before have 2, separated by blanks: 'a b 1'");
  expect_error("a,b\nc\n", "line 2: 1 column, the lines before have 2, separated by commas: 'c'");
  expect_error("a\tb\t1\na\tb\n", "line 2: 2 columns, the lines before have 3");
  expect_error("a\tb\na\t\n", "line 2: an empty name");
  expect_error("a,b\n,b\n", "line 2: an empty name");
}

TEST_F(EdgeList, BadBytes) {
  expect_error("a b\nc\0d e\n"s, "line 2: a NUL byte after 'c'");
  expect_error("a\0\t\0b\0\n\0"s, "UTF-16");
  expect_error("# \0\na b"s, "line 1: a NUL byte");
  expect_error("a b\na\x01 b\n", "line 2: a control character (0x01) in a name: 'a?'");
  expect_error("\"a\tb\",c\n", "a control character (0x09)", {.separator = Separator::comma});
  for (const std::string bad :
       {"\xFF", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "caf\xE9", "\xF4\x90\x80\x80", "\xC3",
        "\xE2\x82", "\xF8\x88\x80\x80\x80", "\x80"})
    expect_error("a b\n" + bad + " b\n", "line 2: a name that is not UTF-8 (byte 0x");
  expect_error(
      "a b\n\xEF\xBB\xBF"
      "c d\n",
      "line 2: a name that begins with a byte order mark");
  EXPECT_EQ(read("\xC3\xA9 \xF0\x9F\x90\x95\n\xE2\x82\xAC \xF4\x8F\xBF\xBF\n"),
            "\xC3\xA9>\xF0\x9F\x90\x95 \xE2\x82\xAC>\xF4\x8F\xBF\xBF");
}

TEST_F(EdgeList, NoEdges) {
  expect_error("", "no edges");
  expect_error("\n\n# nothing\n", "no edges");
  expect_error("\xEF\xBB\xBF", "no edges");
  EXPECT_TRUE(contains(io_error_of([&] { read_graph(directory_ / "absent"); }), "absent"));
  EXPECT_TRUE(contains(io_error_of([&] { read_graph(directory_); }), "regular file"));
}

TEST_F(EdgeList, LongLines) {
  const std::size_t longest = std::size_t(1) << 20;
  const std::string name(longest - 3, 'x');  // and " b\n"
  EXPECT_EQ(read("a b\n" + name + " b\nc d"), "a>b " + name + ">b c>d");
  EXPECT_EQ(read(name + "x b"), name + "x>b");
  expect_error("a b\n" + name + "x b\n", "line 2: it is longer than 1048576 bytes");
  expect_error(name + "xx b", "line 1: it is longer than 1048576 bytes");
}

TEST_F(EdgeList, AGigabyteLineIsNotReadWhole) {
  if (!can_limit_memory()) GTEST_SKIP() << "memory cannot be limited here";
  const fs::path path = write(std::string(3000000, 'x'));
  fs::resize_file(path, std::uintmax_t(1) << 30);  // a hole
  const MemoryLimit limit(std::size_t(1) << 25);
  EXPECT_TRUE(contains(io_error_of([&] { read_graph(path); }), "line 1: it is longer than"));
}

TEST_F(EdgeList, ManyLinesThroughAllBlocks) {
  std::string text;
  std::string expected;
  for (int i = 0; i < 60000; ++i) {
    const std::string name = "node" + std::to_string(i);
    text += name + "\troot\n";
    expected += (i == 0 ? "" : " ") + name + ">root";
  }
  std::uint64_t last = 0;
  std::uint64_t size = 0;
  EdgeListOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    last = done;
    size = total;
  };
  EXPECT_EQ(read(text, options), expected);
  EXPECT_EQ(last, text.size());
  EXPECT_EQ(size, text.size());
}

TEST_F(EdgeList, WrittenAndReadAgain) {
  auto names = std::make_shared<NameTable>();
  for (const char* name : {"a b", "c,\"d\"", "#e", "alone", "\xC3\xA9"}) names->enter(name);
  const Graph graph(names, {0, 0, 4, 2}, {1, 2, 0, 0}, {0.1, 1e300, 3, 1});
  const fs::path path = directory_ / "out.tsv";
  write_graph(path, graph);
  EXPECT_EQ(
      content_of(path),
      "a b\tc,\"d\"\t0.1\na b\t#e\t1e+300\n\xC3\xA9\ta b\t3\n\"#e\"\ta b\t1\nalone\talone\t1\n");
  const Graph back = read_graph(path);
  EXPECT_EQ(text_of(back), text_of(graph));
  EXPECT_EQ(back.weights(), graph.weights());
  EXPECT_EQ(back.node_count(), graph.node_count());
}

// Names that look like something else, at the beginning of a file.
TEST_F(EdgeList, AnyNamesAreWrittenAndReadAgain) {
  for (const std::string name : {"child",
                                 "id1",
                                 "\"x\"",
                                 "#NEXUS",
                                 "# x",
                                 "%",
                                 "%%MatrixMarket",
                                 "//",
                                 "*Vertices 3",
                                 "|",
                                 "<?xml",
                                 "{",
                                 "[Term]",
                                 "(a,b);",
                                 "format-version: 1",
                                 "-1",
                                 "a;b",
                                 "a,b",
                                 "digraph g {",
                                 "graph [",
                                 "0,5"})
    for (const std::string other : {"parent", "|", "\"", "5"})
      for (const bool weighted : {false, true}) {
        auto names = std::make_shared<NameTable>();
        names->enter(name);
        if (!names->enter(other).second) continue;
        const Graph graph(names, {0}, {1},
                          weighted ? std::vector<double>{2} : std::vector<double>());
        const fs::path path = directory_ / "out.tsv";
        write_graph(path, graph);
        const Graph back = read_graph(path);
        EXPECT_EQ(text_of(back), text_of(graph)) << content_of(path);
        EXPECT_EQ(back.weights(), graph.weights());
      }
}

TEST_F(EdgeList, WritingReportsProgress) {
  const Graph graph = random_graph(600, 0.5, true, 2);
  std::size_t last = 0;
  write_graph(directory_ / "out.tsv", graph, [&](std::size_t done) { last = done; });
  EXPECT_GT(graph.edge_count(), 65536u);
  EXPECT_EQ(last, 65536u);
}

TEST_F(EdgeList, NamesThatCannotBeWritten) {
  const fs::path path = directory_ / "out.tsv";
  for (const auto& [name, problem] :
       {std::pair<std::string, std::string>{"a\tb", "control character (0x09)"},
        {"a\n", "control character (0x0A)"},
        {"", "an empty name"},
        {" a", "begins or ends with a blank"},
        {"\xFF", "not UTF-8"}}) {
    auto names = std::make_shared<NameTable>();
    names->enter(name);
    names->enter("b");
    const std::string message =
        io_error_of([&, shared = names] { write_graph(path, Graph(shared, {0}, {1})); });
    EXPECT_TRUE(contains(message, problem) && contains(message, path.string())) << message;
    EXPECT_EQ(files_here(), 0u);
  }
}

#if MCT_HAS_ZLIB

class CompressedList : public EdgeList {
 protected:
  /// A list of some size, compressed.
  std::string compressed() {
    const fs::path path = directory_ / "edges.tsv.gz";
    write_graph(path, graph_);
    return content_of(path);
  }
  std::string error_of(const std::string& bytes) {
    const fs::path path = write(bytes, "edges.tsv.gz");
    const std::string message = io_error_of([&] { read_graph(path); });
    EXPECT_TRUE(contains(message, path.string())) << message;
    return message;
  }

  Graph graph_ = random_graph(300, 0.3, true, 5);
};

TEST_F(CompressedList, WrittenAndReadAgain) {
  const std::string bytes = compressed();
  EXPECT_EQ(bytes.substr(0, 2), "\x1F\x8B");
  EXPECT_EQ(compressed(), bytes);
  const fs::path plain = directory_ / "plain.tsv";
  write_graph(plain, graph_);
  EXPECT_LT(bytes.size(), content_of(plain).size() / 2);
  // known by its content, not its name
  const Graph back = read_graph(write(bytes, "edges.txt"));
  EXPECT_EQ(text_of(back), text_of(graph_));
}

TEST_F(CompressedList, PartsOneAfterTheOther) {
  const Graph one = graph_of(2, {{0, 1}});
  const Graph two = graph_of(3, {{2, 0}});
  std::string bytes;
  for (const Graph& graph : {one, nodes_where(two, {1, 0, 1})}) {
    write_graph(directory_ / "part.gz", graph);
    bytes += content_of(directory_ / "part.gz");
  }
  EXPECT_EQ(text_of(read_graph(write(bytes))), "0>1 2>0");
}

TEST_F(CompressedList, CutOff) {
  const std::string bytes = compressed();
  for (const std::size_t length : {std::size_t(2), std::size_t(9), std::size_t(10),
                                   bytes.size() / 2, bytes.size() - 8, bytes.size() - 1})
    EXPECT_TRUE(contains(error_of(bytes.substr(0, length)), "is cut off")) << length;
}

TEST_F(CompressedList, Damaged) {
  std::string bytes = compressed();
  bytes[bytes.size() / 2] = char(~bytes[bytes.size() / 2]);
  EXPECT_NE(error_of(bytes), "");
  bytes = compressed();
  bytes[bytes.size() - 6] = char(~bytes[bytes.size() - 6]);  // of the check sum
  EXPECT_TRUE(contains(error_of(bytes), "damaged near byte")) << error_of(bytes);
  EXPECT_TRUE(contains(error_of(compressed() + "and more"), "damaged near byte"));
  EXPECT_TRUE(contains(error_of("\x1F\x8B\x07 no gzip"), "damaged near byte"));
}

#endif

}  // namespace
}  // namespace mct::embed

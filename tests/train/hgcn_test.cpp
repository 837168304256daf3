// Graphs and texts in the files of hyperbolic graph networks, whole and wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "apps/mct/train/node_graph.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/archive_bytes.hpp"
#include "tests/files.hpp"
#include "tests/train/pickle_bytes.hpp"

namespace mct::test {
namespace {

using namespace cli::train;
using namespace testing;

std::string features_npz(const std::string& format, bool deflate) {
  // (1 0 2), (0 0 3), (0 4 0), by rows or by columns
  const bool by_rows = format == "csr";
  const std::vector<std::int32_t> starts =
      by_rows ? std::vector<std::int32_t>{0, 2, 3, 4} : std::vector<std::int32_t>{0, 1, 2, 4};
  const std::vector<std::int32_t> places =
      by_rows ? std::vector<std::int32_t>{0, 2, 2, 1} : std::vector<std::int32_t>{0, 2, 0, 1};
  const std::vector<double> values =
      by_rows ? std::vector<double>{1, 2, 3, 4} : std::vector<double>{1, 4, 2, 3};
  return zip_of({{"indices.npy", npy_of("<i4", "(4,)", places)},
                 {"indptr.npy", npy_of("<i4", "(4,)", starts)},
                 {"format.npy", npy_of<char>("|S3", "()", {format.begin(), format.end()})},
                 {"shape.npy", npy_of<std::int64_t>("<i8", "(2,)", {3, 3})},
                 {"data.npy", npy_of("<f8", "(4,)", values)}},
                deflate);
}

class HgcnTest : public FileTest {
 protected:
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
  }
  void write_disease() const {
    write("d.edges.csv", "7,5\n5,6\n5,5\n");
    write("d.labels.npy", npy_of<double>("<f8", "(3,)", {1, 0, 1}));
    write("d.feats.npz", features_npz("csr", false));
  }
  std::string message() const {
    return io_error_of([&] { read_node_graph(directory_); });
  }
  void expect_message(const std::string& file, const std::string& what) const {
    EXPECT_TRUE(contains(message(), file) && contains(message(), what)) << message();
  }
};

TEST_F(HgcnTest, ReadsTablesAndArrays) {
  write_disease();
  for (const bool deflate : {false, true})
    for (const auto* const format : {"csr", "csc"}) {
      write("d.feats.npz", features_npz(format, deflate));
      const NodeGraph graph = read_node_graph(directory_ / "d.edges.csv");
      EXPECT_EQ(graph.name, "d");
      EXPECT_EQ(graph.labels.values(), (std::vector<std::int64_t>{1, 0, 1}));
      EXPECT_EQ(graph.edges, (NeighbourList{{0, 1}, {1, 2}}));  // in the order of the table
      EXPECT_EQ(graph.left_out, 1);
      EXPECT_EQ(product(graph.features, eye<double>(3)).values(),
                (std::vector<double>{1, 0, 2, 0, 0, 3, 0, 4, 0}));
      EXPECT_EQ(graph.drawn.test, 0.6);
    }
  fs::remove(directory_ / "d.feats.npz");
  EXPECT_EQ(read_node_graph(directory_).features.columns, 0);
}

TEST_F(HgcnTest, MessagesNameTheFileAndWhatIsWrong) {
  write_disease();
  write("d.feats.npz", features_npz("coo", false));
  expect_message("d.feats.npz", "neither csr nor csc");
  write("d.feats.npz", "PK");
  expect_message("d.feats.npz", "not a whole zip archive");
  write_disease();
  write("d.labels.npy", npy_of<double>("<f8", "(3,)", {1, 0.5, 1}));
  expect_message("d.labels.npy", "label 1 is 0.5");
  write("d.labels.npy", npy_of<double>("<f8", "(2,)", {1, 0}));
  expect_message("d.labels.npy", "shape (2,) for 3 nodes");
  write_disease();
  write("d.edges.csv", "7,5\n5;6\n");
  expect_message("d.edges.csv', line 2", "'5;6' is not node,node");
  write("d.edges.csv", "");
  expect_message("d.edges.csv", "no edges");
  write_disease();
  write("other.edges.csv", "1,2\n");
  expect_message(directory_.string(), "2 graphs (d.edges.csv, other.edges.csv)");
}

std::string real(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return "G" + high_first(bits, 8);
}
/// Three airports 40, 7 and 9, of which the first has flights to the others.
std::string airports(const std::string& last) {
  const auto node = [](int id, const std::string& feature) {
    return pickled(id) + "}" + pickled("feat") + "](" + real(0.5) + pickled(2) + feature + "es";
  };
  return pickle_of("cnetworkx.classes.graph\nGraph\n)\x81}(" + pickled("_node") + "}(" +
                   node(40, real(1.2)) + node(7, real(0.1)) + node(9, last) + "u" +
                   pickled("_adj") + "}(" + pickled(40) + "}(" + pickled(7) + "}" + pickled(9) +
                   "}u" + pickled(7) + "}" + pickled(9) + "}uub");
}

TEST_F(HgcnTest, ReadsPicklesOfNetworkx) {
  write("air.p", airports(real(1.3)));
  const NodeGraph graph = read_node_graph(directory_);
  EXPECT_EQ(graph.name, "air");
  EXPECT_EQ(graph.edges, (NeighbourList{{0, 1}, {0, 2}}));
  EXPECT_EQ(graph.labels.values(), (std::vector<std::int64_t>{2, 0, 3}));
  EXPECT_EQ(graph.classes, 4);
  EXPECT_EQ(product(graph.features, eye<double>(2)).values(),
            (std::vector<double>{0.5, 2, 0.5, 2, 0.5, 2}));
  write("air.p", airports("N"));
  expect_message("air.p", "that is not a finite number");
  write("air.p", airports(real(1.3) + real(0)));
  expect_message("air.p", "node number 2 has 4 features");
  const std::string whole = airports(real(1.3));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    write("air.p", whole.substr(0, i));
    EXPECT_THROW(read_node_graph(directory_), IoError) << i;
  }
}

class TextsTest : public HgcnTest {
 protected:
  NodeGraph read(const std::string& table) const {
    write("small.csv", table);
    return read_node_graph(directory_ / "small.csv");
  }
  std::string message_of(const std::string& table) const {
    return io_error_of([&] { read(table); });
  }
};

TEST_F(TextsTest, WordsAreWeighted) {
  const NodeGraph graph = read(
      "split,label,text\ntrain,b,\"x x, y\"\"\"\ntrain,a,x x x z\nval,a,z z z z rare\ntest,b,q\n");
  EXPECT_EQ(graph.name, "small");
  EXPECT_EQ(graph.classes, 2);
  EXPECT_EQ(graph.labels.values(), (std::vector<std::int64_t>{1, 0, 0, 1}));
  EXPECT_TRUE(graph.edges.empty());
  // "x," is another word than "x", which occurs four times: only z does five times
  ASSERT_EQ(graph.features.columns, 1);
  const double weight = std::log(2.0);
  EXPECT_EQ(product(graph.features, eye<double>(1)).values(),
            (std::vector<double>{0, weight, 4 * weight, 0}));
  EXPECT_EQ(graph.train.values(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(graph.validation.values(), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(graph.test.values(), (std::vector<std::int64_t>{3}));
}

TEST_F(TextsTest, MessagesNameTheLine) {
  EXPECT_TRUE(contains(message_of("kind,text\na,b\n"), "line 1: no columns 'label' and 'text'"));
  EXPECT_TRUE(contains(message_of("label,text\na,b\nc\n"), "line 3: 1 fields, expected 2"));
  EXPECT_TRUE(contains(message_of("label,text\na,\"b\n"), "line 2: a quote that is not closed"));
  EXPECT_TRUE(contains(message_of("label,text,split\na,b,tset\n"), "line 2: 'tset' is not train"));
  EXPECT_TRUE(contains(message_of("label,text\na,b b b b b\na,c\n"), "all texts have one label"));
  EXPECT_TRUE(contains(message_of("label,text\na,b\nc,d\n"), "no word occurs 5 times"));
  EXPECT_TRUE(contains(message_of("label,text,split\na,b b b b b,train\nc,d,train\n"),
                       "2 texts for training, 0 for validation, 0 for the test"));
  EXPECT_TRUE(contains(message_of(""), "is empty"));
}

}  // namespace
}  // namespace mct::test

// Citation graphs from files, whole, damaged and of all sorts.
#include "apps/mct/train/node_graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "apps/mct/train/hyla_model.hpp"
#include "apps/mct/train/pickle.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/files.hpp"
#include "tests/message_of.hpp"
#include "tests/train/pickle_bytes.hpp"

namespace mct::test {
namespace {

using namespace cli::train;
using namespace testing;

/// 503 nodes before the test nodes 503 and 505; 504 is in no file but the graph. Node i has the
/// features 1 and i + 1 in columns i % 3 and 3, and the label i % 2.
constexpr int known = 503;
constexpr int nodes = 506;
std::vector<float> features_of(int i) {
  std::vector<float> row{0, 0, 0, float(i + 1)};
  row[std::size_t(i % 3)] = 1;
  return row;
}
std::map<std::string, std::string> planetoid_files(PickledBytes form) {
  std::vector<std::vector<float>> rows;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < known; ++i) {
    rows.push_back(features_of(i));
    for (const int c : {0, 1}) labels.push_back(i % 2 == c ? 1 : 0);
  }
  const auto first = [](const auto& all, std::size_t count) {
    return std::remove_cvref_t<decltype(all)>(all.begin(), all.begin() + std::ptrdiff_t(count));
  };
  // 505 stands before 503 in test.index
  const std::vector<std::vector<float>> test{features_of(505), features_of(503)};
  const std::vector<std::int32_t> test_labels{0, 1, 0, 1};
  const std::string neighbours = "](" + pickled(505) + pickled(0) + pickled(0) + "e";
  const std::string graph = "ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(" + pickled(503) +
                            neighbours + pickled(0) + "](" + pickled(503) + pickled(0) + "e" +
                            pickled(504) + "]u";
  return {{"allx", pickle_of(pickled_rows(rows, form))},
          {"x", pickle_of(pickled_rows(first(rows, 3), form))},
          {"tx", pickle_of(pickled_rows(test, form))},
          {"ally", pickle_of(pickled_array("i4", labels, {known, 2}, form))},
          {"y", pickle_of(pickled_array("i4", first(labels, 6), {3, 2}, form))},
          {"ty", pickle_of(pickled_array("i4", test_labels, {2, 2}, form))},
          {"graph", pickle_of(graph)},
          {"test.index", "505\n503\n"}};
}
/// The features as a whole matrix.
Tensor<double> dense(const NodeGraph& graph) {
  return product(graph.features, eye<double>(graph.features.columns));
}
void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}
void write(const TemporaryDirectory& folder, const std::map<std::string, std::string>& files) {
  for (const auto& [part, text] : files) write_file(folder.path() / ("ind.tiny." + part), text);
}

TEST(NodeGraph, ReadsPlanetoidsPickles) {
  for (const auto form : {PickledBytes::string, PickledBytes::encoded}) {
    const TemporaryDirectory folder;
    write(folder, planetoid_files(form));
    const NodeGraph graph = read_node_graph(folder.path());
    ASSERT_EQ(graph.nodes(), nodes);
    EXPECT_EQ(graph.classes, 2);
    EXPECT_EQ(graph.edges, (NeighbourList{{0, 503}, {503, 505}}));
    EXPECT_EQ(graph.left_out, 1);  // 0 to itself
    const auto features = dense(graph);
    for (int i = 0; i < nodes; ++i) {
      if (i == 504) continue;
      EXPECT_EQ(graph.labels.data()[i], i % 2);
      for (int c = 0; c < 4; ++c)
        EXPECT_EQ(features.at({i, c}), double(features_of(i)[std::size_t(c)]));
    }
    EXPECT_EQ(features.at({504, 3}), 0);
    EXPECT_EQ(graph.train.values(), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(graph.validation.numel(), 500);
    EXPECT_EQ(graph.validation.data()[0], 3);
    EXPECT_EQ(graph.test.values(), (std::vector<std::int64_t>{505, 503}));
  }
}

TEST(NodeGraph, DamagedPicklesAreRefused) {
  const TemporaryDirectory folder;
  const auto files = planetoid_files(PickledBytes::string);
  write(folder, files);
  int refused = 0;
  for (const char* part : {"y", "graph"}) {
    const std::string& whole = files.at(part);
    const auto path = folder.path() / (std::string("ind.tiny.") + part);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      write_file(path, whole.substr(0, i));
      EXPECT_THROW(Pickle{path}, IoError) << part << " cut at " << i;
      // an end of operations, lengths of gigabytes, values and marks from nowhere
      for (const char other : {'\xff', '\x8e', 'T', 'h', '(', '.', 'R'}) {
        std::string changed = whole;
        changed[i] = other;
        write_file(path, changed);
        try {
          const Pickle pickle(path);
          if (i % 32 == 0) read_node_graph(folder.path());
        } catch (const IoError&) {
          ++refused;
        }
      }
    }
    write_file(path, whole);
  }
  EXPECT_GT(refused, 400);
  EXPECT_NO_THROW(read_node_graph(folder.path()));
}

TEST(NodeGraph, MessagesNameTheFileAndWhatIsWrong) {
  const auto files = planetoid_files(PickledBytes::string);
  const auto message_with = [&](const char* part, const std::string& text) {
    const TemporaryDirectory folder;
    write(folder, files);
    write_file(folder.path() / (std::string("ind.tiny.") + part), text);
    return message_of<IoError>([&] { read_node_graph(folder.path()); });
  };
  const auto expect = [&](const std::string& message, const std::vector<std::string>& texts) {
    for (const auto& text : texts)
      EXPECT_NE(message.find(text), std::string::npos) << message << "\nwithout " << text;
  };
  expect(message_with("graph", pickle_of("cos\nsystem\n" + pickled("true") + "\x85R")),
         {"ind.tiny.graph", "'os system'"});
  expect(message_with("graph", pickle_of("}(" + pickled(3) + "](" + pickled(506) + "eu")),
         {"ind.tiny.graph", "node 506 does not exist; there are 506 nodes"});
  expect(message_with("y", pickle_of("\xfe")), {"ind.tiny.y", "byte 2", "0xfe"});
  expect(message_with("y", "\x80\x02U\x09xy"), {"ind.tiny.y", "byte 2", "9 bytes", "2 left"});
  expect(message_with("test.index", "505\n12\n"), {"ind.tiny.test.index", "line 2", "12", "503"});
  expect(message_with("tx", pickle_of(pickled_rows({{1, 2}, {0, 1}}, PickledBytes::string))),
         {"ind.tiny.tx", "2 columns", "allx has 4"});
  const std::vector<float> complex(4);
  expect(message_with("y", pickle_of(pickled_array("c8", complex, {1, 2}, PickledBytes::string))),
         {"ind.tiny.y", "c8"});
  const std::vector<std::int32_t> few(3);
  expect(message_with("y", pickle_of(pickled_array("i4", few, {2, 2}, PickledBytes::string))),
         {"ind.tiny.y", "12 bytes", "4 numbers"});
  // rows that begin at NaN
  std::string rows = pickled_rows({{1, 2}, {0, 1}}, PickledBytes::string);
  const std::vector<double> starts{0, std::nan(""), 3};
  const std::string as_integers =
      pickled_array("i4", std::vector<std::int32_t>{0, 2, 3}, {3}, PickledBytes::string);
  ASSERT_NE(rows.find(as_integers), std::string::npos);
  rows.replace(rows.find(as_integers), as_integers.size(),
               pickled_array("f8", starts, {3}, PickledBytes::string));
  expect(message_with("tx", pickle_of(rows)), {"ind.tiny.tx", "2 rows"});
  const std::int64_t huge = 0x7fffffff;
  expect(message_with("y", pickle_of(pickled_array("i4", few, {huge, huge}, PickledBytes::string))),
         {"ind.tiny.y", "2147483647"});
}

TEST(NodeGraph, ReadsPlainText) {
  const TemporaryDirectory folder;
  write_file(folder.path() / "small.content", "b 1 0 1 Theory\na 0 0 2 Agents\nc 0 0 0 Theory\n");
  write_file(folder.path() / "small.cites", "a b\nb\ta\na gone\nc c\n");
  const NodeGraph graph = read_node_graph(folder.path());
  EXPECT_EQ(graph.labels.values(), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(graph.edges, (NeighbourList{{0, 1}}));
  EXPECT_EQ(graph.left_out, 2);
  EXPECT_EQ(dense(graph).values(), (std::vector<double>{1, 0, 1, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(graph.train.numel(), 0);
  const auto message = [&] { return message_of<IoError>([&] { read_node_graph(folder.path()); }); };
  write_file(folder.path() / "small.content", "b 1 0 1 Theory\na 0 x 2 Agents\n");
  EXPECT_NE(message().find("line 2"), std::string::npos) << message();
  write_file(folder.path() / "small.content", "b 1 0 Theory\nb 0 2 Agents\n");
  EXPECT_NE(message().find("'b' occurs twice"), std::string::npos) << message();
  write_file(folder.path() / "small.content", "b 1 0 Theory\na 0 Agents\n");
  EXPECT_NE(message().find("3 columns, expected 4"), std::string::npos) << message();
  write_file(folder.path() / "other.content", "b 1 0 Theory\n");
  EXPECT_NE(message().find("2 graphs"), std::string::npos) << message();
  EXPECT_THROW(read_node_graph(folder.path() / "none"), IoError);
}

TEST(NodeGraph, SplitsCitationsByClass) {
  GraphTask task;
  task.classes = 3;
  task.labels = Tensor<std::int64_t>(Shape{100});
  for (int i = 0; i < 100; ++i) task.labels.data()[i] = i < 10 ? 0 : 1 + i % 2;
  split_citations(task, 4);
  EXPECT_EQ(task.train.numel(), 10 + 20 + 20);
  EXPECT_EQ(task.validation.numel(), 16);
  EXPECT_EQ(task.test.numel(), 34);
  task.labels = Tensor<std::int64_t>(Shape{21});
  EXPECT_THROW(split_citations(task, 4), DomainError);
  task.labels = Tensor<std::int64_t>(Shape{2000});
  split_citations(task, 4);
  EXPECT_EQ(task.validation.numel(), 500);
  EXPECT_EQ(task.test.numel(), 1000);
}

}  // namespace
}  // namespace mct::test

// Trees in the hyperbolic plane: reading, Sarkar's construction, how far it can go.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>

#include "mctensor/embed/sarkar.hpp"
#include "mctensor/graph/tree.hpp"
#include "tests/files.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::embed {
namespace {

namespace fs = std::filesystem;
using geometry::HTiling;
using geometry::LTiling;
using testing::contains;
using testing::io_error_of;
using testing::message_of;

static_assert(!std::is_default_constructible_v<Tree>, "a tree has a root");

class TreeFile : public testing::FileTest {
 protected:
  fs::path write(const std::string& text, const std::string& name = "tree.txt") const {
    std::ofstream(directory_ / name) << text;
    return directory_ / name;
  }
  std::string edge_list_error(const std::string& text) const {
    const fs::path path = write(text);
    const std::string message = io_error_of([&] { read_edge_list(path); });
    EXPECT_TRUE(contains(message, path.string())) << message;
    return message;
  }
};

TEST_F(TreeFile, ReadsEdges) {
  const Tree tree = read_edge_list(
      write("# a tree\nanimal, dog\n\nanimal\tcat  # tame\r\nthing animal\ncat lion"));
  ASSERT_EQ(tree.size(), 5u);
  EXPECT_EQ(tree.name(0), "thing");
  EXPECT_EQ(tree.name(1), "animal");
  EXPECT_EQ(tree.name(2), "dog");
  EXPECT_EQ(tree.name(3), "cat");
  EXPECT_EQ(tree.name(4), "lion");
  EXPECT_EQ(tree.parent(0), -1);
  EXPECT_EQ(tree.parent(3), 1);
  EXPECT_EQ(tree.depth(4), 3);
  EXPECT_EQ(tree.largest_depth(), 3);
  EXPECT_EQ(tree.largest_degree(), 3u);
  EXPECT_EQ(tree.children(1).size(), 2u);
}

// As of edge lists: what stands there for people is no node, and what is meant otherwise is
// refused.
TEST_F(TreeFile, HeadersSemicolonsQuotes) {
  EXPECT_EQ(read_edge_list(write("# x\nparent_term;term\na;b\n")).size(), 2u);
  EXPECT_EQ(read_edge_list(write("a parent\nparent child\n")).size(), 3u);
  EXPECT_TRUE(contains(edge_list_error("child,parent\na,b\n"),
                       "line 1: the header is 'child', 'parent', but the lines"));
  EXPECT_TRUE(contains(edge_list_error("a b\n\"a\",\"c\"\n"), "line 2: a quote"));
}

TEST_F(TreeFile, SaysWhatIsNoTree) {
  EXPECT_TRUE(
      contains(edge_list_error("a b\na b c\n"), "line 2: 'parent child' expected, found 3"));
  EXPECT_TRUE(
      contains(edge_list_error("a b\n\nc b\n"), "line 3: the node 'b' has a parent already"));
  EXPECT_TRUE(contains(edge_list_error("a b\nc d\n"), "two roots, 'a' and 'c'"));
  EXPECT_TRUE(contains(edge_list_error("a b\nb a\n"), "no node is the root"));
  EXPECT_TRUE(contains(edge_list_error("r s\na b\nb a\n"), "'a' is its own ancestor"));
  EXPECT_TRUE(contains(edge_list_error("# nothing\n"), "no edges"));
  EXPECT_TRUE(contains(edge_list_error("a b\n\xEF\xBB\xBFx c\n"),
                       "line 2: a name that begins with a byte order mark"));
  EXPECT_TRUE(contains(edge_list_error("a b\nb \xFF\n"), "line 2: a name that is not UTF-8"));
  EXPECT_TRUE(contains(io_error_of([] { read_edge_list("/nonexistent"); }), "/nonexistent"));
  EXPECT_TRUE(contains(io_error_of([&] { read_edge_list(directory_); }), "regular file"));
  EXPECT_NE(message_of<DomainError>([] { Tree::from_parents({{"a", ""}, {"a", "a"}}); }), "");
  EXPECT_NE(message_of<DomainError>([] { Tree::from_parents({{"a", ""}, {"b", "x"}}); }), "");
}

const std::string noun_head = "  1 This software and database is being provided\n";

TEST_F(TreeFile, ReadsWordNetsFormat) {
  write(noun_head +
            "00001740 03 n 01 entity 0 001 ~ 00001930 n 0000 | that which is perceived  \n"
            "00001930 03 n 02 thing 0 object 1 002 @ 00001740 n 0000 ~ 00002000 n 0000 | x | y\n"
            "00002000 03 n 01 dog 0 002 @ 00001930 n 0000 @ 00001740 n 0000 | barks\n"
            "00003000 18 n 01 Rex 0 001 @i 00002000 n 0000 | a dog\n"
            "00004000 18 n 01 tail 0 001 @ 00003000 n 0000 | below an instance\n",
        "data.noun");
  const Tree tree = read_wordnet_nouns(directory_);
  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(tree.name(2), "dog.00002000");
  EXPECT_EQ(tree.parent(2), 1);
}

TEST_F(TreeFile, SaysWhatIsWrongInWordNet) {
  const auto error = [&](const std::string& line) {
    write(noun_head + line + "\n", "data.noun");
    return io_error_of([&] { read_wordnet_nouns(directory_); });
  };
  EXPECT_TRUE(contains(error("00001740 03 v 01 entity 0 000"), "line 2: a synset of type 'v'"));
  EXPECT_TRUE(contains(error("00001740 03 n zz entity 0 000"), "number of words is 'zz'"));
  EXPECT_TRUE(contains(error("00001740 03 n 01 entity 0 -1"), "'-1'"));
  EXPECT_TRUE(contains(error("00001740 03 n 01 entity 0 002 @ 1 n"), "line 2: the line ends"));
  EXPECT_TRUE(contains(error("00001740 03 n 01 a 0 001 @ 00000001 n 0000"), "'00000001'"));
  EXPECT_TRUE(contains(error("7 03 n 01 a 0 001 @ 7 n 0000\n7 03 n 01 a 0 001 @ 7 n 0000"),
                       "line 3: the offset '7' occurs twice"));
}

TEST(WordNet, Nouns) {
  if (!fs::exists("/usr/share/wordnet/data.noun")) GTEST_SKIP() << "wordnet-base is not installed";
  const Tree tree = read_wordnet_nouns("/usr/share/wordnet");
  EXPECT_EQ(tree.size(), 74374u);
  EXPECT_EQ(tree.name(0), "entity.00001740");
  EXPECT_EQ(tree.largest_depth(), 19);
  EXPECT_EQ(tree.largest_degree(), 403u);
}

/// A tree of `count` nodes, each below an earlier one with fewer than `most` children.
Tree random_tree(int count, int most) {
  std::vector<std::pair<std::string, std::string>> nodes = {{"0", ""}};
  std::vector<int> children(std::size_t(count), 0);
  std::srand(1);
  for (int i = 1; i < count; ++i) {
    int parent;
    do {
      parent = std::rand() % i;  // NOLINT: any numbers will do
    } while (children[std::size_t(parent)] == most);
    ++children[std::size_t(parent)];
    nodes.emplace_back(std::to_string(i), std::to_string(parent));
  }
  return Tree::from_parents(nodes);
}

int tree_distance(const Tree& tree, std::size_t a, std::size_t b) {
  int edges = 0;
  while (a != b) {
    std::size_t& lower = tree.depth(a) > tree.depth(b) ? a : b;
    lower = std::size_t(tree.parent(lower));
    ++edges;
  }
  return edges;
}

template <class Plane>
class Sarkar : public ::testing::Test {};
template <class P>
struct ScalarOf;
template <class V>
struct ScalarOf<LTiling<V>> {
  using type = V;
};
template <class V>
struct ScalarOf<HTiling<V, 2>> {
  using type = V;
};
#ifdef MCT_EXHAUSTIVE
using Planes = ::testing::Types<LTiling<double>, LTiling<f64x2>, HTiling<double, 2>,
                                HTiling<f64x2, 2>, LTiling<float>>;
#else
using Planes = ::testing::Types<LTiling<double>, LTiling<float>, HTiling<f64x2, 2>>;
#endif
TYPED_TEST_SUITE(Sarkar, Planes);

TYPED_TEST(Sarkar, KeepsTheDistancesOfATree) {
  using V = typename ScalarOf<TypeParam>::type;
  const double unit = geometry::tiling_detail::unit_roundoff<V>();
  const Tree tree = random_tree(150, 4);
  const TypeParam plane;
  for (const double epsilon : {1.0, 0.1, 0.02}) {
    const double length = sarkar_edge_length(tree, epsilon);
    std::size_t told = 0;
    const auto x = sarkar_embedding(plane, tree, V(length), [&](std::size_t done) { told = done; });
    ASSERT_EQ(x.size(), tree.size());
    EXPECT_EQ(told, tree.size());
    for (std::size_t a = 0; a < tree.size(); ++a) {
      if (a > 0) {
        const V edge = plane.dist(x[a], x[std::size_t(tree.parent(a))]);
        EXPECT_LE(std::fabs(double(validation::truth_of(edge - V(length)))),
                  64 * unit * (length + 1));
      }
      for (std::size_t b = 0; b < a; ++b) {
        const double wanted = tree_distance(tree, a, b) * length;
        const double found = double(geometry::tiling_detail::lead(plane.dist(x[a], x[b])));
        EXPECT_LE(found, wanted * (1 + 64 * std::ldexp(1.0, -24)));
        EXPECT_LE(wanted, found * (1 + epsilon)) << epsilon;
      }
    }
  }
}

/// Siblings: sinh(d / 2) = sinh(length) sin(angle / 2).
TYPED_TEST(Sarkar, SpreadsEdgesEvenly) {
  using V = typename ScalarOf<TypeParam>::type;
  using validation::Truth;
  const double unit = geometry::tiling_detail::unit_roundoff<V>();
  const validation::TruthPrecision precision(400);
  const Truth angle = 2 * atan(Truth(1)) * 4 / 5;
  const Truth d = 2 * asinh(Truth(sinh(Truth(3)) * sin(Truth(angle / 2))));
  std::vector<std::pair<std::string, std::string>> nodes = {{"root", ""}};
  for (int i = 0; i < 5; ++i) nodes.emplace_back(std::string(1, char('a' + i)), "root");
  for (int i = 0; i < 4; ++i) nodes.emplace_back(std::string(1, char('k' + i)), "c");
  const Tree tree = Tree::from_parents(nodes);
  const TypeParam plane;
  const auto x = sarkar_embedding(plane, tree, V(3));
  const std::size_t top = std::size_t(tree.children(0)[2]);
  for (const std::size_t node : {std::size_t(0), top}) {
    const auto& children = tree.children(node);
    for (std::size_t i = 0; i + 1 < children.size(); ++i) {
      const V found = plane.dist(x[std::size_t(children[i])], x[std::size_t(children[i + 1])]);
      EXPECT_LE(double(Truth(abs(validation::truth_of(found) - d))), 200 * unit);
    }
  }
}

/// A path of 300 edges of length 40: far beyond what coordinates can hold.
TYPED_TEST(Sarkar, DeepTrees) {
  using V = typename ScalarOf<TypeParam>::type;
  std::vector<std::pair<std::string, std::string>> nodes = {{"0", ""}};
  for (int i = 1; i <= 300; ++i) nodes.emplace_back(std::to_string(i), std::to_string(i - 1));
  const Tree tree = Tree::from_parents(nodes);
  const TypeParam plane;
  const auto x = sarkar_embedding(plane, tree, V(40));
  EXPECT_NEAR(double(geometry::tiling_detail::lead(plane.dist(x[0], x[300]))) / 12000, 1, 1e-5);
  EXPECT_NEAR(double(geometry::tiling_detail::lead(plane.dist(x[299], x[300]))) / 40, 1, 1e-5);
}

/// The half-plane x_1 > 0 in plain coordinates, for sarkar_embedding: what is out of the range of V
/// (distances of about 700 in double) becomes zero or infinite, and points near one another far
/// from (0, 1) lose their digits. HTiling has neither problem.
template <class V>
struct PlainHalfPlane {
  using Point = std::array<V, 2>;
  struct Ray {
    Point at = {V(0), V(1)};
    std::array<V, 2> direction{};
  };
  static Ray turned(const Ray& ray, const V& cosine, const V& sine) {
    const auto& w = ray.direction;
    return {ray.at, {cosine * w[0] - sine * w[1], sine * w[0] + cosine * w[1]}};
  }
  /// By a geodesic of any length: in pieces, as HTiling.
  static Ray advance(const Ray& ray, const V& distance) {
    // the steps of the tiling, from a point of height 1 without a cube
    geometry::HTilingRay<V, 2> step;
    step.direction = ray.direction;
    const geometry::HTiling<V, 2> plane;
    step = plane.advance(step, distance);
    const auto moved = plane.to_half_space(step.at);
    return {{ray.at[0] + ray.at[1] * moved[0], ray.at[1] * moved[1]}, step.direction};
  }
};

TEST(SarkarPlain, AgreesUntilItsRangeEnds) {
  const Tree tree = random_tree(60, 4);
  const double length = 3;
  const auto plain = sarkar_embedding(PlainHalfPlane<f64x3>(), tree, f64x3(length));
  const auto tiled = sarkar_embedding(HTiling<f64x3, 2>(), tree, f64x3(length));
  const HTiling<f64x3, 2> plane;
  for (std::size_t i = 0; i < tree.size(); ++i)
    EXPECT_LE(plane.dist(plane.from_half_space(plain[i]), tiled[i]).limb[0], 1e-25);
  std::vector<std::pair<std::string, std::string>> nodes = {{"0", ""}};
  for (int i = 1; i <= 30; ++i) nodes.emplace_back(std::to_string(i), std::to_string(i - 1));
  const auto deep = sarkar_embedding(PlainHalfPlane<double>(), Tree::from_parents(nodes), 40.0);
  EXPECT_EQ(deep[30][1], 0) << "e^-1200";
}

TEST(SarkarPlain, RefusesDistortions) {
  const Tree tree = random_tree(5, 3);
  EXPECT_NE(message_of<DomainError>([&] { sarkar_edge_length(tree, 0); }), "");
  EXPECT_NE(message_of<DomainError>([&] { sarkar_edge_length(tree, NAN); }), "");
}

}  // namespace
}  // namespace mct::embed

// Pictures of embeddings.
#include "mctensor/pictures/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "src/embed/cone_relation.hpp"
#include "src/pictures/drawing.hpp"
#include "src/pictures/label_layout.hpp"
#include "src/pictures/picture_view.hpp"
#include "src/pictures/polar_view.hpp"
#include "tests/files.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed {
namespace {

/// In the plane, without the gradients.
double distance(const ConeRelation& relation, const double* u, const double* v) {
  double by_u[2], by_v[2];
  return relation.distance(u, v, 0, by_u, by_v);
}

using testing::content_of;
using testing::graph_of;
using testing::message_of;
using testing::TemporaryDirectory;

/// Nodes "0", "1", ... at these places of the half-plane.
Embedding embedding_of(const std::vector<std::pair<double, double>>& points) {
  auto names = std::make_shared<NameTable>();
  Tensor<double> coordinates({1, std::int64_t(points.size()), 2});
  for (std::size_t i = 0; i < points.size(); ++i) {
    names->enter(std::to_string(i));
    coordinates.data()[2 * i] = points[i].first;
    coordinates.data()[2 * i + 1] = points[i].second;
  }
  return {std::move(names), {PointStorage::half_space, 2, 1, 1, 1}, coordinates};
}

std::string svg_of(const Embedding& embedding, const Graph& edges, PictureOptions options = {},
                   DrawnCounts* counts = nullptr) {
  const TemporaryDirectory directory;
  const auto drawn = write_disk_svg(directory / "picture.svg", embedding, edges, options);
  if (counts != nullptr) *counts = drawn;
  return content_of(directory / "picture.svg");
}

std::string page_of(const Embedding& embedding, const Graph& edges, PictureOptions options = {}) {
  const TemporaryDirectory directory;
  write_disk_page(directory / "page.html", embedding, edges, options);
  return content_of(directory / "page.html");
}

/// A complete tree with so many children of every node: a node stands over its part of a line.
struct TreePicture {
  TreePicture(int children, int depth) {
    std::vector<std::pair<double, double>> points{{0, 1}};
    testing::Edges edges;
    for (int level = 0, begin = 0; level < depth; ++level) {
      const int end = int(points.size());
      for (int node = begin; node < end; ++node)
        for (int k = 0; k < children; ++k) {
          edges.emplace_back(int(points.size()), node);
          const auto [x, h] = points[std::size_t(node)];
          points.emplace_back(x + h * ((k + 0.5) / children - 0.5), h / children);
        }
      begin = end;
    }
    embedding = std::make_unique<Embedding>(embedding_of(points));
    graph = graph_of(int(points.size()), edges);
  }
  std::unique_ptr<Embedding> embedding;
  Graph graph;
};

/// The text of all matches of a regular expression's first group.
std::vector<std::string> all(const std::string& text, const std::string& expression) {
  const std::regex regex(expression);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

TEST(DiskSvg, ArcsEndAtTheirNodes) {
  const TreePicture tree(3, 3);
  DrawnCounts counts;
  PictureOptions options;
  options.radial = RadialScale::disk;
  const std::string svg = svg_of(*tree.embedding, tree.graph, options, &counts);
  EXPECT_EQ(counts.nodes, 40u);
  EXPECT_EQ(counts.edges, 39u);
  std::set<std::string> places;
  const std::regex circle("<circle cx=\"([^\"]*)\" cy=\"([^\"]*)\"[^>]*><title>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), circle), end; at != end; ++at)
    places.insert((*at)[1].str() + " " + (*at)[2].str());
  EXPECT_EQ(places.size(), 40u);
  const auto from = all(svg, "M([0-9.]+ [0-9.]+)[AL]");
  const auto to = all(svg, "(?:L|A[0-9.]+ [0-9.]+ 0 0 [01] )([0-9.]+ [0-9.]+)");
  EXPECT_EQ(from.size(), 39u);
  EXPECT_EQ(to.size(), 39u);
  for (const auto& ends : {from, to})
    for (const std::string& place : ends) EXPECT_TRUE(places.contains(place)) << place;
  EXPECT_NE(svg.find("M500"), std::string::npos) << "the root is in the middle";
}

TEST(DiskSvg, LabelsDoNotOverlap) {
  const TreePicture tree(4, 4);
  DrawnCounts counts;
  PictureOptions options;
  options.labels = 60;
  const std::string svg = svg_of(*tree.embedding, tree.graph, options, &counts);
  const std::regex text(
      "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" font-size=\"([0-9.]+)\" "
      "textLength=\"([0-9.]+)\"");
  std::vector<Box> boxes;
  for (std::sregex_iterator at(svg.begin(), svg.end(), text), end; at != end; ++at) {
    const auto number = [&](std::size_t i) { return std::stod((*at)[i]); };
    const double size = number(3);
    boxes.push_back(
        {number(1), number(2) - 0.88 * size, number(1) + number(4), number(2) + 0.2 * size});
  }
  EXPECT_EQ(boxes.size(), counts.labels);
  EXPECT_GT(counts.labels, 40u);
  EXPECT_LE(counts.labels, 60u);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_GE(boxes[i].left, 0);
    EXPECT_LE(boxes[i].right, 1000);
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(boxes[i].overlaps(boxes[k])) << i << ' ' << k;
  }
  options.labels = 0;
  EXPECT_EQ(
      all(svg_of(*tree.embedding, tree.graph, options), "<text x=\"[0-9.]+\" y=\"[0-9.]+\" (font)")
          .size(),
      0u);
}

TEST(DiskSvg, SizeIsBoundedByWhatCanBeSeen) {
  // 200000 points all over the disk, each below the one before
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform;
  std::vector<std::pair<double, double>> points;
  testing::Edges edges;
  for (int i = 0; i < 200'000; ++i) {
    const double r = std::sqrt(uniform(random)), angle = 2 * std::numbers::pi * uniform(random);
    const double x = r * std::cos(angle), y = r * std::sin(angle);
    const double d = x * x + (1 - y) * (1 - y);
    points.emplace_back(2 * x / d, (1 - r * r) / d);
    if (i > 0) edges.emplace_back(i, i - 1);
  }
  DrawnCounts counts;
  PictureOptions options;
  for (const RadialScale radial : {RadialScale::disk, RadialScale::distance}) {
    options.radial = radial;
    const std::string svg =
        svg_of(embedding_of(points), graph_of(200'000, edges), options, &counts);
    EXPECT_EQ(counts.nodes, 30'000u);
    EXPECT_EQ(counts.edges, 40'000u);
    EXPECT_LT(svg.size(), radial == RadialScale::disk ? 5'000'000u : 9'000'000u);
  }
  options.radial = RadialScale::disk;
  // what lies on one another is drawn once, and edges that are points are not drawn
  points.assign(5000, {0.001, 1e-9});
  points[0] = {0, 1};
  edges.clear();
  for (int i = 1; i < 5000; ++i) edges.emplace_back(i, i / 2);
  svg_of(embedding_of(points), graph_of(5000, edges), options, &counts);
  EXPECT_EQ(counts.nodes, 2u);
  EXPECT_EQ(counts.edges, 1u);
}

TEST(DiskSvg, TheCentreIsTheRootUnlessItIsNamed) {
  // 1 is the root of the larger tree, 0 the nearest to all others
  const auto embedding = embedding_of({{2, 3}, {4, 1}, {5, 1}, {0, 1}});
  const Graph edges = graph_of(4, {{2, 1}, {0, 1}});
  EXPECT_EQ(make_drawing(embedding, edges, {}).centre, 1);
  EXPECT_EQ(make_drawing(embedding, {}, {}).centre, 0);
  PictureOptions options;
  options.centre = 2;
  EXPECT_EQ(make_drawing(embedding, edges, options).centre, 2);
  EXPECT_NE(svg_of(embedding, edges, options).find("<title>2 in the hyperbolic"),
            std::string::npos);
}

TEST(Drawing, DrawsBasicEdgesAndTellsSubtreesApart) {
  // a closure: 0 over 1 over 2, 3 and over 4 over 5; 6 hangs on 0
  const auto embedding = embedding_of({{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}});
  const Graph edges =
      graph_of(7, {{1, 0}, {2, 1}, {2, 0}, {3, 1}, {3, 0}, {4, 0}, {5, 4}, {5, 0}, {6, 0}});
  PictureOptions options;
  options.subtrees = 2;
  const Drawing drawing = make_drawing(embedding, edges, options);
  EXPECT_EQ(drawing.edges.edge_count(), 6u);
  EXPECT_EQ(drawing.subtrees, (std::vector<std::int32_t>{1, 4}));
  EXPECT_EQ(drawing.colour, (std::vector<std::uint8_t>{0, 1, 1, 1, 2, 2, 0}));
  options.subtrees = 0;
  EXPECT_TRUE(make_drawing(embedding, edges, options).subtrees.empty());
  // with a cycle all edges are drawn
  EXPECT_EQ(
      make_drawing(embedding, graph_of(3, {{0, 1}, {1, 2}, {2, 0}, {0, 2}}), {}).edges.edge_count(),
      4u);
}

/// The places of all nodes of an SVG by their names.
std::map<std::string, std::complex<double>> places_of(const std::string& svg) {
  std::map<std::string, std::complex<double>> places;
  const std::regex circle("<circle cx=\"([^\"]*)\" cy=\"([^\"]*)\"[^>]*><title>([^<]*)<");
  for (std::sregex_iterator at(svg.begin(), svg.end(), circle), end; at != end; ++at)
    places[(*at)[3]] = {std::stod((*at)[1]) - 500, 432 - std::stod((*at)[2])};
  return places;
}

TEST(DiskSvg, ByDistanceANodeLiesAsFarAsItIs) {
  // straight up, 3 and 6 from the middle, down, and 6 from it on the horizontal geodesic
  const double side = std::tanh(6.0);
  const auto embedding = embedding_of({{0, 1},
                                       {0, std::exp(3.0)},
                                       {0, std::exp(6.0)},
                                       {0, std::exp(-4.0)},
                                       {side, 1 / std::cosh(6.0)}});
  PictureOptions options;
  options.centre = 0;
  options.spread = 0;
  const std::string svg = svg_of(embedding, {}, options);
  const auto places = places_of(svg);
  ASSERT_EQ(places.size(), 5u);
  EXPECT_NEAR(std::abs(places.at("1") - std::complex<double>(0, 205)), 0, 0.1);
  EXPECT_NEAR(std::abs(places.at("2") - std::complex<double>(0, 410)), 0, 0.1);
  EXPECT_NEAR(std::abs(places.at("3") - std::complex<double>(0, -410 * 4 / 6.0)), 0, 0.1);
  EXPECT_NEAR(std::abs(places.at("4") - std::complex<double>(410, 0)), 0, 0.1);
  const auto rings = all(svg, "class=\"ring\" cx=\"500\" cy=\"432\" r=\"([0-9.]+)\"");
  ASSERT_EQ(rings.size(), 2u);
  EXPECT_NEAR(std::stod(rings[0]), 410 * 2 / 6.0, 0.1);
  EXPECT_EQ(all(svg, "<text class=\"ring\"[^>]*>([0-9]+)<"), (std::vector<std::string>{"2", "4"}));
  // with equal angles 90 degrees apart, but for the middle's, which takes one, too
  options.spread = 1;
  const auto equal = places_of(svg_of(embedding, {}, options));
  const double turn = std::arg(equal.at("2") / equal.at("4"));
  EXPECT_GT(turn, 2 * std::numbers::pi / 5 - 0.01);
  EXPECT_NEAR(std::abs(equal.at("2")), 410, 0.1);
}

TEST(DiskSvg, ASecondPanelShowsWhatIsBelowAndAboveItsNode) {
  const TreePicture tree(3, 3);  // 0; 1, 2, 3; 4 to 12; 13 to 39
  PictureOptions options;
  options.beside = 1;
  DrawnCounts counts;
  const std::string svg = svg_of(*tree.embedding, tree.graph, options, &counts);
  EXPECT_EQ(counts.nodes, 40u + 1 + 13);
  EXPECT_EQ(counts.edges, 39u + 13);
  EXPECT_NE(svg.find("viewBox=\"0 0 2000 "), std::string::npos);
  EXPECT_NE(svg.find("<title>0 and 1 in the hyperbolic"), std::string::npos);
  EXPECT_EQ(all(svg, "cx=\"(1500)\" cy=\"432\" r=\"[0-9.]+\"><title>1<").size(), 1u);
  // of a leaf, the other leaves of its parent
  options.beside = 39;
  svg_of(*tree.embedding, tree.graph, options, &counts);
  EXPECT_EQ(counts.nodes, 40u + 2 + 4);
  // without edges what is near, in the disk everything
  svg_of(*tree.embedding, {}, options, &counts);
  EXPECT_EQ(counts.nodes, 80u);
  options.radial = RadialScale::disk;
  svg_of(*tree.embedding, tree.graph, options, &counts);
  EXPECT_EQ(counts.nodes, 80u);
}

TEST(DiskSvg, TwentyFourSubtreesHaveColoursAndLabels) {
  const TreePicture tree(24, 2);
  PictureOptions options;
  options.subtrees = 24;
  const std::string svg = svg_of(*tree.embedding, tree.graph, options);
  std::set<std::string> colours;
  for (const std::string& colour : all(svg, "<g fill=\"(#[0-9a-f]{6})\">\n<circle"))
    colours.insert(colour);
  EXPECT_EQ(colours.size(), 25u) << "and grey for the root";
  EXPECT_GE(all(svg, "font-weight=\"600\" fill=\"(#[0-9a-f]{6})\">[0-9]+<").size(), 20u);
}

TEST(PolarView, GeodesicsAreThoseOfTheDisk) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(-std::numbers::pi, std::numbers::pi), far(0.01, 9);
  for (int trial = 0; trial < 200; ++trial) {
    const double r[] = {far(random), far(random)}, t[] = {angle(random), angle(random)};
    DiskPoints ends;
    std::complex<double> z[2];
    for (int i = 0; i < 2; ++i) {
      z[i] = std::polar(std::tanh(r[i] / 2), t[i]);
      ends.x.push_back(z[i].real());
      ends.y.push_back(z[i].imag());
      ends.gap.push_back(1 / std::pow(std::cosh(r[i] / 2), 2));
    }
    const PolarView view(ends, 0);
    const auto distance_of = [](std::complex<double> a, std::complex<double> b) {
      return 2 * std::atanh(std::abs((a - b) / (1.0 - std::conj(a) * b)));
    };
    const DiskPoints line = view.geodesic(0, 1);
    EXPECT_NEAR(std::hypot(line.x.front(), line.y.front()) * view.reach(), r[0], 1e-9 * r[0]);
    EXPECT_NEAR(std::hypot(line.x.back(), line.y.back()) * view.reach(), r[1], 1e-9 * r[1]);
    const double whole = distance_of(z[0], z[1]);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::complex<double> place(line.x[i], line.y[i]);
      const double d = std::abs(place) * view.reach();
      const std::complex<double> p = d == 0 ? 0 : std::polar(std::tanh(d / 2), std::arg(place));
      EXPECT_NEAR(distance_of(z[0], p) + distance_of(p, z[1]), whole, 2e-5 * whole)
          << trial << ' ' << i;
    }
  }
}

TEST(PolarView, IsExactFarFromTheMiddle) {
  // 40 and 80 from the middle, where the disk's coordinates have become those of its edge
  const Embedding embedding =
      embedding_of({{0, 1}, {0, std::exp(-40.0)}, {0, std::exp(-80.0)}, {0, std::exp(40.0)}});
  const DiskPoints disk = disk_points(embedding.half_space(), 0);
  const PolarPoints polar = polar_points(disk);
  EXPECT_NEAR(polar.distance[1], 40, 1e-13);
  EXPECT_NEAR(polar.distance[2], 80, 1e-13);
  const PolarView view(disk, 0);
  const DiskPoints straight = view.geodesic(1, 2);
  for (std::size_t i = 0; i < straight.size(); ++i) EXPECT_NEAR(straight.x[i], 0, 1e-15);
  // through the middle
  const DiskPoints across = view.geodesic(1, 3);
  double least = 1;
  for (std::size_t i = 0; i < across.size(); ++i) {
    EXPECT_NEAR(across.x[i], 0, 1e-9) << i;
    least = std::min(least, std::hypot(across.x[i], across.y[i]));
  }
  EXPECT_LT(least, 1e-3);
}

TEST(SpreadAngles, GrowAndShareTheCircle) {
  const std::vector<double> angles = {0.1, 0.1001, 0.1002, 2.0, -3.0};
  for (const double spread : {0.0, 0.5, 1.0}) {
    const SpreadAngles to(angles, spread);
    double before = to(-7);
    for (double a = -7; a < 7; a += 1e-3) {
      EXPECT_GE(to(a), before) << a;
      EXPECT_NEAR(to(a + 2 * std::numbers::pi), to(a) + 2 * std::numbers::pi, 1e-11) << a;
      before = to(a);
    }
  }
  const SpreadAngles equal(angles, 1);
  EXPECT_NEAR(equal(0.1002) - equal(0.1001), 2 * std::numbers::pi / 5, 1e-12);
  EXPECT_NEAR(SpreadAngles(angles, 0.25)(0.1002) - SpreadAngles(angles, 0.25)(0.1001),
              0.75e-4 + std::numbers::pi / 10, 1e-12);
  // those of one direction stay together
  EXPECT_NEAR(SpreadAngles({1, 1, 1, -1}, 1)(1) - SpreadAngles({1, 1, 1, -1}, 1)(-1),
              std::numbers::pi, 1e-12);
}

TEST(PolarView, ReachLeavesOutFewNodes) {
  std::vector<double> distances(100, 2.0);
  distances[0] = 0;
  EXPECT_EQ(usual_reach(distances), 2);
  distances[99] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(usual_reach(distances), 2);
  distances[98] = 700;
  EXPECT_EQ(usual_reach(distances), 3);
  EXPECT_EQ(usual_reach({0, 5}), 5);
  EXPECT_EQ(usual_reach({0}), 1);
  EXPECT_EQ(ring_step(37), 10);
  EXPECT_EQ(ring_step(15), 5);
  EXPECT_EQ(ring_step(6), 2);
  EXPECT_DOUBLE_EQ(ring_step(0.05), 0.01);
}

TEST(ConeOutline, IsWhereConesBegin) {
  for (const ConeSystem& cones :
       {ConeSystem{ConeKind::umbral, PointStorage::half_space, 2, 1, 0.1},
        ConeSystem{ConeKind::penumbral, PointStorage::half_space, 2, 2, 20},
        ConeSystem{ConeKind::umbral, PointStorage::ball, 2, 1, 0.3},
        ConeSystem{ConeKind::penumbral, PointStorage::ball, 2, 1, 0.2},
        ConeSystem{ConeKind::entailment, PointStorage::ball, 2, 1, 0.1},
        ConeSystem{ConeKind::umbral, PointStorage::half_space, 2, 1, 0.1, {0.7}},
        ConeSystem{ConeKind::penumbral, PointStorage::half_space, 2, 2, 20, {-1.5}},
        ConeSystem{ConeKind::penumbral, PointStorage::ball, 2, 1, 0.2, {0.5, -0.2}}}) {
    const auto relation = make_cone_relation(cones);
    for (const std::array<double, 2>& u : {std::array{0.2, 0.4}, std::array{-0.45, 0.3}}) {
      const ConeOutline outline = cone_outline(cones, u);
      ASSERT_GT(outline.axis.size(), 100u) << cones.text();
      for (const auto* side : {&outline.left, &outline.right})
        for (std::size_t i = 20; i < 200; ++i) {  // to a distance of 6
          const auto& [x, y] = (*side)[i];
          const auto& [ax, ay] = outline.axis[i];
          EXPECT_LT(std::fabs(distance(*relation, u.data(), (*side)[i].data())), 1e-10)
              << cones.text() << ' ' << i;
          const double inside[] = {x + 1e-6 * (ax - x), y + 1e-6 * (ay - y)};
          const double outside[] = {x - 1e-6 * (ax - x), y - 1e-6 * (ay - y)};
          EXPECT_TRUE(relation->contains(u.data(), inside)) << cones.text() << ' ' << i;
          EXPECT_FALSE(relation->contains(u.data(), outside)) << cones.text() << ' ' << i;
        }
    }
  }
  // in the light
  EXPECT_TRUE(cone_outline({ConeKind::penumbral, PointStorage::half_space, 2, 1, 20}, {0, 21})
                  .axis.empty());
  EXPECT_TRUE(cone_outline({ConeKind::umbral, PointStorage::ball, 2, 1, 0.3}, {0, 0}).axis.empty());
  EXPECT_THROW(cone_outline({ConeKind::umbral, PointStorage::half_space, 3, 1, 0.3}, {0, 1}),
               DomainError);
}

TEST(DiskSvg, ConesAreDrawnWhereTheyAre) {
  Embedding embedding = embedding_of({{0, 1}, {0.2, 0.7}, {-0.3, 0.5}});
  const ConeSystem cones{ConeKind::umbral, PointStorage::half_space, 2, 1, 0.2};
  note_cones(embedding, cones);
  const TemporaryDirectory directory;
  embedding.save(directory / "noted");
  embedding = Embedding::load(directory / "noted");
  PictureOptions options;
  options.cones = noted_cones(embedding);
  ASSERT_EQ(options.cones, cones);
  options.centre = 0;
  options.radial = RadialScale::disk;
  options.cone_nodes = {1};
  const std::string svg = svg_of(embedding, {}, options);
  const auto paths = all(svg, "class=\"cone\"[^>]* d=\"([^\"]*)\"");
  ASSERT_EQ(paths.size(), 1u);
  const auto relation = make_cone_relation(cones);
  const double u[] = {0.2, 0.7};
  const std::regex place("[ML]([0-9.]+) ([0-9.]+)");
  int looked_at = 0;
  for (std::sregex_iterator at(paths[0].begin(), paths[0].end(), place), end; at != end; ++at) {
    const std::complex<double> w((std::stod((*at)[1]) - 500) / 410,
                                 (432 - std::stod((*at)[2])) / 410);
    if (std::abs(w) > 0.98) continue;
    // the half-plane's point z with i (z - i) / (z + i) = w
    const std::complex<double> i(0, 1), q = w / i, z = i * (1.0 + q) / (1.0 - q);
    const double v[] = {z.real(), z.imag()};
    EXPECT_LT(std::fabs(distance(*relation, u, v)), 5e-4 / (1 - std::norm(w))) << w;
    ++looked_at;
  }
  EXPECT_GT(looked_at, 8);

  options.cone_nodes = {3};
  EXPECT_THROW(svg_of(embedding, {}, options), DomainError);
  options.cone_nodes.clear();
  options.cones->light = {2};
  EXPECT_NE(svg_of(embedding, {}, options).find("class=\"cone\""), std::string::npos);
  options.half_plane = true;
  EXPECT_EQ(message_of<DomainError>([&] { svg_of(embedding, {}, options); }),
            "picture: umbral cones, half-space, 2 dimensions, size 0.2, light at (2) can be drawn "
            "on the disk only, not on the half-plane");
  options.half_plane = false;
  options.cones->light.clear();
  options.cones->storage = PointStorage::ball;
  EXPECT_THROW(svg_of(embedding, {}, options), DomainError);
  EXPECT_FALSE(noted_cones(embedding_of({{0, 1}})));
  embedding.set_note("cone_size", "large");
  EXPECT_NE(message_of<DomainError>([&] { noted_cones(embedding); }).find("'large'"),
            std::string::npos);
}

TEST(PictureView, HalfPlaneHasAllNodesAndStraightCones) {
  const Embedding embedding = embedding_of({{5, 4}, {6, 2}, {4, 3}});
  PictureOptions options;
  options.half_plane = true;
  const PictureView view(embedding.half_space(), 0, options);
  const DiskPoints nodes = view.of(embedding.half_space(), 0);
  EXPECT_NEAR(nodes.x[2], -1 / 1.08, 1e-14);
  EXPECT_NEAR(nodes.x[1], 1 / 1.08, 1e-14);
  EXPECT_NEAR(nodes.y[1], -1 / 1.08, 1e-14);
  EXPECT_NEAR(nodes.y[0], 1 / 1.08, 1e-14);
  const ConeSystem cones{ConeKind::umbral, PointStorage::half_space, 2, 1, 0.5};
  const ConeEdge edge = cone_edge(view, embedding, cones, 0, 0);
  // v's ball touches the ray of light that touches u's: (u_n - v_n) sinh r beside the axis
  const double slope = std::sinh(0.5) * (nodes.x[1] - nodes.x[2]) / (nodes.y[0] - nodes.y[1]);
  for (std::size_t i = 1; i < edge.right.size(); ++i) {
    EXPECT_NEAR(edge.right.x[i], slope * (edge.right.y[0] - edge.right.y[i]), 1e-9) << i;
    EXPECT_NEAR(edge.left.x[i], -edge.right.x[i], 1e-9) << i;
  }
  EXPECT_EQ(kept_points(edge.right, 1e-6).size(), 1u);
}

TEST(Pictures, NamesAreData) {
  auto names = std::make_shared<NameTable>();
  names->enter("</script><b a=\"'\">&amp;\x01\xFF");
  names->enter("\xE7\x8A\xAC");
  Tensor<double> coordinates({1, 2, 2});
  const double values[] = {0, 1, 1, 1};
  std::copy(values, values + 4, coordinates.data());
  const Embedding embedding(names, {PointStorage::half_space, 2, 1, 1, 1}, coordinates);
  const std::string svg = svg_of(embedding, {});
  EXPECT_NE(
      svg.find("&lt;/script&gt;&lt;b a=&quot;&#39;&quot;&gt;&amp;amp;\xEF\xBF\xBD\xEF\xBF\xBD"),
      std::string::npos);
  EXPECT_EQ(svg.find("<b"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  const std::string page = page_of(embedding, {});
  EXPECT_NE(
      page.find(
          "[\"\\u003c/script>\\u003cb a=\\\"'\\\">&amp;\\u0001\xEF\xBF\xBD\",\"\xE7\x8A\xAC\"]"),
      std::string::npos);
  EXPECT_EQ(page.find("<b "), std::string::npos);
}

TEST(DiskPage, NeedsNothingElse) {
  const TreePicture tree(3, 4);
  const std::string page = page_of(*tree.embedding, tree.graph);
  EXPECT_EQ(all(page, "(://|\\bsrc\\s*=|\\bhref\\s*=|@import|\\bimport\\b|\\burl\\()").size(), 0u);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_LT(page.size(), 60'000u);
}

TEST(DiskPage, HasAllDigitsOfThePoints) {
  const auto names = std::make_shared<NameTable>();
  names->enter("a");
  Tensor<double> coordinates({3, 1, 2});
  const double values[] = {1, 0.5, 0x1p-60, 0, 0, 0};
  std::copy(values, values + 6, coordinates.data());
  const TemporaryDirectory directory;
  write_disk_page(directory / "page.html",
                  {names, {PointStorage::xmc_half_space, 2, 3, 1, 1}, coordinates});
  const std::string page = content_of(directory / "page.html");
  // 1 and 2^-60, and no plane for the third component, which is 0; little-endian
  EXPECT_NE(
      page.find("<script id=\"x\" type=\"application/octet-stream\">AAAAAAAA8D8AAAAAAAAwPA==<"),
      std::string::npos);
  EXPECT_NE(page.find("<script id=\"heights\" type=\"application/octet-stream\">AAAAAAAA4D8=<"),
            std::string::npos);
}

TEST(Pictures, WhatCannotBeDrawnIsRefused) {
  const auto embedding = embedding_of({{0, 1}, {1, 1}});
  EXPECT_EQ(
      message_of<DomainError>([&] {
        svg_of(embedding, graph_of(4, {{3, 1}, {2, 1}}));
      }),
      "picture: the edges: the node '2' is not among the 2 names; 2 of the 4 nodes are missing");
  const auto with = [&](auto set) {
    PictureOptions options;
    set(options);
    return message_of<DomainError>([&] { svg_of(embedding, {}, options); });
  };
  EXPECT_EQ(with([](auto& o) { o.centre = 2; }),
            "picture: centre 2 is not a node; the embedding has 2 nodes, counted from 0");
  EXPECT_EQ(with([](auto& o) { o.centre = -2; }),
            "picture: centre -2 is not a node; the embedding has 2 nodes, counted from 0");
  EXPECT_EQ(with([](auto& o) { o.beside = 2; }),
            "picture: beside 2 is not a node; the embedding has 2 nodes, counted from 0");
  EXPECT_EQ(with([](auto& o) { o.spread = 1.5; }), "picture: spread 1.5, expected 0 to 1");
  EXPECT_NE(with([](auto& o) { o.beside = 1, o.half_plane = true; }).find("with the disk only"),
            std::string::npos);
  EXPECT_EQ(with([](auto& o) { o.size = 199; }), "picture: 199 pixels, expected 200 to 10000");
  EXPECT_EQ(with([](auto& o) { o.subtrees = 25; }), "picture: 25 subtrees, expected 0 to 24");
  EXPECT_EQ(with([](auto& o) { o.labels = -1; }), "picture: -1 labels, expected 0 to 100000");
  EXPECT_EQ(message_of<DomainError>([&] { page_of(embedding_of({}), {}); }),
            "picture: the embedding has no nodes");
  EXPECT_THROW(write_disk_svg("/nonexistent/picture.svg", embedding), IoError);
}

}  // namespace
}  // namespace mct::embed

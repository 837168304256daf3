// Embeddings as matrices and word vectors.
#include "mctensor/embed/export.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "mctensor/error.hpp"
#include "mctensor/geometry/all.hpp"
#include "tests/files.hpp"

namespace mct::embed {
namespace {

std::shared_ptr<const NameTable> table_of(const std::vector<std::string>& names) {
  auto table = std::make_shared<NameTable>();
  for (const auto& name : names) table->enter(name);
  return table;
}

TEST(Export, OfABallIsItsPointsAndOfOthersTheSamePoints) {
  const auto names = table_of({"a", "b", "c"});
  for (const double radius : {1.0, 3.0}) {
    Tensor<double> half({2, 3, 3});
    const double rows[3][3] = {{0, 0, 1}, {0.3, -2, 0.25}, {1e-3, 4, 1e-30}};
    for (int row = 0; row < 3; ++row)
      for (int c = 0; c < 3; ++c) {
        half.data()[row * 3 + c] = rows[row][c];
        half.data()[9 + row * 3 + c] = c < 2 ? std::ldexp(rows[row][c], -55) : 0;
      }
    const Embedding embedding(names, {PointStorage::xmc_half_space, 3, 2, 1, radius}, half);
    const Tensor<double> ball = ball_coordinates(embedding);
    ASSERT_EQ(ball.shape(), (Shape{3, 3}));
    const geometry::HalfSpace<double> from(radius);
    for (int row = 0; row < 3; ++row) {
      const geometry::Point<double> x{rows[row][0], rows[row][1], rows[row][2]};
      const auto expected = geometry::convert<geometry::PoincareBall>(from, x);
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(ball.data()[row * 3 + c], expected[c], 1e-15 * radius) << row << " " << c;
    }
    EXPECT_EQ(ball.data()[0], 0);
    EXPECT_EQ(ball.data()[2], 0);
    // back again as an embedding in the ball, whose coordinates are given as they are
    Tensor<double> planes({1, 3, 3});
    for (int i = 0; i < 9; ++i) planes.data()[i] = ball.data()[i];
    const Embedding in_ball(names, {PointStorage::ball, 3, 1, 1, radius}, planes);
    EXPECT_EQ(ball_coordinates(in_ball).values(), ball.values());
  }
}

TEST(Export, OfAProductHasTheFactorsSideBySide) {
  const auto names = table_of({"a", "b"});
  Tensor<double> two({1, 2, 4});
  const double numbers[8] = {0, 1, 0.5, 2, -1, 3, 0, 1};
  for (int i = 0; i < 8; ++i) two.data()[i] = numbers[i];
  const Tensor<double> ball =
      ball_coordinates(Embedding(names, {PointStorage::half_space, 2, 1, 2, 1}, two));
  ASSERT_EQ(ball.shape(), (Shape{2, 4}));
  for (int f = 0; f < 2; ++f) {
    Tensor<double> one({1, 2, 2});
    for (int row = 0; row < 2; ++row)
      for (int c = 0; c < 2; ++c) one.data()[2 * row + c] = numbers[4 * row + 2 * f + c];
    const auto alone =
        ball_coordinates(Embedding(names, {PointStorage::half_space, 2, 1, 1, 1}, one));
    for (int row = 0; row < 2; ++row)
      for (int c = 0; c < 2; ++c)
        EXPECT_EQ(ball.data()[4 * row + 2 * f + c], alone.data()[2 * row + c]);
  }
}

TEST(Export, AddsComponentsUp) {
  Tensor<double> planes({2, 1, 2});
  planes.data()[0] = 1;
  planes.data()[1] = 2;
  planes.data()[2] = 0x1.8p-53;  // 1 + 0x1.8p-53 is rounded up
  const Embedding embedding(table_of({"a"}), {PointStorage::mc_half_space, 2, 2, 1, 1}, planes);
  EXPECT_EQ(model_coordinates(embedding).values(), (std::vector<double>{1 + 0x1p-52, 2}));
}

class WordVectors : public testing::FileTest {};

TEST_F(WordVectors, AreReadBackExactly) {
  const testing::TemporaryDirectory directory;
  const auto path = directory / "vectors.txt";
  const auto names = table_of({"dog.n.01", "red fox", "\xE7\x8A\xAC"});
  Tensor<double> rows({3, 2});
  const double numbers[6] = {0.1, -1.0 / 3, 1e-300, 0.99999999999999989, -0.0, 5e-324};
  for (int i = 0; i < 6; ++i) rows.data()[i] = numbers[i];
  EXPECT_EQ(save_word_vectors(path, *names, rows), 1u);
  std::ifstream file(path);
  std::string line, name;
  std::getline(file, line);
  EXPECT_EQ(line, "3 2");
  for (int row = 0; row < 3; ++row) {
    std::string x, y;
    file >> name >> x >> y;
    EXPECT_EQ(name, row == 1 ? "red_fox" : std::string(names->name(row)));
    EXPECT_EQ(std::strtod(x.c_str(), nullptr), numbers[2 * row]);
    EXPECT_EQ(std::strtod(y.c_str(), nullptr), numbers[2 * row + 1]);
  }
  EXPECT_FALSE(file >> name);
  save_names(directory / "names.txt", *names);
  std::ifstream list(directory / "names.txt");
  std::ostringstream text;
  text << list.rdbuf();
  EXPECT_EQ(text.str(), "dog.n.01\nred fox\n\xE7\x8A\xAC\n");
}

TEST_F(WordVectors, OfNamesThatAreOneAreRefused) {
  const testing::TemporaryDirectory directory;
  const auto path = directory / "vectors.txt";
  EXPECT_EQ(testing::message_of<IoError>([&] {
              save_word_vectors(path, *table_of({"a b", "c", "a_b"}), Tensor<double>({3, 1}));
            }),
            "cannot write '" + path.string() + "': 'a b' and 'a_b' are both 'a_b' there");
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(save_word_vectors(path, *table_of({"a"}), Tensor<double>({2, 1})), ShapeError);
}

}  // namespace
}  // namespace mct::embed

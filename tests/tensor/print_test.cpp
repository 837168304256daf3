// Tensors as text, by the rules of NumPy.
#include <locale>
#include <sstream>

#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

template <class X>
std::string text(const X& x) {
  std::ostringstream out;
  out << x;
  EXPECT_EQ(out.str(), to_string(x));
  return out.str();
}

Tensor<double> vector(const std::vector<double>& values) {
  return Tensor<double>::from_values(values);
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(Print, AlignsColumns) {
  EXPECT_EQ(text(Tensor<double>{{1, 2}, {3, 4}}), "[[1. 2.]\n [3. 4.]]");
  EXPECT_EQ(text(Tensor<double>{{1, 2.5}, {-30, 4}}), "[[  1.    2.5]\n [-30.    4. ]]");
  EXPECT_EQ(text(vector({1, 1.0 / 3, 100})), "[  1.           0.33333333 100.        ]");
  EXPECT_EQ(text(Tensor<std::int64_t>{{1, -20}, {300, 4}}), "[[  1 -20]\n [300   4]]");
  EXPECT_EQ(text(Tensor<bool>{{true, false}}), "[[ True False]]");
  EXPECT_EQ(text(Tensor<double>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}),
            "[[[1. 2.]\n  [3. 4.]]\n\n [[5. 6.]\n  [7. 8.]]]");
}

TEST(Print, SmallAndEmpty) {
  EXPECT_EQ(text(Tensor<double>()), "[]");
  EXPECT_EQ(text(Tensor<double>({0, 3})), "[]");
  EXPECT_EQ(text(Tensor<double>::scalar(1)), "1.0");
  EXPECT_EQ(text(Tensor<double>::scalar(0.1)), "0.1");
  EXPECT_EQ(text(Tensor<std::int64_t>::scalar(-7)), "-7");
  EXPECT_EQ(text(Tensor<bool>::scalar(true)), "True");
}

TEST(Print, SpecialValues) {
  EXPECT_EQ(text(vector({1.5, NAN, -INFINITY, -0.0})), "[ 1.5  nan -inf -0. ]");
  EXPECT_EQ(text(vector({NAN, NAN})), "[nan nan]");
}

TEST(Print, ExponentsWhereMagnitudesNeedThem) {
  EXPECT_EQ(text(vector({1e-5, 1})), "[1.e-05 1.e+00]");
  EXPECT_EQ(text(vector({1e8, 1.5e8})), "[1.0e+08 1.5e+08]");
  EXPECT_EQ(text(vector({1e-200, 1})), "[1.e-200 1.e+000]");
  EXPECT_EQ(text(vector({1.0 / 3, 1e10})), "[3.33333333e-01 1.00000000e+10]");
  EXPECT_EQ(text(vector({0, 1000, 1})), "[   0. 1000.    1.]");
  EXPECT_EQ(text(vector({0, 1001, 1})), "[0.000e+00 1.001e+03 1.000e+00]");
}

TEST(Print, DigitsOfTheType) {
  EXPECT_EQ(text(Tensor<float>{{0.7, 123.456}}), "[[  0.7   123.456]]");
  EXPECT_EQ(text(Tensor<float>{{0.1, 123.456}}), "[[1.00000e-01 1.23456e+02]]");
  EXPECT_EQ(text(Tensor<half>{{0.1, 3}}), "[[0.1 3. ]]");
  EXPECT_EQ(text(Tensor<double, 2>::scalar(f64x2(1) / 3)), "0.3333333333333333333333333333333");
  EXPECT_EQ(text(Tensor<double, 2>{{1, 2.5}}), "[[1.  2.5]]");
  EXPECT_EQ(text(Tensor<float, 2>::scalar(f32x2(1) / 3)), "0.33333333333333");
  EXPECT_EQ(text(Tensor<double, 4>::scalar(Expansion<double, 4>(1) / 3)),
            "0." + std::string(63, '3'));
}

TEST(Print, LongLinesAreBroken) {
  const std::string many = text(arange(100));
  EXPECT_LE(longest_line(many), 75u);
  EXPECT_EQ(many.substr(0, 78),
            "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 2");
  EXPECT_NE(text(randn<double, 4>({2}, 1)).find("\n "), std::string::npos);
}

TEST(Print, SummarisesWhatIsLong) {
  EXPECT_EQ(text(arange(1001)), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(text(arange(1000)).find("..."), std::string::npos);
  EXPECT_EQ(text(arange(1600).reshape({40, 40})),
            "[[   0    1    2 ...   37   38   39]\n"
            " [  40   41   42 ...   77   78   79]\n"
            " [  80   81   82 ...  117  118  119]\n"
            " ...\n"
            " [1480 1481 1482 ... 1517 1518 1519]\n"
            " [1520 1521 1522 ... 1557 1558 1559]\n"
            " [1560 1561 1562 ... 1597 1598 1599]]");
  // short dimensions are shown in full; views and huge expanded tensors like others
  EXPECT_EQ(text(arange(2000).reshape({1000, 2}).t()),
            "[[   0    2    4 ... 1994 1996 1998]\n [   1    3    5 ... 1995 1997 1999]]");
  EXPECT_EQ(text(Tensor<double>({1}).expand({std::int64_t(1) << 60})), "[0. 0. 0. ... 0. 0. 0.]");
}

/// A locale with points between thousands and a comma before the decimals.
struct Grouping : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Print, DoesNotDependOnTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new Grouping));
  EXPECT_EQ(text(vector({1000, 2.5})), "[1000.     2.5]");
  EXPECT_EQ(text(Tensor<std::int64_t>::from_values({123456})), "[123456]");
  EXPECT_EQ(text(Tensor<double, 2>{{1234.5}}), "[[1234.5]]");
  std::locale::global(before);
}

}  // namespace
}  // namespace mct::test

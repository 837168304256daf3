// The suite's table and page.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "tests/files.hpp"
#include "tests/validation/markup_check.hpp"
#include "tests/validation/report_samples.hpp"
#include "validation/report/html_report.hpp"
#include "validation/report/markup.hpp"
#include "validation/report/result_text.hpp"
#include "validation/report/table.hpp"

namespace mct::validation {
namespace {

using mct::testing::contains;
using mct::testing::content_of;
using mct::testing::Element;
using mct::testing::MarkupCheck;
using mct::testing::sample_results;

class ReportTest : public mct::testing::FileTest {
 protected:
  std::string page_of(const Results& results) const {
    write_html_report(results, directory_ / "report");
    return content_of(directory_ / "report" / "index.html");
  }
};

TEST_F(ReportTest, TableShowsVerdictsViolationsAndSummary) {
  const std::string table = format_table(sample_results(), false);
  std::map<std::string, std::string> verdicts;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string operation, type, word, last;
    words >> operation >> type;
    while (words >> word) last = word;
    verdicts.emplace(operation + ' ' + type, last);
  }
  EXPECT_EQ(verdicts["add f64x2"], "PASS");
  EXPECT_EQ(verdicts["neg f64x2"], "PASS");
  EXPECT_EQ(verdicts["mul f64x2"], "FAIL");
  EXPECT_TRUE(contains(table, "1,234,567"));
  EXPECT_TRUE(contains(table, "2.250"));
  EXPECT_TRUE(contains(table, "mct validate --replay 'f64x2 mul 0x1p+0,0x1p-60 -0x1.8p+3,0x0p+0'"));
  EXPECT_TRUE(contains(table, "and 5 more"));
  EXPECT_TRUE(contains(table, "5 operations, 6,172,835 checked cases, 7 violations, 0.1 s"));
  EXPECT_FALSE(contains(table, "\x1b"));
}

TEST_F(ReportTest, TableColumnsAreAligned) {
  Results results = sample_results();
  results.operations.erase(results.operations.begin() + 3);
  std::istringstream lines(format_table(results, false));
  std::string line;
  std::getline(lines, line);
  std::set<std::size_t> lengths;
  while (std::getline(lines, line) && !line.empty())
    if (contains(line, "PASS")) lengths.insert(line.size());
  EXPECT_EQ(lengths.size(), 1u);
}

TEST_F(ReportTest, ColourOnlyChangesEscapes) {
  const std::string coloured = format_table(sample_results(), true);
  std::string stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      stripped += coloured[i];
  }
  EXPECT_NE(coloured, stripped);
  EXPECT_EQ(stripped, format_table(sample_results(), false));
  std::FILE* file = std::fopen((directory_ / "plain").c_str(), "w");
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(wants_colour(file));
  std::fclose(file);
}

TEST_F(ReportTest, OperationWithoutCasesDoesNotPass) {
  Results results;
  results.operations.push_back({});
  results.operations[0].operation = "add";
  const std::string table = format_table(results, false);
  EXPECT_FALSE(contains(table, "PASS"));
  EXPECT_TRUE(contains(table, "NONE"));
  EXPECT_TRUE(contains(page_of(results), "No result"));
}

TEST_F(ReportTest, CommandsAreQuotedForTheShell) {
  EXPECT_EQ(shell_quoted("plain-1.5"), "plain-1.5");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(repeat_command(sample_results()),
            "mct validate --seed 18446744073709551615 --cases 5000000 --quick --filter "
            "'it'\\''s|f64x2 <mul>'");
}

TEST_F(ReportTest, FormulasBecomeHtml) {
  EXPECT_EQ(formula_html("3 u^2 |x + y| + 0.5 eta"), "3 u<sup>2</sup> |x + y| + 0.5 \xCE\xB7");
  EXPECT_EQ(formula_html("1 u^1 |r|"), "1 u |r|");
  EXPECT_EQ(formula_html("beta etas x ^ y^"), "beta etas x ^ y^");
  EXPECT_EQ(formula_html("2^-53 < x"), "2<sup>-53</sup> &lt; x");
}

TEST_F(ReportTest, ErrorsAreShownWithoutHidingThem) {
  EXPECT_EQ(error_text(0), "0");
  EXPECT_EQ(error_text(2.5), "2.500");
  EXPECT_EQ(error_text(1e-5), "1.00e-05");
  EXPECT_EQ(error_text(9e15), "9.00e+15");
  EXPECT_EQ(error_text(INFINITY), "inf");
  EXPECT_EQ(error_text(NAN), "NaN");
}

/// What every page must satisfy, whatever it shows.
void expect_sound_page(const std::string& page) {
  const MarkupCheck check(page);
  EXPECT_EQ(check.problem, "");
  std::set<std::string> ids;
  for (const Element& element : check.elements) {
    if (const auto id = element.attributes.find("id"); id != element.attributes.end()) {
      EXPECT_TRUE(ids.insert(id->second).second) << "id twice: " << id->second;
    }
  }
  for (const Element& element : check.elements) {
    for (const auto& [key, value] : element.attributes) {
      if (key == "href") {
        EXPECT_TRUE(value[0] == '#' && ids.count(value.substr(1)) == 1) << value;
      }
      EXPECT_TRUE(key != "src" && key != "srcset" && key.rfind("on", 0) != 0) << key;
    }
  }
  const auto svgs = check.named("svg");
  for (const Element* svg : svgs) {
    EXPECT_EQ(svg->attributes.at("role"), "img");
    EXPECT_FALSE(svg->attributes.at("aria-label").empty());
  }
  std::set<int> titled;
  for (const Element* title : check.named("title")) titled.insert(title->parent);
  EXPECT_EQ(titled.size(), svgs.size() + 1) << "the page and each svg have a title";
  EXPECT_EQ(check.named("h1").size(), 1u);
  EXPECT_TRUE(check.named("link").empty());
  EXPECT_FALSE(contains(page, "https://"));
  EXPECT_FALSE(contains(page, "@import"));
  EXPECT_FALSE(contains(page, "url("));
  const std::string svg_namespace = "http://www.w3.org/2000/svg";
  for (std::size_t i = page.find("http://"); i != page.npos; i = page.find("http://", i + 1))
    EXPECT_EQ(page.substr(i, svg_namespace.size()), svg_namespace);
}

TEST_F(ReportTest, CheckerFindsBrokenMarkup) {
  EXPECT_EQ(MarkupCheck("<!DOCTYPE html><a b=\"c\"><d/>&amp;</a>").problem, "");
  for (const char* broken : {"<a>", "<a></b>", "<a>&</a>", "<a>&nope;</a>", "<a b=c></a>",
                             "<a b=\"1\" b=\"2\"></a>", "<a></a><b></b>", "<a>\x01</a>", "</a>"})
    EXPECT_NE(MarkupCheck(broken).problem, "") << broken;
}

TEST_F(ReportTest, PageIsSoundAndShowsEverything) {
  const Results results = sample_results();
  const std::string page = page_of(results);
  expect_sound_page(page);
  const MarkupCheck check(page);
  for (const char* words :
       {"add", "neg", "mul", "a&lt;b&gt;&amp;&quot;c&quot;", "FAIL", "PASS", "Yu 2024 as printed",
        "Yu 2024 corrected", "MPFR 106", "QD &lt;dd_real&gt;", "1,234,567", "18446744073709551615",
        "g++ &quot;12&quot; &lt;-O3&gt; &amp; &#39;fma&#39;", "NaN &lt;not&gt; expected"})
    EXPECT_TRUE(contains(check.words, words)) << words;
  EXPECT_TRUE(contains(page, "--replay &#39;f64x2 mul 0x1p+0,0x1p-60 -0x1.8p+3,0x0p+0&#39;"));
  EXPECT_TRUE(contains(page, "3 u<sup>2</sup> |x \xE2\x88\x92 y| + 0.5 \xCE\xB7"));
  // one plot for each of add, mul, a<b>; neg is exact
  EXPECT_EQ(check.named("figure").size(), 3u + 2u + 1u + 1u + results.figures.size());
  EXPECT_TRUE(contains(check.words, "A &lt;title&gt; &amp; more"));
}

/// The column of contents is narrow: lines end between the words of a name, not within them.
TEST_F(ReportTest, NamesOfTheContentsBreakBetweenWords) {
  Results results = sample_results();
  results.operations[0].operation = "ball_mobius_add";
  const std::string page = page_of(results);
  expect_sound_page(page);
  const std::string contents = page.substr(page.find("<nav"), page.find("</nav>"));
  EXPECT_TRUE(contains(contents, ">ball_<wbr/>mobius_<wbr/>add</a>"));
  const std::string style = page.substr(page.find("<style"), page.find("</style>"));
  const std::string item = style.substr(style.find("nav li {"));
  EXPECT_FALSE(contains(item.substr(0, item.find('}')), "overflow-wrap"));
}

TEST_F(ReportTest, HeadlineFollowsTheData) {
  Results results = sample_results();
  std::string page = page_of(results);
  EXPECT_TRUE(contains(page,
                       "<em>Yu 2024 as printed</em> reaches 2<sup>\xE2\x88\x92"
                       "53.0</sup> and 2<sup>\xE2\x88\x92"
                       "53.0</sup>; its further"))
      << page.substr(page.find("class=\"lead\""), 600);
  EXPECT_TRUE(contains(page, "less than half of the other in 2, more than twice the other in 0"));
  // the same text must turn around with the numbers
  for (PeerResult& peer : results.peers)
    if (peer.peer == "MCTensor") peer.worst_relative_log2 = -20;
  page = page_of(results);
  EXPECT_TRUE(contains(page, "less than half of the other in 0, more than twice the other in 4"));
  // without rows of our own the suite's cases stand in, and the page says so
  std::erase_if(results.peers, [](const PeerResult& p) { return p.peer == "MCTensor"; });
  for (OperationResult& operation : results.operations)
    if (operation.operation == "add") operation.operation = "div";
  page = page_of(results);
  EXPECT_TRUE(contains(page, "On other inputs, <em>"));
  EXPECT_TRUE(contains(page, "suite's own cases"));
}

TEST_F(ReportTest, EmptyResultsMakeASoundPage) {
  const std::string page = page_of(Results{});
  expect_sound_page(page);
  EXPECT_TRUE(contains(page, "No result"));
  EXPECT_TRUE(contains(format_table(Results{}, false), "0 operations"));
}

TEST_F(ReportTest, ExtremeNumbersMakeASoundPage) {
  Results results = sample_results();
  for (OperationResult& operation : results.operations) {
    operation.by_exponent = {{2147483000, 32, mct::testing::errors_of(1, 1e300, 1)},
                             {-2147483000, 32, mct::testing::errors_of(1, NAN, NAN)}};
    operation.errors.max_error = NAN;
  }
  for (PeerResult& peer : results.peers) peer.worst_relative_log2 = NAN;
  for (ComponentPoint& point : results.components) point.worst_relative_log2 = 1e300;
  expect_sound_page(page_of(results));
}

}  // namespace
}  // namespace mct::validation

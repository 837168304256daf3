// Text for XML and HTML.
#include "mctensor/base/markup.hpp"

#include <gtest/gtest.h>

namespace mct {
namespace {

TEST(Markup, EscapesEverythingThatDocumentsReserve) {
  EXPECT_EQ(escaped("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escaped("\xC3\xA4 \xE2\x82\x82 \xF0\x9F\x98\x80"),
            "\xC3\xA4 \xE2\x82\x82 \xF0\x9F\x98\x80");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped("a\x01z"), "a" + bad + "z");
  EXPECT_EQ(escaped("\xFF"), bad);
  EXPECT_EQ(escaped("\xC3"), bad);
  EXPECT_EQ(escaped("\xC0\x80"), bad + bad);            // overlong
  EXPECT_EQ(escaped("\xED\xA0\x80"), bad + bad + bad);  // surrogate
  EXPECT_EQ(escaped("\xEF\xBF\xBF"), bad);              // not a character
}

TEST(Markup, TextsHaveTheWidthsOfHelvetica) {
  EXPECT_DOUBLE_EQ(text_width("dog.n.01", 10),
                   0.01 * (556 + 556 + 556 + 278 + 556 + 278 + 556 + 556));
  EXPECT_DOUBLE_EQ(text_width("iW", 1), 0.222 + 0.944);
  EXPECT_DOUBLE_EQ(text_width("\xC3\xA9", 10), 5.56);    // e with an accent
  EXPECT_DOUBLE_EQ(text_width("\xE7\x8A\xAC", 10), 10);  // a square of East Asia
  EXPECT_DOUBLE_EQ(text_width("\xE1\xBA\xBF\xE2\x88\x92", 10),
                   11.12);  // a letter of Vietnam, a minus sign
  EXPECT_EQ(text_width("", 10), 0);
}

}  // namespace
}  // namespace mct

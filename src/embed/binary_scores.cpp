#include "mctensor/embed/binary_scores.hpp"

namespace mct::embed {
namespace {

double quotient(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

}  // namespace

BinaryScores& BinaryScores::operator+=(const BinaryScores& others) {
  true_positives += others.true_positives;
  false_positives += others.false_positives;
  false_negatives += others.false_negatives;
  true_negatives += others.true_negatives;
  return *this;
}
double BinaryScores::precision() const {
  return quotient(true_positives, true_positives + false_positives);
}
double BinaryScores::recall() const { return quotient(true_positives, positives()); }
double BinaryScores::f1() const {
  return quotient(2 * true_positives, 2 * true_positives + false_positives + false_negatives);
}

}  // namespace mct::embed

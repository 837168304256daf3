// What is said about lost precision, in processes that have not said anything yet.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/optim/precision_loss.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

/// What a call writes to stderr. (A death test runs in a capture of GoogleTest's, which has one.)
template <class Call>
std::string said_by(const Call& call) {
  std::fflush(stderr);
  const int own = dup(STDERR_FILENO);
  std::FILE* const file = std::tmpfile();
  dup2(fileno(file), STDERR_FILENO);
  call();
  std::fflush(stderr);
  dup2(own, STDERR_FILENO);
  close(own);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += char(c);
  std::fclose(file);
  return text;
}

/// One step of one weight.
void one_step(Strategy strategy, double beta2, double weight_decay = 0.01) {
  Parameters p(strategy, Format::bfloat16, 1);
  AdamWOptions o;
  o.beta2 = beta2;
  o.weight_decay = weight_decay;
  adamw_step(strategy, Format::bfloat16, p.all(), o, 1);
}

/// Runs in a process of its own, which has not said anything yet.
[[noreturn]] void say_all_and_exit() {
  setenv("MCT_WARNINGS", "1", 1);  // NOLINT(concurrency-mt-unsafe)
  const std::string quiet = said_by([] {
    one_step(Strategy::light, 0.99);
    one_step(Strategy::plus, 0.999);
    set_precision_warnings(false);
    one_step(Strategy::light, 0.999);
    set_precision_warnings(true);
    setenv("MCT_WARNINGS", "0", 1);  // NOLINT(concurrency-mt-unsafe)
    one_step(Strategy::light, 0.999);
    setenv("MCT_WARNINGS", "1", 1);  // NOLINT(concurrency-mt-unsafe)
  });
  const std::string moment = said_by([] { one_step(Strategy::light, 0.999); });
  const std::string decay = said_by([] { one_step(Strategy::float_states, 0.999); });
  const std::string again = said_by([] {
    one_step(Strategy::plain, 0.999);
    one_step(Strategy::light, 0.999);
  });
  const bool good =
      quiet.empty() && again.empty() &&
      moment.find("light keeps the second moment in one bfloat16") != std::string::npos &&
      moment.find("0.99609375; with 0.999 it stops") != std::string::npos &&
      moment.find("MCT_WARNINGS=0") != std::string::npos &&
      decay.find("decay of 1e-05 in a step is lost with the strategy float-states") !=
          std::string::npos;
  std::fprintf(stderr, "%s", good ? "as expected" : (quiet + moment + decay + again).c_str());
  std::exit(good ? 0 : 1);  // NOLINT(concurrency-mt-unsafe)
}

/// Of two T only McAdamW speaks, which knows the rate before a warm-up.
[[noreturn]] void say_of_two_numbers_and_exit() {
  setenv("MCT_WARNINGS", "1", 1);  // NOLINT(concurrency-mt-unsafe)
  AdamWOptions o;
  o.lr = 1e-4;
  o.beta2 = 0.95;
  const Variable<float> x(Tensor<float>({1}), true);
  const std::string quiet = said_by([] { one_step(Strategy::light, 0.95, 1e-6); });
  const std::string decay = said_by([&] { McAdamW<bfloat16>({x}, Strategy::light, o); });
  const bool good =
      quiet.empty() &&
      decay.find("1e-06 in a step is lost with the strategy light") != std::string::npos;
  std::fprintf(stderr, "%s", good ? "as expected" : (quiet + decay).c_str());
  std::exit(good ? 0 : 1);  // NOLINT(concurrency-mt-unsafe)
}

TEST(PrecisionWarnings, AreSaidOnceAndCanBeTurnedOff) {
  EXPECT_EXIT(say_all_and_exit(), ::testing::ExitedWithCode(0), "as expected");
  EXPECT_EXIT(say_of_two_numbers_and_exit(), ::testing::ExitedWithCode(0), "as expected");
}

}  // namespace
}  // namespace mct::test

// The same work with nothing beside it, and beside a process that never rests on the first
// processor. All threads, elapsed time. With n processors the neighbour takes 1/(2n) of the
// machine, so that work that is shared out perfectly takes 2n/(2n - 1) times as long; work of a
// fixed share for each thread takes twice as long.
#if defined(__linux__)
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/mctensor.hpp"

namespace mct::bench {
namespace {

/// A process that spins on the first processor while this object lives.
class Neighbour {
 public:
  Neighbour() : process_(fork()) {
    if (process_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive the benchmark
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    sched_setaffinity(0, sizeof first, &first);
    volatile unsigned turns = 0;
    while (true) turns = turns + 1;
  }
  ~Neighbour() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;
  bool is_there() const { return process_ > 0; }

 private:
  pid_t process_;
};

/// `make` makes the operands and gives what is timed.
template <class Make>
void enter(std::vector<Case>& cases, const std::string& work, const std::string& type, double items,
           Make make) {
  enter_items(cases, "busy/" + work, type, "ours", items, [=](benchmark::State& state) {
    auto once = make();
    for (auto _ : state) once();
  }).real_time = true;
  enter_items(cases, "busy/" + work, type, "ours, one of the processors busy", items,
              [=](benchmark::State& state) {
                auto once = make();
                const Neighbour neighbour;
                if (!neighbour.is_there()) {
                  state.SkipWithError("no second process");
                  return;
                }
                for (int i = 0; i < 20; ++i) once();  // regions learn how long they take
                for (auto _ : state) once();
              })
      .real_time = true;
}

void enter_product(std::vector<Case>& cases, std::int64_t n) {
  enter(cases, "mm " + std::to_string(n), "f64x2", double(n) * double(n) * double(n), [n] {
    return [a = randn<double, 2>({n, n}, 1), b = randn<double, 2>({n, n}, 2)] {
      benchmark::DoNotOptimize(mm(a, b));
    };
  });
}

void enter_steps(std::vector<Case>& cases, std::int64_t count) {
  enter(cases, "McAdamW step", "bf16x1", double(count), [count] {
    Variable<bfloat16> x(full<bfloat16, 1>({count}, bfloat16(1.0F)), true);
    x.set_grad(full<bfloat16, 1>({count}, bfloat16(1.0F)));
    const std::vector<Variable<bfloat16>> all{x};
    auto adam = std::make_shared<optim::McAdamW<bfloat16, bfloat16>>(all, optim::Strategy::plus);
    return [adam] { benchmark::DoNotOptimize(adam->step().nonfinite); };
  });
}

}  // namespace

void add_busy(std::vector<Case>& cases) {
  enter_product(cases, 64);
  enter_product(cases, 512);
  for (const std::int64_t n : {10'000, 1'000'000})
    enter(cases, "exp " + std::to_string(n), "f64x2", double(n),
          [n] { return [x = randn<double, 2>({n}, 1)] { benchmark::DoNotOptimize(exp(x)); }; });
  enter_steps(cases, 10'000'000);
}

}  // namespace mct::bench
#else
#include "bench/registry.hpp"
namespace mct::bench {
void add_busy(std::vector<Case>&) {}
}  // namespace mct::bench
#endif

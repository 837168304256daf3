// Attention of 8 heads, 2048 queries and keys of 64 numbers, forward and backward, beside its
// matrix products alone in OpenBLAS and explicit softmax(q k^T) v made of them. Two threads.
// PyTorch's is timed by bench/peers/torch_attention.py.
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/mctensor.hpp"
#if MCT_WITH_OPENBLAS
#include <cblas.h>
#endif

namespace mct::bench {
namespace {

using attention::Mask;
using attention::Operands;
using attention::Score;

constexpr std::int64_t heads = 8, length_of_sequence = 2048, width = 64;
constexpr double pairs = double(heads * length_of_sequence * length_of_sequence);
constexpr int threads = 2;

template <class Body>
void enter(std::vector<Case>& cases, const std::string& work, const std::string& implementation,
           Body body) {
  enter_items(cases, "attention/" + work, "f32x1", implementation, pairs,
              [=](benchmark::State& state) {
                const int before = num_threads();
                set_num_threads(threads);
                auto once = body();
                for (auto _ : state) once();
                set_num_threads(before);
              })
      .real_time = true;
}

Tensor<float> vectors(std::uint64_t seed) {
  return randn<float>({heads, length_of_sequence, width}, seed);
}

/// Numbers in the score's domain.
Operands<float> operands_of(Score score) {
  const float size = 1 / std::sqrt(float(width));
  Operands<float> of = {vectors(1) * size, {}, vectors(2) * size, {}, vectors(3)};
  const auto heights = [](std::uint64_t seed) {
    return rand<float>({heads, length_of_sequence, 1}, seed) * 1.4f + 0.05f;
  };
  const auto a = heights(4), b = heights(5);
  const auto reach = [](const Tensor<float>& h) { return sqrt((1.5f - h) * (h + 1.5f)); };
  if (score == Score::umbral) {
    of.a = a;
    of.b = b;
  } else if (score == Score::penumbral) {
    of.a = cat(std::vector<Tensor<float>>{a, reach(a), a * 0.0f + 1.5f}, -1);
    of.b = cat(std::vector<Tensor<float>>{b, reach(b)}, -1);
  } else if (score == Score::distance) {
    of.a = cat(std::vector<Tensor<float>>{a, a * 0.0f + 1.0f}, -1);
    of.b = b;
  }
  return of;
}

void enter_score(std::vector<Case>& cases, Score score, const std::string& name) {
  enter(cases, "forward", "ours, " + name, [=] {
    const auto of = operands_of(score);
    return [=] { benchmark::DoNotOptimize(attend(score, of, Mask<float>()).values.data()); };
  });
  enter(cases, "forward and backward", "ours, " + name, [=] {
    const auto of = operands_of(score);
    return [=] {
      const auto result = attend(score, of, Mask<float>());
      benchmark::DoNotOptimize(
          attend_backward(score, of, Mask<float>(), result, result.values).x.data());
    };
  });
}

#if MCT_WITH_OPENBLAS
constexpr int n = int(length_of_sequence), d = int(width);

/// c = x y^T of one head, (n, d) and (n, d) to (n, n).
void scores_of(const float* x, const float* y, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, d, 1, x, d, y, d, 0, c, n);
}
/// c = w y, or w^T y, of one head, (n, n) and (n, d) to (n, d).
void means_of(bool transposed, const float* w, const float* y, float* c) {
  cblas_sgemm(CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, n, d, n, 1, w, n,
              y, d, 0, c, d);
}

/// softmax(q k^T) v with all weights in memory; the softmax is ours.
void enter_explicit(std::vector<Case>& cases, bool with_softmax) {
  const std::string name = with_softmax ? "sgemm and softmax" : "sgemm alone";
  enter(cases, "forward", "OpenBLAS, " + name, [=] {
    openblas_set_num_threads(threads);
    const auto of = operands_of(Score::dot_product);
    const auto weights = Tensor<float>::uninitialized({heads, n, n});
    const auto out = Tensor<float>::uninitialized({heads, n, d});
    return [=] {
      Tensor<float> w = weights;
      for (std::int64_t h = 0; h < heads; ++h)
        scores_of(of.x[h].data(), of.y[h].data(), w[h].data());
      if (with_softmax) w = autograd_detail::softmax_rows(w);
      for (std::int64_t h = 0; h < heads; ++h)
        means_of(false, w[h].data(), of.v[h].data(), out[h].data());
      benchmark::ClobberMemory();
    };
  });
  if (with_softmax) return;
  // without the scores that attention by tiles finds a second time
  enter(cases, "forward and backward", "OpenBLAS, " + name, [=] {
    openblas_set_num_threads(threads);
    const auto of = operands_of(Score::dot_product);
    const auto weights = Tensor<float>::uninitialized({heads, n, n});
    const auto out = Tensor<float>::uninitialized({heads, n, d});
    return [=] {
      for (std::int64_t h = 0; h < heads; ++h) {
        scores_of(of.x[h].data(), of.y[h].data(), weights[h].data());
        means_of(false, weights[h].data(), of.v[h].data(), out[h].data());
        scores_of(of.x[h].data(), of.v[h].data(), weights[h].data());
        means_of(true, weights[h].data(), of.v[h].data(), out[h].data());
        means_of(true, weights[h].data(), of.x[h].data(), out[h].data());
        means_of(false, weights[h].data(), of.y[h].data(), out[h].data());
      }
      benchmark::ClobberMemory();
    };
  });
}
#endif

/// One head of points of three dimensions: all pairs by tiles beside features; per query.
void enter_lengths(std::vector<Case>& cases) {
  constexpr std::int64_t dimension = 3, features = 256;
  for (const std::int64_t length : {1024, 4096, 16384}) {
    const auto enter_one = [&](const std::string& implementation, auto body) {
      enter_items(cases, "attention/" + std::to_string(length) + " keys", "f32x1", implementation,
                  double(length),
                  [=](benchmark::State& state) {
                    const int before = num_threads();
                    set_num_threads(threads);
                    const auto points = [&](std::uint64_t seed) {
                      return Variable<float>(rand<float>({1, length, dimension}, seed) * 0.5f);
                    };
                    const auto once = body(points(1), points(2),
                                           Variable<float>(randn<float>({1, length, width}, 3)));
                    for (auto _ : state) benchmark::DoNotOptimize(once().value().data());
                    set_num_threads(before);
                  })
          .real_time = true;
    };
    enter_one("ours, distance", [](const auto& q, const auto& k, const auto& v) {
      const Variable<float> one(Tensor<float>::scalar(1));
      return [=] {
        return attention::distance_attention(attention::of_ball(q), attention::of_ball(k), v, one);
      };
    });
    enter_one("ours, linear, 256 features", [](const auto& q, const auto& k, const auto& v) {
      const geometry::PoincareBall<float> ball(1);
      const auto omega = attention::horocycle_directions<float>(features, dimension);
      const Variable<float> mu(Tensor<float>::scalar(0.2f));
      return [=] { return attention::linear_distance_attention(ball, q, k, v, omega, mu); };
    });
  }
}

}  // namespace

void add_attention(std::vector<Case>& cases) {
  enter_score(cases, Score::dot_product, "dot product");
  enter_score(cases, Score::laplacian, "Laplacian");
  enter_score(cases, Score::umbral, "umbral");
  enter_score(cases, Score::penumbral, "penumbral");
  enter_score(cases, Score::distance, "distance");
  enter_lengths(cases);
#if MCT_WITH_OPENBLAS
  enter_explicit(cases, false);
  enter_explicit(cases, true);
#endif
}

}  // namespace mct::bench

/* A line fitted in bfloat16 from C: the gradient's norm clipped, a step with an infinite gradient
 * skipped. Late steps are too small for weights of one bfloat16, not for those of two. */
#include <math.h>
#include <mctensor/c_api.h>
#include <stdint.h>
#include <stdio.h>

enum { weights = 2, points = 64, steps = 3000 };

/* Mean squared error of w[0] x + w[1] for y = 2.3 x - 0.7, and its gradient. */
static double loss_of(const float* w, float* gradient) {
  double loss = 0, slope = 0, offset = 0;
  for (int i = 0; i < points; ++i) {
    const double x = -1 + 2.0 * i / (points - 1);
    const double error = w[0] * x + w[1] - (2.3 * x - 0.7);
    loss += error * error / points;
    slope += 2 * error * x / points;
    offset += 2 * error / points;
  }
  gradient[0] = (float)slope;
  gradient[1] = (float)offset;
  return loss;
}

/* The loss after training with a strategy, -1 if a call fails. */
static double train(const char* strategy) {
  uint16_t theta[weights], low[weights], grad[weights];
  uint16_t m[weights] = {0}, v[weights] = {0}, v_low[weights] = {0};
  float w[weights] = {0}, g[weights];
  mct_adamw_memory memory = {theta, low, m, v, v_low, NULL, grad, weights, 0, NULL};
  const mct_gradient gradient = {grad, weights};
  mct_adamw_options options;
  mct_adamw_report report;
  double norm, loss = -1;
  int overflowed = 0;
  mct_adamw_default_options(&options);
  options.weight_decay = 0;
  if (mct_adamw_set_weights(strategy, MCT_BFLOAT16, w, &memory) != MCT_OK) return -1;
  for (int64_t step = 1; step <= steps; step += !report.skipped) {
    options.lr = 0.02 * (1 - (double)(step - 1) / steps);
    if (mct_adamw_get_weights(strategy, MCT_BFLOAT16, &memory, w) != MCT_OK) return -1;
    loss = loss_of(w, g);
    if (step == 100 && !overflowed++) g[0] = HUGE_VALF; /* that step is skipped and done again */
    if (mct_from_float(MCT_BFLOAT16, g, grad, weights) != MCT_OK ||
        mct_grad_norm(MCT_BFLOAT16, &gradient, 1, &norm) != MCT_OK ||
        mct_clip_factor(norm, 1, &options.grad_scale) != MCT_OK ||
        mct_adamw_step_many(strategy, MCT_BFLOAT16, &memory, 1, &options, step, &report) != MCT_OK)
      return -1;
  }
  return loss;
}

int main(void) {
  const double plain = train("plain"), plus = train("plus");
  if (plain < 0 || plus < 0) fprintf(stderr, "%s\n", mct_last_error());
  printf("mean squared error: bfloat16 %.1e, two bfloat16 %.1e\n", plain, plus);
  return plus >= 0 && plus < 1e-6 && plus < plain ? 0 : 1;
}

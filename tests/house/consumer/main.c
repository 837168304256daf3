/* Steps weights from C, in two components: the installed library links without a compiler of C++.
 */
#include <mctensor/c_api.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  uint16_t theta[1], low[1], grad[1], m[1] = {0}, v[1] = {0};
  const float one = 1, half = 0.5F;
  float weight = 0;
  if (strcmp(mct_version(), MCT_VERSION) != 0) return 1;
  mct_adamw_memory memory = {theta, low, m, v, NULL, NULL, grad, 1, 0, NULL};
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  options.lr = 1e-4;
  options.weight_decay = 0;
  if (mct_adamw_set_weights("light", MCT_BFLOAT16, &one, &memory) != MCT_OK ||
      mct_from_float(MCT_BFLOAT16, &half, grad, 1) != MCT_OK)
    return 1;
  for (int64_t step = 1; step <= 100; ++step)
    if (mct_adamw_step("light", MCT_BFLOAT16, &memory, &options, step, NULL) != MCT_OK) return 1;
  if (mct_adamw_get_weights("light", MCT_BFLOAT16, &memory, &weight) != MCT_OK) return 1;
  printf("%.4f after 100 steps of 1e-4\n", weight);
  options.lr = 1e300;
  if (mct_adamw_step("light", MCT_BFLOAT16, &memory, &options, 1, NULL) != MCT_BAD_ARGUMENT)
    return 1;
  return weight > 0.989F && weight < 0.991F ? 0 : 1;
}

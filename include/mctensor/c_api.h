/* AdamW with reduced-precision storage, for programs in C and for foreign-function interfaces.
 * See mctensor/optim/adamw.hpp for what the arguments mean. Link the library mctensor. */
#ifndef MCTENSOR_C_API_H
#define MCTENSOR_C_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results of the functions. */
enum {
  MCT_OK = 0,
  MCT_BAD_ARGUMENT = 2, /* mct_last_error() says which */
  MCT_FAILED = 3        /* anything else, e.g. no memory for threads */
};

/* The 16-bit format. */
enum { MCT_BFLOAT16 = 0, MCT_FLOAT16 = 1 };
/* Arithmetic. */
enum { MCT_REGISTERS = 0, MCT_STRICT = 1 };
/* Where weight decay enters. */
enum { MCT_DECAY_INSIDE = 0, MCT_DECAY_DECOUPLED = 1, MCT_DECAY_L2 = 2 };

typedef struct mct_adamw_options {
  double lr;
  double beta1;
  double beta2;
  double eps;
  double weight_decay;
  int decay_mode;
  double schedule;
  double grad_scale;
  uint64_t seed;
  int arithmetic;
  int metrics;       /* not 0: measure */
  int metric_sample; /* with metrics: one of so many blocks of 2048 parameters, 1: all */
} mct_adamw_options;

/* lr 1e-3, betas 0.9 and 0.999, eps 1e-8, weight_decay 0.01, inside; schedule and grad_scale 1. */
void mct_adamw_default_options(mct_adamw_options* options);

/* Arrays of `count` parameters; those that the strategy does not have are ignored. v_max may be
 * null: no AMSGrad. */
typedef struct mct_adamw_memory {
  void* theta;
  void* low;
  void* m;
  void* v;
  void* v_low;
  void* v_max;
  void* scales; /* two floats for every group of 128 parameters */
  const void* grad;
  int64_t count;
  int64_t first; /* position of the first element in the whole parameter */
} mct_adamw_memory;

/* Bytes of an element of each array, 0 for one that the strategy does not have; `scales`: bytes for
 * every group of 128 parameters; `v_max`: for AMSGrad only. */
typedef struct mct_adamw_layout {
  int64_t theta;
  int64_t low;
  int64_t m;
  int64_t v;
  int64_t v_low;
  int64_t grad;
  int64_t scales;
  int64_t v_max;
} mct_adamw_layout;

typedef struct mct_adamw_report {
  int64_t elements;
  int64_t nonfinite;
  int64_t updates;
  int64_t lost_updates;
  int64_t v_updates;
  int64_t lost_v_updates;
  double update_squared;
  double effective_squared;
  double update_times_effective;
  int64_t measured; /* parameters that the counts and sums are over */
} mct_adamw_report;

/* `strategy`: "plain", "light", "plus", "kahan", "stochastic", "stochastic-states", "residual",
 * "residual-states", "fp8-states", "split16", "split16-stochastic", "split16-plus", "float-states",
 * "master" or "full". */
int mct_adamw_layout_of(const char* strategy, mct_adamw_layout* layout);

/* One step, numbered from 1. `report` may be null. */
int mct_adamw_step(const char* strategy, int format, const mct_adamw_memory* memory,
                   const mct_adamw_options* options, int64_t step, mct_adamw_report* report);

/* What went wrong in the last call of this thread that did not return MCT_OK. */
const char* mct_last_error(void);

#ifdef __cplusplus
}
#endif

#endif

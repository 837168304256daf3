/* AdamW with reduced-precision storage and hyperbolic geometry, for programs in C and for
 * foreign-function interfaces. See mctensor/optim/adamw.hpp for the meaning of arguments;
 * examples/train_in_c.c is a training loop.
 *
 *   cc -std=c99 train.c $(pkg-config --static --cflags --libs mctensor)
 *
 * (without --static for a shared library). Functions that return an int return MCT_OK; otherwise
 * mct_last_error() says which argument is wrong, and its value, and nothing was written.
 * Lists have at most 2^40 tensors. */
#ifndef MCTENSOR_C_API_H
#define MCTENSOR_C_API_H

#include <stdint.h>

#include "mctensor/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Results of the functions. */
enum {
  MCT_OK = 0,
  MCT_BAD_ARGUMENT = 2, /* mct_last_error() says which */
  MCT_FAILED = 3,       /* anything else, e.g. no memory for threads */
  MCT_NO_DEVICE = 4     /* no GPU can be used, or CUDA reported an error, which is in the text */
};

/* Types of numbers. The first two are the 16-bit formats of strategies. */
enum { MCT_BFLOAT16 = 0, MCT_FLOAT16 = 1, MCT_FLOAT32 = 2 };
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

/* lr 1e-3, betas 0.9 and 0.999, eps 1e-8, weight_decay 0.01, inside; schedule, grad_scale and
 * metric_sample 1. Begin with these, because a structure of zeros is refused. Numbers that overflow
 * or underflow in float, such as 1e300 or 1e-50, are refused, too. */
void mct_adamw_default_options(mct_adamw_options* options);

/* Arrays of `count` parameters, which must not overlap; those that the strategy does not have are
 * ignored. v_max may be null: no AMSGrad. Before the first step m, v, v_low and v_max are
 * zeros, and mct_adamw_set_weights writes the weights into theta and low:
 *
 * - plain, stochastic, stochastic-states, float-states: the weight, rounded to the format; no low.
 * - light, plus, residual, residual-states: the same, and low is weight - theta,
 *   rounded to the format: the weight is theta + low.
 * - split16, split16-stochastic, split16-plus (bfloat16 only): the upper 16 bits of the float
 *   weight, rounded; low is an int16_t, the bits of the weight minus 2^16 times the bits of theta.
 * - split8 (bfloat16 only): the upper 16 bits of the float weight rounded to 23 bits; low is a byte
 *   for each parameter, in whole blocks of 16 (for 17 parameters 32 bytes), zeros at the beginning.
 *   The upper 7 bits of a byte belong to the weight, and its lowest bit to the scales of m and v;
 *   mct_adamw_set_weights does not change the lowest bit.
 * - master: the weight, rounded to the format; low is the weight, a float.
 * - full: the weight, a float; no low.
 */
typedef struct mct_adamw_memory {
  void* theta;
  void* low;
  void* m;
  void* v;
  void* v_low;
  void* v_max;
  const void* grad;
  int64_t count;
  int64_t first; /* position of the first element in the whole parameter; with stochastic rounding
                    tensors at different positions (multiples of 128) get different random bits */
  void* marks;   /* may be null; see below */
} mct_adamw_memory;

/* How a program may write weights between steps. If theta is the weight (plain, stochastic,
 * stochastic-states, float-states, full), write theta. With master, each theta that differs from
 * the rounded low becomes the weight. With the other strategies low continues theta and belongs to
 * the old weight. There, write with mct_adamw_set_weights, or pass `marks`: a uint32_t for every
 * group of 128 parameters, zeros at the beginning. A step stores a checksum of theta there. If the
 * next step finds another theta, it takes theta as the weights and drops low, for all 128 of the
 * group. mct_adamw_set_weights sets the marks, mct_adamw_get_weights respects them. With marks,
 * `first` is a multiple of 128, or all elements lie in one group. */

/* Bytes of an element of each array, 0 if the strategy does not have the array; `marks`: bytes for
 * every group of 128 parameters; `v_max`: for AMSGrad only. */
typedef struct mct_adamw_layout {
  int64_t theta;
  int64_t low;
  int64_t m;
  int64_t v;
  int64_t v_low;
  int64_t grad;
  int64_t v_max;
  int64_t marks;
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
  int skipped;      /* mct_adamw_step_many: not 0 if a gradient was not finite */
} mct_adamw_report;

/* `strategy`: "plain", "light", "plus", "stochastic", "stochastic-states", "residual",
 * "residual-states", "split16", "split16-stochastic", "split16-plus", "split8",
 * "float-states", "master" or "full". */
int mct_adamw_layout_of(const char* strategy, mct_adamw_layout* layout);

/* One step, numbered from 1. `report` may be null. Elements whose gradient is not finite stay as
 * they are. */
int mct_adamw_step(const char* strategy, int format, const mct_adamw_memory* memory,
                   const mct_adamw_options* options, int64_t step, mct_adamw_report* report);

/* One step of many tensors, or of none: if a gradient is not finite, nothing changes and
 * report->skipped is 1. A skipped step does not count: the next one has the same number. The report
 * is about all tensors together. */
int mct_adamw_step_many(const char* strategy, int format, const mct_adamw_memory* memories,
                        int64_t tensors, const mct_adamw_options* options, int64_t step,
                        mct_adamw_report* report);

/* Writes memory->count float weights into theta and low, and reads them, rounded to float. The
 * other arrays are not used. A weight that is not finite in the format of theta is refused. */
int mct_adamw_set_weights(const char* strategy, int format, const float* weights,
                          const mct_adamw_memory* memory);
int mct_adamw_get_weights(const char* strategy, int format, const mct_adamw_memory* memory,
                          float* weights);

/* Converts floats to a 16-bit format, rounded to nearest even, and back. Too large numbers become
 * infinite; NaN stays NaN. */
int mct_from_float(int format, const float* from, void* to, int64_t count);
int mct_to_float(int format, const void* from, float* to, int64_t count);

/* The gradient of a tensor. */
typedef struct mct_gradient {
  void* data;
  int64_t count;
} mct_gradient;

/* The Euclidean norm of the gradients of all tensors together, in double; NaN or infinite if one
 * is. The bits do not depend on the number of threads. `type`: the type of the numbers. */
int mct_grad_norm(int type, const mct_gradient* gradients, int64_t tensors, double* norm);
/* The factor that clips a norm: max_norm / norm if that is less than 1, else 1; 1 for a norm that
 * is not finite. As options.grad_scale it clips in the step itself, without a pass over the
 * gradients. If gradients have been multiplied by a loss scale s, `norm` is their norm divided by
 * s, and grad_scale the factor divided by s. */
int mct_clip_factor(double norm, double max_norm, double* factor);
/* Multiplies the gradients in place, for programs that use them before the step. */
int mct_grad_multiply(int type, const mct_gradient* gradients, int64_t tensors, double factor);
/* How many numbers are infinite or NaN. */
int mct_grad_count_nonfinite(int type, const mct_gradient* gradients, int64_t tensors,
                             int64_t* count);

/* Geometry: every operation of the models of hyperbolic space, by names (docs/geometry.md). */

/* One more type of numbers, for arrays. */
enum { MCT_FLOAT64 = 3 };

/* Numbers in the caller's memory. Component k of number (i, j, ...) is
 * data[k component_stride + i strides[0] + j strides[1] + ...], counted in elements of `type`. */
typedef struct mct_array {
  void* data;
  int type;                 /* MCT_FLOAT64, MCT_FLOAT32, MCT_FLOAT16 or MCT_BFLOAT16 */
  int components;           /* of each number, 1 to 3 */
  int64_t component_stride; /* 0: as many as the array has numbers */
  int dimensions;
  const int64_t* shape;
  const int64_t* strides; /* null: row-major without gaps */
} mct_array;

/* The kind of an operation's result. */
enum { MCT_NUMBER = 0, MCT_VECTOR = 1, MCT_POINT = 2 };

/* The texts belong to the library and stay valid. */
typedef struct mct_geometry_operation {
  const char* model;     /* "PoincareBall", "HalfSpace", "Lorentz", "Klein", ... */
  const char* operation; /* "dist", "expmap", ... */
  const char* type;      /* of all numbers: "f64x2" is two components of MCT_FLOAT64 */
  const char* device;    /* "cpu" */
  const char* operands;  /* a letter for each: p for points and vectors, n for numbers */
  int result;
} mct_geometry_operation;

/* The number of operations, and operation number `index`, counted from 0. */
int mct_geometry_count(int64_t* count);
int mct_geometry_at(int64_t index, mct_geometry_operation* operation);

/* An operation of a model. The last dimension of an array of points or vectors holds the
 * coordinates; the dimensions before it broadcast as in NumPy, and so do all dimensions of an array
 * of numbers. `radius`: one number without dimensions, the curvature for Stereographic; its type
 * selects the operation. `result` has the broadcast shape and, for a vector or point, its
 * coordinates; another shape is refused. Memory of the result and operands may not overlap. A point
 * outside its model gives NaN; a direction (busemann, horosphere_projection) whose length is not 1
 * is refused. */
int mct_geometry_value(const char* model, const char* operation, const mct_array* radius,
                       const mct_array* operands, int count, const mct_array* result);
/* The derivatives of an operation, weighted by `grad`, which has the result's shape: gradients[0]
 * by the radius, gradients[1 + i] by operand i, in its shape, summed over broadcast dimensions;
 * null if not wanted. They and `grad` have as many components as the radius. */
int mct_geometry_gradients(const char* model, const char* operation, const mct_array* radius,
                           const mct_array* operands, int count, const mct_array* grad,
                           const mct_array* const* gradients);

/* On a GPU
 *
 * These functions are in a library of their own, which also exists without CUDA and then returns
 * MCT_NO_DEVICE: -lmctensor_cuda -lmctensor_devices before -lmctensor, and -lcudart_static -ldl
 * -lrt if the library was built with CUDA (CMake: mctensor::cuda). `device`: a number from 0 on;
 * `stream`: a cudaStream_t of it, or null for the legacy default stream. The arrays of
 * mct_adamw_memory lie in the device's memory. Arrays that do not begin at multiples of 16 bytes,
 * or whose `first` is not a multiple of 8, are read number by number. All work on them is done in
 * the order of the stream. */

/* How many devices there are. If none, returns MCT_NO_DEVICE, and mct_last_error() says why. */
int mct_cuda_device_count(int* count);

/* A list of tensors whose steps are single launches. */
typedef struct mct_cuda_adamw mct_cuda_adamw;

/* Copies the table of addresses, not the arrays, to the device and waits for the stream. The list
 * belongs to the caller, who ends it with mct_cuda_adamw_destroy; null is allowed there. */
int mct_cuda_adamw_create(const char* strategy, int format, const mct_adamw_memory* memories,
                          int64_t tensors, int device, void* stream, mct_cuda_adamw** list);
void mct_cuda_adamw_destroy(mct_cuda_adamw* list);

/* Starts a step, numbered from 1, and returns before it is done. The gradients' norm is clipped to
 * max_grad_norm, infinite (HUGE_VAL) for none. If a gradient is not finite nothing changes. */
int mct_cuda_adamw_step(mct_cuda_adamw* list, const mct_adamw_options* options, int64_t step,
                        double max_grad_norm);
/* Waits for the last step and reports on it. Either pointer may be null. grad_norm: before
 * clipping, options->grad_scale included. A skipped step does not count: the next one has the same
 * number. */
int mct_cuda_adamw_report(const mct_cuda_adamw* list, mct_adamw_report* report, double* grad_norm);

/* mct_adamw_step_many on a device: one step of a list that is used once. Waits for it. */
int mct_cuda_adamw_step_many(const char* strategy, int format, const mct_adamw_memory* memories,
                             int64_t tensors, const mct_adamw_options* options, int64_t step,
                             double max_grad_norm, int device, void* stream,
                             mct_adamw_report* report);

/* The version of the library that runs, as "0.3.0". MCT_VERSION is the version of the header. */
const char* mct_version(void);

/* The error message of the last call of this thread that did not return MCT_OK. */
const char* mct_last_error(void);

#ifdef __cplusplus
}
#endif

#endif

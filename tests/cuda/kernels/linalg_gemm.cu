// Products by the vector units: all that the library has.
#include "cuda/linalg/gemm.cu"

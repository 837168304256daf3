// Products of bfloat16 by the tensor cores: all that the library has.
#include "cuda/linalg/bfloat16_product.cu"

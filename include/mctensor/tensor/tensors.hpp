// The whole tensor layer.
#pragma once

#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/indexing.hpp"
#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/map.hpp"
#include "mctensor/tensor/npy.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "mctensor/tensor/threads.hpp"

// The layer device: GPUs, streams, memory and tensors of theirs. Link mctensor::cuda, which is
// there without CUDA too; why_no_device() then says so.
#pragma once

#include "mctensor/device/create.hpp"
#include "mctensor/device/device_tensor.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/device/elementwise.hpp"
#include "mctensor/device/memory.hpp"
#include "mctensor/device/reduce.hpp"
#include "mctensor/device/stream.hpp"

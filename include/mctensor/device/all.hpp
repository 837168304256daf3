// The device layer: GPUs, streams, device memory and device tensors. Link mctensor::cuda. It exists
// in builds without CUDA, too; why_no_device() then states the reason.
#pragma once

#include "mctensor/device/create.hpp"
#include "mctensor/device/device_tensor.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/device/elementwise.hpp"
#include "mctensor/device/memory.hpp"
#include "mctensor/device/reduce.hpp"
#include "mctensor/device/stream.hpp"

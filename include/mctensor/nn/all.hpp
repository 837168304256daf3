// Layer 7: layers, activations, losses.
#pragma once

#include "mctensor/nn/activation.hpp"
#include "mctensor/nn/attention.hpp"
#include "mctensor/nn/container.hpp"
#include "mctensor/nn/dropout.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/linear.hpp"
#include "mctensor/nn/losses.hpp"
#include "mctensor/nn/module.hpp"
#include "mctensor/nn/normalization.hpp"
#include "mctensor/nn/state.hpp"

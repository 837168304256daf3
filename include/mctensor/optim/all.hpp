// Layer 7: optimizers.
#pragma once

#include "mctensor/optim/adam.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/arrays.hpp"
#include "mctensor/optim/bias_correction.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/optim/number_text.hpp"
#include "mctensor/optim/optimizer.hpp"
#include "mctensor/optim/precision_loss.hpp"
#include "mctensor/optim/schedule.hpp"
#include "mctensor/optim/sgd.hpp"
#include "mctensor/optim/state_file.hpp"
#include "mctensor/optim/step_report.hpp"
#include "mctensor/optim/strategy.hpp"

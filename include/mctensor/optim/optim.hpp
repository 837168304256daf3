// The whole optim layer.
#pragma once

#include "mctensor/optim/adam.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/arrays.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/optim/optimizer.hpp"
#include "mctensor/optim/schedule.hpp"
#include "mctensor/optim/sgd.hpp"
#include "mctensor/optim/state_file.hpp"
#include "mctensor/optim/step_report.hpp"
#include "mctensor/optim/strategy.hpp"

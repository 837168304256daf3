// The subcommands of `mct train`. Each sets exit_code to 0 or throws.
#pragma once

namespace CLI {
class App;
}

namespace mct::cli::train {

void add_regression(CLI::App& train, int& exit_code);
void add_markov(CLI::App& train, int& exit_code);
void add_gpt(CLI::App& train, int& exit_code);

}  // namespace mct::cli::train

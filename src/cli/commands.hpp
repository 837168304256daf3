// The subcommands of `mct`. Each sets exit_code: 0 success, 1 the answer is no (a bound violated),
// 2 bad usage or input; they throw for the last.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace mct::cli {

std::string version_text();

void add_validate(CLI::App& app, int& exit_code);
void add_train(CLI::App& app, int& exit_code);
void add_compress(CLI::App& app, int& exit_code);
void add_decompress(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);

}  // namespace mct::cli

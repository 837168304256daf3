// The subcommands of `mct`. Each file that has one enters it here by itself, so that main() knows
// none of them:
//
//   const Command command("info", add_info);          // mct info
//   const Command gpt("train gpt", add_gpt);          // mct train gpt
//
// They include CLI/App.hpp. Only main.cpp, which makes the first App, includes CLI/CLI.hpp: each
// file that does compiles CLI11's formatter and configuration files.
#pragma once

namespace CLI {
class App;
}

namespace mct::cli {

/// An entry of the list of subcommands, made before main() starts.
class Command {
 public:
  /// Adds the subcommand to `parent`. When chosen it sets exit_code: 0 success, 1 the answer is no
  /// (a bound violated); it throws for bad usage or input.
  using Add = void (*)(CLI::App& parent, int& exit_code);

  /// `path` is what the user types after `mct`; the words before the last name an entry of its own.
  /// Both must live as long as the program.
  Command(const char* path, Add add);
};

/// Adds all that have been entered, in alphabetical order. No option of theirs takes an empty
/// value, and those of numbers take nothing but numbers in decimal that they can hold, no NaN.
void add_commands(CLI::App& app, int& exit_code);

/// Throws DomainError, naming the word and the command that is spelled most like it, if the words
/// in front of the first option are not commands of `app`.
void require_known_command(const CLI::App& app, int argc, const char* const* argv);

}  // namespace mct::cli

// The subcommands of `mct`. Each file that has one enters it here by itself, so that main() knows
// none of them:
//
//   const Command train("train", describe_train);       // mct train, which has others below it
//   const Command gpt("train gpt", describe_gpt, run);   // mct train gpt
//
// They include CLI/App.hpp. Only main.cpp, which makes the first App, includes CLI/CLI.hpp: each
// file that does compiles CLI11's formatter and configuration files.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

namespace CLI {
class App;
}

namespace mct::cli {

/// An entry of the list of subcommands, made before main() starts. `path` is what the user types
/// after `mct`; the words before the last name an entry of its own.
class Command {
 public:
  /// `describe` gives the subcommand its description and the options, which write into `Arguments`.
  /// `run` takes them, after the subcommand itself if it asks for it, when the subcommand is
  /// chosen. What it returns is the exit code: 0 (nothing: 0) success, 1 the answer is no (a bound
  /// violated); it throws for bad usage or input.
  template <class Arguments, class Run>
  Command(const char* path, void (*describe)(CLI::App&, Arguments&), Run run)
      : Command(path, [describe, run](CLI::App& command) -> Call {
          auto arguments = std::make_shared<Arguments>();
          describe(command, *arguments);
          return [&command, arguments, run] {
            [[maybe_unused]] CLI::App& itself = command;
            const auto call = [&] {
              if constexpr (std::is_invocable_v<Run, Arguments&>)
                return run(*arguments);
              else
                return run(itself, *arguments);
            };
            if constexpr (std::is_void_v<decltype(call())>)
              return call(), 0;
            else
              return call();
          };
        }) {}
  /// An entry that is chosen by one below it.
  Command(const char* path, void (*describe)(CLI::App&));

 private:
  using Call = std::function<int()>;
  /// Adds what a new subcommand has; returns what it does, if it does anything by itself.
  using Add = std::function<Call(CLI::App&)>;
  Command(const char* path, const Add& add);
  static std::map<std::string, Add>& entries();

  friend void add_commands(CLI::App& app, int& exit_code);
};

/// Adds all that have been entered, in alphabetical order. No option of theirs takes an empty
/// value, and those of numbers take nothing but numbers in decimal that they can hold, no NaN. Help
/// shows the value that an option's variable has, unless its description says in brackets what is
/// taken where it is not given.
void add_commands(CLI::App& app, int& exit_code);

/// Throws DomainError, naming the word and the command that is spelled most like it, if the words
/// in front of the first option are not commands of `app`.
void require_known_command(const CLI::App& app, int argc, const char* const* argv);

}  // namespace mct::cli

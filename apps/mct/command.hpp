// The subcommands of `mct`. Each file that has one enters it here by itself, so that main() knows
// none of them:
//
//   const Command train("train", describe_train);       // mct train, which has others below it
//   const Command gpt("train gpt", describe_gpt, run);   // mct train gpt
//
// These files include CLI/App.hpp. Only main.cpp, which makes the first App, includes CLI/CLI.hpp:
// every file that includes it compiles CLI11's formatter and configuration files.
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
  /// `describe` gives the subcommand its description and its options, which write into `Arguments`.
  /// When the subcommand is chosen, `run` is called with them, after the subcommand itself if it
  /// has such a parameter. It returns the exit code: 0 (nothing: 0) is success, 1 means that the
  /// answer is no (a bound violated). It throws for bad usage or input.
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
  /// An entry that only groups the commands below it.
  Command(const char* path, void (*describe)(CLI::App&));

 private:
  using Call = std::function<int()>;
  /// Adds the options of a new subcommand; returns the subcommand's action, if it has one of its
  /// own.
  using Add = std::function<Call(CLI::App&)>;
  Command(const char* path, const Add& add);
  static std::map<std::string, Add>& entries();

  friend void add_commands(CLI::App& app, int& exit_code);
};

/// Adds all entered commands, in alphabetical order. No option takes an empty value. Options of
/// numbers take nothing but numbers in decimal that they can hold, no NaN. Help shows the value of
/// an option's variable, unless the description says in brackets what holds if the option is not
/// given.
void add_commands(CLI::App& app, int& exit_code);

/// If the words before the first option are not commands of `app`, throws DomainError naming the
/// word and the command with the most similar spelling.
void require_known_command(const CLI::App& app, int argc, const char* const* argv);

}  // namespace mct::cli

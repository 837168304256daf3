// The program `mct`.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

#include "apps/mct/command.hpp"
#include "apps/mct/version.hpp"

int main(int argc, char** argv) {
  CLI::App app("MCTensor: multi-component floating-point", "mct");
  app.require_subcommand(1);
  app.set_version_flag("--version", mct::cli::version_text());
  int exit_code = 0;
  mct::cli::add_commands(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version are not errors; everything else the command line can get wrong is 2
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mct: %s\n", error.what());
    return 2;
  }
  return exit_code;
}

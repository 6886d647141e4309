// The program `routh`: reads the command line and hands over to the commands.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <new>
#include <string>

#include "command_line.h"
#include "completion.h"
#include "exit_code.h"
#include "options.h"
#include "output.h"
#include "routh/base/error.h"

namespace routh {

namespace {

ExitCode run(CommandLine& line) {
  switch (line.chosen()) {
    case Command::impact:
      return run_impact(line.impact(), line.terminal());
    case Command::diagnose:
      return run_diagnose(line.diagnose(), line.terminal());
    case Command::map:
      return run_map(line.map(), line.terminal());
    case Command::simulate:
      return run_simulate(line.simulate(), line.terminal());
    case Command::sweep:
      return run_sweep(line.sweep(), line.terminal());
    case Command::fit:
      return run_fit(line.fit(), line.terminal());
    case Command::report:
      return run_report(line.report());
    case Command::export_run:
      return run_export(line.export_run());
    case Command::compare:
      return run_compare(line.compare());
    case Command::check:
      return run_check(line.inspect());
    case Command::info:
      return run_info(line.inspect(), line.terminal());
    case Command::convert:
      return run_convert(line.convert());
    case Command::examples:
      return run_examples(line.examples(), line.terminal());
    case Command::papers:
      return run_papers(line.papers(), line.terminal());
    case Command::completion:
      write_stdout(completion_script(line.app(), line.shell()));
      return ExitCode::ok;
  }
  return ExitCode::usage;
}

ExitCode guarded_main(int argc, char** argv) {
  try {
    CommandLine line;
    switch (line.parse(argc, argv)) {
      case ParseOutcome::run:
        return run(line);
      case ParseOutcome::told:
        write_stdout(line.message());
        return ExitCode::ok;
      case ParseOutcome::refused:
        write_message(line.message());
        return ExitCode::usage;
    }
    return ExitCode::usage;
  } catch (const UsageError& error) {
    write_message(error.what());
    return ExitCode::usage;
  } catch (const NoAnswer& error) {
    write_message(error.what());
    return ExitCode::no_answer;
  } catch (const InputError& error) {
    write_complaint(error.what());
    return ExitCode::invalid_input;
  } catch (const std::bad_alloc&) {
    write_message("error: out of memory");
    return ExitCode::runtime_failure;
  } catch (const std::exception& error) {
    write_message(fmt::format("error: {}", error.what()));
    return ExitCode::runtime_failure;
  }
}

}  // namespace

}  // namespace routh

int main(int argc, char** argv) {
  routh::prepare_streams();
  return static_cast<int>(routh::guarded_main(argc, argv));
}

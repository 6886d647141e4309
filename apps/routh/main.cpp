// The program `routh`: reads the command line and hands over to the commands.
#include <fmt/format.h>

#include <new>

#include "command_line.h"
#include "options.h"
#include "output.h"
#include "routh/base/error.h"

namespace routh {

namespace {

ExitCode guarded_main(int argc, char** argv) {
  try {
    CommandLine line;
    switch (line.parse(argc, argv)) {
      case ParseOutcome::run:
        return line.run();
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

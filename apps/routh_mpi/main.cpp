// `routh-mpi`: `routh sweep` over the ranks of mpirun.
//
//   mpirun -n 4 routh-mpi study.yaml -o out.h5
//
// When a rank is lost, mpirun ends the others: it sends SIGTERM and, about a second later, SIGKILL. Rank 0 uses that
// second to write a checkpoint and to say how to go on.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>

#include "distribute.h"
#include "output.h"
#include "routh/version.h"
#include "sweep_command.h"
#include "sweep_progress.h"

namespace routh {

namespace {

std::atomic<int> signalled{0};
std::atomic<const std::string*> farewell{nullptr};  // of rank 0
// mpirun gives a rank a second after it has told it to end: the message does not wait for the next look at `signalled`.
extern "C" void note_signal(int signal) {
  const std::string* const text = farewell;
  if (signal == SIGTERM && signalled == 0 && text) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text->data(), text->size());
  }
  signalled = signal;
}

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const char* const footer =
    "Started by mpirun, one process for each core:\n"
    "  mpirun -n 4 routh-mpi study.yaml -o out.h5\n"
    "The result is that of `routh sweep`, to the last bit. A lost rank ends the run;\n"
    "go on from its checkpoint with --resume.\n"
    "\n";

void add_options(CLI::App& app, SweepCommandOptions& options) {
  add_sweep_options(app, options);
  app.remove_option(app.get_option("--threads"));  // ranks take their place
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", "routh-mpi " ROUTH_VERSION, "show the version");
  app.footer(std::string(footer) + exit_code_help);
}

ExitCode run_leader(const SweepCommandOptions& options, const Study& study, StudyKeeper& keeper) {
  say_start(options, study, keeper);
  static const std::string ended = fmt::format("routh-mpi: error: a rank was lost or the run was told to end; {}\n",
                                               how_to_resume(options, "mpirun … routh-mpi"));
  farewell = &ended;
  SweepProgress progress(options.verbosity, study.samples(), keeper.resumed_samples());
  // A signal may come while others no longer answer: what is joined is saved at once, and nothing is waited for.
  const auto stop = [&] {
    if (signalled == 0) return false;
    progress.clear();
    keeper.save();
    if (signalled == SIGTERM) _exit(static_cast<int>(ExitCode::runtime_failure));  // the farewell has been said
    write_message(fmt::format("interrupted after {} of {} samples; {}", keeper.totals().samples(), study.samples(),
                              how_to_resume(options, "mpirun … routh-mpi")));
    _exit(static_cast<int>(ExitCode::interrupted));
  };
  const Ended end = lead(study, keeper, stop, [&](const StudyTotals& totals) { progress.show(totals); });
  progress.clear();
  if (end != Ended::complete) return ExitCode::interrupted;
  return finish_sweep(options, detect_terminal(ColourChoice::automatic), study, keeper);
}

// Says what went wrong, once for all ranks.
ExitCode complain(int rank) {
  try {
    throw;
  } catch (const UsageError& error) {
    if (rank == 0) write_message(error.what());
    return ExitCode::usage;
  } catch (const InputError& error) {
    if (rank == 0) write_complaint(error.what());
    return ExitCode::invalid_input;
  } catch (const std::exception& error) {
    write_message(fmt::format("error: {}{}", error.what(), rank == 0 ? "" : fmt::format(" (rank {})", rank)));
    return ExitCode::runtime_failure;
  }
}

// Whether every rank is ready; the first failure decides how the program ends.
ExitCode agree(ExitCode own) {
  int mine = static_cast<int>(own), worst = 0;
  MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return static_cast<ExitCode>(worst);
}

// Every rank reads the study, rank 0 opens the files as well; nobody begins unless all are ready.
ExitCode run(const SweepCommandOptions& options, int rank) {
  std::optional<Study> study;
  std::unique_ptr<StudyKeeper> keeper;
  ExitCode ready = ExitCode::ok;
  try {
    study.emplace(read_study_file(options.file));
    if (rank == 0) {
      check_options(options, *study);
    }
    keep_rows_for_pictures(options, *study);
    if (rank == 0) keeper = std::make_unique<StudyKeeper>(*study, keeper_options(options));
  } catch (...) {
    ready = complain(rank);
  }
  if (const ExitCode all = agree(ready); all != ExitCode::ok) return rank == 0 ? all : ExitCode::ok;
  try {
    if (rank == 0) return run_leader(options, *study, *keeper);
    follow(*study);
    return ExitCode::ok;
  } catch (...) {
    const ExitCode code = complain(rank);
    if (rank == 0) write_message(how_to_resume(options, "mpirun … routh-mpi"));
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));  // the others wait for this rank
    return code;
  }
}

ExitCode guarded_main(int argc, char** argv, int rank) {
  CLI::App app("routh-mpi: a study over the ranks of mpirun.", "routh-mpi");
  SweepCommandOptions options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success&) {
    if (rank == 0)
      write_stdout(argc > 1 && std::string(argv[1]) == "--version" ? "routh-mpi " ROUTH_VERSION "\n" : app.help());
    return ExitCode::ok;
  } catch (const CLI::ParseError& error) {
    if (rank == 0) write_message("error: " + printable(error.what(), 300));
    return ExitCode::usage;
  } catch (const UsageError& error) {
    if (rank == 0) write_message(error.what());
    return ExitCode::usage;
  }
  if (rank > 0) options.verbosity = Verbosity::quiet;
  return run(options, rank);
}

}  // namespace

}  // namespace routh

int main(int argc, char** argv) {
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  routh::watch_signals();
  const routh::ExitCode code = routh::guarded_main(argc, argv, rank);
  MPI_Finalize();
  return static_cast<int>(code);
}

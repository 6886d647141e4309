// `routh sweep`: a study on all cores.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "page_output.h"
#include "picture_output.h"
#include "routh/study/keeper.h"
#include "terminal.h"

namespace CLI {
class App;
}

namespace routh {

struct SweepCommandOptions {
  std::string file;
  std::string output;  // HDF5; empty: none
  std::string csv;
  std::string html;
  ShowPage show = ShowPage::no;  // of the page
  PictureFiles pictures;
  std::vector<std::string> measures;  // to draw; empty: all
  int threads = 0;                    // 0: one for each core
  StudyStart start = StudyStart::fresh;
  double checkpoint = 5;  // [s]
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

// All that a study's command can be told. The options must outlive the command line.
void add_sweep_options(CLI::App& command, SweepCommandOptions& options);
// Refuses what cannot be meant, or written. Throws UsageError, RuntimeFailure.
void check_options(const SweepCommandOptions& options, const Study& study);
// Pictures need the samples one by one: without another output rows are kept in memory. After `check_options`.
void keep_rows_for_pictures(const SweepCommandOptions& options, Study& study);
KeeperOptions keeper_options(const SweepCommandOptions& options);
// Says where the study begins, on standard error: its warnings, and how far it had come where it is resumed.
void say_start(const SweepCommandOptions& options, const Study& study, const StudyKeeper& keeper);
// Writes the files, prints the result, removes the checkpoint.
ExitCode finish_sweep(const SweepCommandOptions& options, const Terminal& terminal, const Study& study,
                      StudyKeeper& keeper);
// How to go on: `routh sweep study.yaml -o out.h5 --resume`.
std::string how_to_resume(const SweepCommandOptions& options, const std::string& program);

ExitCode run_sweep(const SweepCommandOptions& options, const Terminal& terminal);

}  // namespace routh

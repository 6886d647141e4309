// Takes the portions of a study as they come, joins them in order, and keeps what is done safe on disk.
//
// Beside the result OUT stand, while the study goes on, OUT.checkpoint (all that was joined, replaced as a whole, with
// a check sum) and OUT.rows (the table, if one is wanted; rows beyond those of the checkpoint are dropped on resuming).
// So whatever moment the program is killed at, resuming neither loses nor repeats a sample of the checkpoint. By
// OUT.lock two programs with the same result keep out of each other's way.
#pragma once

#include <chrono>
#include <map>

#include "routh/file/file_lock.h"
#include "routh/study/row_file.h"
#include "routh/study/totals.h"

namespace routh::internal {

enum class StudyStart {
  fresh,   // refuses where a checkpoint stands
  resume,  // from the checkpoint; from the beginning where there is none
  anew,    // from the beginning, whatever stands there
};

struct KeeperOptions {
  std::string output;  // OUT; empty: nothing is kept on disk
  StudyStart start = StudyStart::fresh;
  double interval = 5;  // [s] between checkpoints
  // How the caller is told to go on, or to begin anew.
  std::string resume_words = "--resume", restart_words = "--restart";
};

class StudyKeeper {
 public:
  // Throws RuntimeFailure when a file cannot be written, InputError when the checkpoint cannot be used.
  StudyKeeper(const Study& study, const KeeperOptions& options);

  // Portions may come in any order. One that came before is ignored: after a stop, blocks behind a gap wait here while
  // the next sweep computes them again.
  void add(Portion portion);
  // Writes a checkpoint now.
  void save();
  const StudyTotals& totals() const { return totals_; }
  std::uint64_t resumed_samples() const { return resumed_; }
  // Whether it goes on from a checkpoint.
  bool found_checkpoint() const { return found_; }
  bool keeps_files() const { return !options_.output.empty(); }
  // Whether a program that comes later can go on.
  bool can_be_resumed() const { return keeps_files() && !removed_; }
  // The table, null without: in memory where nothing is kept on disk.
  const RowFile* rows() const { return rows_.get(); }
  // When the result is written: nothing is left to resume.
  void remove_files();

  static std::string checkpoint_path(const std::string& output) { return output + ".checkpoint"; }
  static std::string lock_path(const std::string& output) { return output + ".lock"; }
  static std::string rows_path(const std::string& output) { return output + ".rows"; }

 private:
  RowCount load();
  [[noreturn]] void refuse(const std::string& path, const std::string& why) const;
  void join_waiting();

  const Study& study_;
  KeeperOptions options_;
  StudyTotals totals_;
  std::optional<FileLock> lock_;
  std::map<std::uint64_t, Portion> waiting_;
  std::unique_ptr<RowFile> rows_;
  bool found_ = false, removed_ = false;
  std::uint64_t resumed_ = 0;
  std::chrono::steady_clock::time_point next_save_;
};

// Thrown where a checkpoint stands and nothing says what to do with it.
class CheckpointStands : public RuntimeFailure {
 public:
  using RuntimeFailure::RuntimeFailure;
};

}  // namespace routh::internal

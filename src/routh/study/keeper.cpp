#include "routh/study/keeper.h"

#include <fmt/format.h>

#include "routh/file/own_file.h"
#include "routh/file/sha256.h"
#include "routh/file/temporary_file.h"
#include "routh/text/document.h"
#include "routh/version.h"

namespace routh::internal {

namespace {

constexpr std::string_view magic = "routh study checkpoint 2\n", any_magic = "routh study checkpoint ";
constexpr std::size_t digest_size = 64;
constexpr std::size_t max_checkpoint = std::size_t{4} << 30;

std::chrono::steady_clock::duration seconds(double value) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(value));
}

}  // namespace

StudyKeeper::StudyKeeper(const Study& study, const KeeperOptions& options)
    : study_(study), options_(options), totals_(study), next_save_(std::chrono::steady_clock::now()) {
  const std::size_t columns = study.parameters.size() + study.measures.size() + 1;
  if (!keeps_files()) {
    if (study.table) rows_ = std::make_unique<RowFile>(columns);
    return;
  }
  lock_.emplace(lock_path(options.output), "another program computes this study");
  const std::string path = checkpoint_path(options.output);
  const bool stands = stands_as_ours(path, any_magic, "a checkpoint of a study");
  if (stands && options.start == StudyStart::fresh)
    throw CheckpointStands(fmt::format("'{}' holds part of a study; go on with {}, or begin anew with {}",
                                       printable(path, 200), options.resume_words, options.restart_words));
  RowCount rows;
  found_ = stands && options.start == StudyStart::resume;
  if (found_) rows = load();
  if (study.table) {
    rows_ = std::make_unique<RowFile>(rows_path(options.output), columns, rows);
  }
  resumed_ = totals_.samples();
  try {
    save();  // a place that cannot be written is known before anything is computed
  } catch (...) {
    if (!stands) remove_files();
    throw;
  }
}

void StudyKeeper::refuse(const std::string& path, const std::string& why) const {
  throw InputError({path}, "the checkpoint cannot be used: " + why, "begin anew with " + options_.restart_words);
}

RowCount StudyKeeper::load() {
  const std::string path = checkpoint_path(options_.output);
  const std::string bytes = read_text_file(path, max_checkpoint);
  const std::string_view all = bytes;
  if (!all.starts_with(magic) || all.size() < magic.size() + digest_size) refuse(path, "it is none");
  const std::string_view body = all.substr(0, all.size() - digest_size);
  if (sha256_hex(body) != all.substr(body.size())) refuse(path, "it is damaged");
  try {
    ByteReader in(body.substr(magic.size()));
    if (in.text() != study_.hash) refuse(path, "it belongs to another study, or to another version of the program");
    totals_.load(in);
    const RowCount rows{in.get<std::uint64_t>(), in.get<std::uint32_t>()};
    if (study_.table && rows.rows != totals_.samples()) refuse(path, "it was made without a table");
    return rows;
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    refuse(path, error.what());
  }
}

void StudyKeeper::save() {
  if (!keeps_files()) return;
  if (rows_) rows_->sync();
  ByteWriter out;
  out.put(study_.hash);
  totals_.save(out);
  const RowCount rows = rows_ ? rows_->count() : RowCount{};
  out.put(rows.rows);
  out.put(rows.sum);
  std::string bytes = std::string(magic) + out.bytes();
  bytes += sha256_hex(bytes);
  const auto before = std::chrono::steady_clock::now();
  write_whole_file(checkpoint_path(options_.output), bytes);
  const auto now = std::chrono::steady_clock::now();
  // Checkpoints are rarer on a slow disk: they take at most a twentieth of the time.
  next_save_ = now + std::max<std::chrono::steady_clock::duration>(seconds(options_.interval), 20 * (now - before));
}

void StudyKeeper::join_waiting() {
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == totals_.next_block();
       next = waiting_.erase(next)) {
    if (rows_) rows_->append(next->second.rows);
    totals_.add(next->second);
  }
}

void StudyKeeper::add(Portion portion) {
  const std::uint64_t first = portion.first_block;
  if (first < totals_.next_block()) return;
  waiting_.emplace(first, std::move(portion));
  join_waiting();
  if (keeps_files() && std::chrono::steady_clock::now() >= next_save_) save();
}

void StudyKeeper::remove_files() {
  if (!keeps_files()) return;
  unlink(checkpoint_path(options_.output).c_str());
  if (rows_) rows_->remove();
  removed_ = true;
  lock_.reset();
}

}  // namespace routh::internal

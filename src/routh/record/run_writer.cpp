#include <fmt/format.h>

#include <optional>

#include "routh/record/event_columns.h"
#include "routh/record/hdf5_driver.h"
#include "routh/record/run_file.h"
#include "routh/record/seal.h"

namespace routh {

namespace {

constexpr long long rows_in_memory = 256;

}  // namespace

// Sizes are checked before anything is buffered, so that columns never differ in length.
class RunWriter::File {
 public:
  File(const std::string& path, const RunInfo& info)
      : path_(path),
        coordinates_(info.coordinate_names.size()),
        velocities_(info.velocity_names.size()),
        temporary_(std::in_place, path),
        temporary_path_(temporary_->path()) {
    guarded([&] {
      target_.descriptor = temporary_->descriptor();
      root_ = hdf::create_file(temporary_path_, target_);
      write_info(root_, info);
      samples_.emplace(root_, info);
      events_.emplace(root_, info);
    });
  }
  ~File() {
    const hdf::Session session;
    abandon();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void add(const Sample& sample) {
    must_be_open();
    if (wrong(sample.state.q, coordinates_) || wrong(sample.state.v, velocities_))
      guarded([&] { throw hdf::Failure("a sample does not have the coordinates and velocities of the run"); });
    if (name_)
      for (const ActiveContact& active : sample.active)
        if (!contacts_.has_name(active.contact.id)) contacts_.index(active.contact.id, name_(active.contact));
    samples_->add(sample, contacts_);
    if (++waiting_ == rows_in_memory) guarded([&] { flush_columns(); });
  }

  void add(const Event& event) {
    must_be_open();
    const auto misfit = [](const Eigen::VectorXd& a, std::size_t size) { return a.size() != 0 && wrong(a, size); };
    if (misfit(event.position, coordinates_) || misfit(event.velocity_before, velocities_) ||
        misfit(event.velocity_after, velocities_))
      guarded([&] { throw hdf::Failure("an event does not have the coordinates and velocities of the run"); });
    events_->add(event, contacts_);
    if (++waiting_ == rows_in_memory) guarded([&] { flush_columns(); });
  }

  void flush() {
    must_be_open();
    guarded([&] {
      flush_columns();
      hdf::flush_file(root_);
    });
  }

  void finish(const RunOutcome& outcome) {
    must_be_open();
    guarded([&] {
      flush_columns();
      events_->write_labels();
      contacts_.write(root_);
      write_outcome(root_, outcome);
      hdf::flush_file(root_);
      samples_.reset();
      events_.reset();
      if (!root_.close()) throw hdf::Failure("the file could not be closed");
      hdf::check_written(target_);
      seal_file(*temporary_);
      temporary_->move_to_target();
      temporary_.reset();
    });
  }

  void name_contacts(std::function<std::string(const Contact&)> name) { name_ = std::move(name); }
  const std::string& temporary_path() const { return temporary_path_; }

 private:
  static bool wrong(const Eigen::VectorXd& values, std::size_t size) {
    return static_cast<std::size_t>(values.size()) != size;
  }

  void must_be_open() const {
    if (!temporary_) throw RuntimeFailure(fmt::format("cannot write '{}': the file is closed", printable(path_, 200)));
  }

  // Runs `work` alone with HDF5. When it fails the file is given up, and the reason goes out with the path.
  template <class Work>
  void guarded(Work work) {
    const hdf::Session session;
    try {
      hdf::ensure_memory();
      work();
      hdf::check_written(target_);
    } catch (const hdf::Failure& failure) {
      const std::string reason = failure.what();
      abandon();
      throw RuntimeFailure(fmt::format("cannot write '{}': {}", printable(path_, 200), reason));
    } catch (...) {
      abandon();
      throw;
    }
  }

  void flush_columns() {
    samples_->flush();
    events_->flush();
    waiting_ = 0;
  }

  void abandon() {
    samples_.reset();
    events_.reset();
    root_.close();
    temporary_.reset();
  }

  std::string path_;
  std::size_t coordinates_, velocities_;
  std::optional<TemporaryFile> temporary_;
  std::string temporary_path_;
  hdf::WriteTarget target_;
  hdf::Node root_;
  ContactTable contacts_;
  std::optional<SampleColumns> samples_;
  std::optional<EventColumns> events_;
  std::function<std::string(const Contact&)> name_;
  long long waiting_ = 0;
};

RunWriter::RunWriter(const std::string& path, const RunInfo& info) : file_(std::make_unique<File>(path, info)) {}
RunWriter::~RunWriter() = default;
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;

void RunWriter::name_contacts(std::function<std::string(const Contact&)> name) {
  file_->name_contacts(std::move(name));
}
void RunWriter::add(const Sample& sample) { file_->add(sample); }
void RunWriter::add(const Event& event) { file_->add(event); }
void RunWriter::flush() { file_->flush(); }
void RunWriter::finish(const RunOutcome& outcome) { file_->finish(outcome); }
const std::string& RunWriter::temporary_path() const { return file_->temporary_path(); }

void write_run(const std::string& path, const RunData& run) {
  std::map<ContactId, std::string> names;
  for (const RunContact& contact : run.contacts) names[contact.id] = contact.name;
  RunWriter writer(path, run.info);
  writer.name_contacts([&](const Contact& contact) { return names[contact.id]; });
  for (const Sample& sample : run.samples) writer.add(sample);
  for (const Event& event : run.events) writer.add(event);
  writer.finish(run.outcome);
}

}  // namespace routh

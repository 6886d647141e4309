#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <new>
#include <string_view>

#include "routh/record/hdf5_driver.h"
#include "routh/record/read_columns.h"
#include "routh/record/run_fields.h"
#include "routh/record/run_info.h"
#include "routh/record/seal.h"
#include "routh/record/sealed_reader.h"

namespace routh {

namespace {

Vector3 vector3(const Reals& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

std::vector<RunContact> read_contacts(const hdf::Node& root) {
  const hdf::Node group = root.group("contacts");
  const std::vector<std::string> names = group.read_texts("names");
  const std::vector<std::int32_t> ids = of_length(group.read<std::int32_t>("ids", 2), 2 * names.size(), "ids");
  std::vector<RunContact> contacts;
  for (std::size_t k = 0; k < names.size(); ++k) contacts.push_back({{ids[2 * k], ids[2 * k + 1]}, names[k]});
  return contacts;
}

void read_energies(const hdf::Node& root, int schema, std::vector<Sample>& samples) {
  const hdf::Node group = root.group("energy");
  for (const AccountField& field : account_fields) {
    if (schema < field.since) continue;
    const Reals values = read_reals(group, field.name, samples.size());
    for (std::size_t k = 0; k < samples.size(); ++k) samples[k].energy.*field.account = values[k];
  }
}

Contact limit_or_surfaces(ContactId id) {
  Contact contact;
  contact.id = id;
  if (id.pair >= 0) return contact;
  contact.kind = ContactKind::limit;
  contact.dof = -(id.pair + 1);
  contact.direction = id.feature == 0 ? 1 : -1;
  return contact;
}

// NaN stands for what nobody asked for.
std::optional<double> told(const Reals& values, std::size_t row) {
  return values.empty() || std::isnan(values[row]) ? std::nullopt : std::optional(values[row]);
}

void read_active(const hdf::Node& root, int schema, const std::vector<RunContact>& contacts,
                 std::vector<Sample>& samples) {
  const hdf::Node group = root.group("contact_samples");
  const std::vector<std::int64_t> sample = group.read<std::int64_t>("sample");
  const std::size_t count = sample.size();
  const auto contact = of_length(group.read<std::int32_t>("contact"), count, "contact");
  const auto mode = of_length(read_enumeration<ContactMode>(group, "mode"), count, "mode");
  const Reals force = read_reals(group, "force", count, 3), slip = read_reals(group, "slip_direction", count, 2);
  const Reals gap = read_reals(group, "gap", count), point = read_reals(group, "point", count, 3);
  const Reals normal = read_reals(group, "normal", count, 3), tangent1 = read_reals(group, "tangent1", count, 3);
  const bool margins = schema >= schema_of_blows;
  const Reals slip_margin = margins ? read_reals(group, "slip_margin", count) : Reals{};
  const Reals jam_margin = margins ? read_reals(group, "jam_margin", count) : Reals{};
  for (std::size_t k = 0; k < count; ++k) {
    if (sample[k] < 0 || static_cast<std::size_t>(sample[k]) >= samples.size() || (k > 0 && sample[k] < sample[k - 1]))
      throw hdf::Failure("'contact_samples/sample' is out of range or order");
    ActiveContact active;
    active.contact = limit_or_surfaces(contact_at(contacts, contact[k]).id);
    active.contact.gap = gap[k];
    active.contact.point = vector3(point, k);
    active.contact.normal = vector3(normal, k);
    active.contact.tangent1 = vector3(tangent1, k);
    active.contact.tangent2 = cross(active.contact.normal, active.contact.tangent1);
    active.mode = mode[k];
    active.direction = {slip[2 * k], slip[2 * k + 1]};
    active.force = contact_vector(force, k);
    active.slip_margin = told(slip_margin, k);
    active.jam_margin = told(jam_margin, k);
    samples[static_cast<std::size_t>(sample[k])].active.push_back(active);
  }
}

std::vector<Sample> read_samples(const hdf::Node& root, const RunInfo& info, const std::vector<RunContact>& contacts) {
  const std::size_t nq = info.coordinate_names.size(), nv = info.velocity_names.size();
  const Reals time = root.read<double>("time");
  const Reals position = read_reals(root, "position", time.size(), static_cast<long long>(nq));
  const Reals velocity = read_reals(root, "velocity", time.size(), static_cast<long long>(nv));
  std::vector<Sample> samples(time.size());
  for (std::size_t k = 0; k < time.size(); ++k)
    samples[k].state = {row_of(position, k, nq), row_of(velocity, k, nv), time[k]};
  read_energies(root, info.schema, samples);
  read_active(root, info.schema, contacts, samples);
  return samples;
}

bool calls_itself_run(const hdf::Node& root) {
  try {
    return root.text("kind") == "routh run";
  } catch (const hdf::Failure&) {
    return false;
  }
}

void check_schema(const hdf::Node& root, const Location& where) {
  if (!calls_itself_run(root))
    throw InputError(where, "this HDF5 file is not a run of Routh", "give one that `routh simulate` has written");
  const long long schema = root.integer("schema");
  if (schema < 1) throw hdf::Failure(fmt::format("schema {} is not known", schema));
  if (schema > run_schema)
    throw InputError(where, fmt::format("the file has schema {}, this program reads up to {}", schema, run_schema),
                     "read it with the newer Routh that wrote it");
}

RunData read_root(const hdf::Node& root) {
  RunData run;
  run.info = read_info(root);
  run.contacts = read_contacts(root);
  run.samples = read_samples(root, run.info, run.contacts);
  run.events = read_events(root, run.info, run.contacts);
  run.outcome = read_outcome(root, run.info.schema);
  return run;
}

// The file is opened once: what is checked is what HDF5 reads, and a failing call is no damage.
class RunBytes {
 public:
  // Without waiting for somebody at the other end of a pipe.
  explicit RunBytes(const std::string& path) : path_(path) {
    target_.descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (target_.descriptor < 0) fail(std::strerror(errno));
    struct stat status {};
    const bool told = fstat(target_.descriptor, &status) == 0;
    if (told && S_ISREG(status.st_mode)) return;
    const int error = told ? EISDIR : errno;
    close(target_.descriptor);
    fail(told && !S_ISDIR(status.st_mode) ? "it is a device or a pipe, not a file" : std::strerror(error));
  }
  ~RunBytes() { close(target_.descriptor); }
  RunBytes(const RunBytes&) = delete;
  RunBytes& operator=(const RunBytes&) = delete;

  SealState seal() const { return check_seal(target_.descriptor); }
  bool is_hdf5() const {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    char begin[signature.size()] = {};
    return pread(target_.descriptor, begin, sizeof begin, 0) == sizeof begin &&
           std::string_view(begin, sizeof begin) == signature;
  }
  hdf::Node root() { return hdf::open_file(path_, target_); }
  // Where reading failed, the file is not to blame.
  void must_have_been_read() const {
    if (target_.error != 0) fail(std::strerror(target_.error));
  }

 private:
  [[noreturn]] void fail(const char* why) const {
    throw RuntimeFailure(fmt::format("cannot read '{}': {}", printable(path_, 200), why));
  }

  const std::string& path_;
  hdf::WriteTarget target_;
};

RunData read_file(const std::string& path, Seal wanted) {
  RunData run;
  read_sealed_file(path, wanted,
                   {"run file", "routh simulate", check_schema, [&](const hdf::Node& root) { run = read_root(root); }});
  return run;
}

}  // namespace

void internal::read_sealed_file(const std::string& path, Seal wanted, const SealedReader& reader) {
  RunBytes bytes(path);
  const Location where{path, 0, 0};
  const hdf::Session session;
  try {
    hdf::ensure_memory();
    const SealState seal = bytes.seal();
    if (seal == SealState::broken && wanted == Seal::wanted) throw hdf::Failure("its check sum is wrong");
    if (!bytes.is_hdf5())
      throw InputError(where, fmt::format("this is not an HDF5 file, so it cannot be a {} of Routh", reader.what),
                       fmt::format("give one that `{}` has written", reader.maker));
    const hdf::Node root = bytes.root();
    reader.check(root, where);
    if (seal == SealState::absent && wanted == Seal::wanted)
      throw InputError(
          where, fmt::format("the {} has no seal: it was cut off, or another program has changed it", reader.what),
          "take the file as Routh wrote it, or compute it again");
    reader.read(root);
  } catch (const hdf::OutOfMemory&) {
    throw RuntimeFailure(fmt::format("cannot read '{}': out of memory", printable(path, 200)));
  } catch (const hdf::Failure& failure) {
    bytes.must_have_been_read();
    throw InputError(where,
                     fmt::format("the {} is truncated or damaged: {}", reader.what, printable(failure.what(), 200)),
                     "compute it again");
  } catch (const std::bad_alloc&) {
    throw RuntimeFailure(fmt::format("cannot read '{}': out of memory", printable(path, 200)));
  }
}

RunData read_run(const std::string& path) { return read_file(path, Seal::wanted); }

RunData internal::read_unsealed_run(const std::string& path) { return read_file(path, Seal::ignored); }

std::optional<RunScene> internal::read_run_scene(const std::string& path) {
  const hdf::Session session;
  hdf::ensure_memory();
  try {
    RunBytes bytes(path);
    if (!bytes.is_hdf5()) return std::nullopt;
    const hdf::Node root = bytes.root();
    return RunScene{root.read_text("scene"), root.text("scene_path")};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool is_run_file(const std::string& path) { return is_sealed_file(path, calls_itself_run); }

bool internal::is_sealed_file(const std::string& path, const std::function<bool(const hdf::Node& root)>& is_kind) {
  const hdf::Session session;
  hdf::ensure_memory();
  try {
    RunBytes bytes(path);
    return bytes.seal() != SealState::broken && bytes.is_hdf5() && is_kind(bytes.root());
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace routh

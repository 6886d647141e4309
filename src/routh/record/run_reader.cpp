#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <tuple>

#include "routh/record/run_columns.h"
#include "routh/record/run_info.h"
#include "routh/record/seal.h"

namespace routh {

namespace {

using Reals = std::vector<double>;

// A column with one entry for each of `count` rows of `width` numbers.
Reals read_reals(const hdf::Node& group, const char* name, std::size_t count, long long width = hdf::flat) {
  Reals values = group.read<double>(name, width);
  const std::size_t columns = width == hdf::flat ? 1 : static_cast<std::size_t>(width);
  if (values.size() != count * columns || (width == 0 && group.rows(name) != static_cast<long long>(count)))
    throw hdf::Failure(fmt::format("'{}' has the wrong number of rows", name));
  return values;
}

template <class T>
std::vector<T> of_length(std::vector<T> values, std::size_t count, const char* name) {
  if (values.size() != count) throw hdf::Failure(fmt::format("'{}' has the wrong number of rows", name));
  return values;
}

ContactVector contact_vector(const Reals& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

Vector3 vector3(const Reals& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

Eigen::VectorXd row_of(const Reals& values, std::size_t row, std::size_t width) {
  return Eigen::Map<const Eigen::VectorXd>(values.data() + row * width, static_cast<Eigen::Index>(width));
}

// What was empty was written as a row without numbers.
Eigen::VectorXd row_or_empty(const Reals& values, std::size_t row, std::size_t width) {
  Eigen::VectorXd numbers = row_of(values, row, width);
  if (numbers.array().isNaN().all()) return {};
  return numbers;
}

std::vector<RunContact> read_contacts(const hdf::Node& root) {
  const hdf::Node group = root.group("contacts");
  const std::vector<std::string> names = group.read_texts("names");
  const std::vector<std::int32_t> ids = of_length(group.read<std::int32_t>("ids", 2), 2 * names.size(), "ids");
  std::vector<RunContact> contacts;
  for (std::size_t k = 0; k < names.size(); ++k) contacts.push_back({{ids[2 * k], ids[2 * k + 1]}, names[k]});
  return contacts;
}

const RunContact& contact_at(const std::vector<RunContact>& contacts, std::int32_t index) {
  if (index < 0 || static_cast<std::size_t>(index) >= contacts.size())
    throw hdf::Failure("a contact is not in the table of contacts");
  return contacts[static_cast<std::size_t>(index)];
}

void read_energies(const hdf::Node& root, int schema, std::vector<Sample>& samples) {
  const hdf::Node group = root.group("energy");
  const std::tuple<const char*, double EnergyAccount::*, int> columns[] = {
      {"kinetic", &EnergyAccount::kinetic, 1},
      {"potential", &EnergyAccount::potential, 1},
      {"dissipated", &EnergyAccount::dissipated, 1},
      {"supplied", &EnergyAccount::supplied, 1},
      {"corrected", &EnergyAccount::corrected, schema_of_corrections},
      {"gained", &EnergyAccount::gained, 1},
      {"initial", &EnergyAccount::initial, 1}};
  for (const auto& [name, member, since] : columns) {
    if (schema < since) continue;
    const Reals values = read_reals(group, name, samples.size());
    for (std::size_t k = 0; k < samples.size(); ++k) samples[k].energy.*member = values[k];
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

void read_active(const hdf::Node& root, const std::vector<RunContact>& contacts, std::vector<Sample>& samples) {
  const hdf::Node group = root.group("contact_samples");
  const std::vector<std::int64_t> sample = group.read<std::int64_t>("sample");
  const std::size_t count = sample.size();
  const auto contact = of_length(group.read<std::int32_t>("contact"), count, "contact");
  const auto mode = of_length(read_enumeration<ContactMode>(group, "mode"), count, "mode");
  const Reals force = read_reals(group, "force", count, 3), slip = read_reals(group, "slip_direction", count, 2);
  const Reals gap = read_reals(group, "gap", count), point = read_reals(group, "point", count, 3);
  const Reals normal = read_reals(group, "normal", count, 3), tangent1 = read_reals(group, "tangent1", count, 3);
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
  read_active(root, contacts, samples);
  return samples;
}

void read_event_states(const hdf::Node& group, const RunInfo& info, std::vector<Event>& events) {
  const std::size_t nq = info.coordinate_names.size(), nv = info.velocity_names.size(), count = events.size();
  const Reals position = read_reals(group, "position", count, static_cast<long long>(nq));
  const Reals before = read_reals(group, "velocity_before", count, static_cast<long long>(nv));
  const Reals after = read_reals(group, "velocity_after", count, static_cast<long long>(nv));
  for (std::size_t k = 0; k < count; ++k) {
    events[k].position = row_or_empty(position, k, nq);
    events[k].velocity_before = row_or_empty(before, k, nv);
    events[k].velocity_after = row_or_empty(after, k, nv);
  }
}

void read_ledgers(const hdf::Node& group, std::vector<Event>& events) {
  const std::pair<const char*, double EnergyLedger::*> columns[] = {{"normal_work", &EnergyLedger::normal_work},
                                                                    {"tangential_work", &EnergyLedger::tangential_work},
                                                                    {"supplied", &EnergyLedger::supplied},
                                                                    {"change", &EnergyLedger::change}};
  for (const auto& [name, member] : columns) {
    const Reals values = read_reals(group, name, events.size());
    for (std::size_t k = 0; k < events.size(); ++k) events[k].energy.*member = values[k];
  }
  const auto consistent = of_length(group.read<std::uint8_t>("consistent"), events.size(), "consistent");
  for (std::size_t k = 0; k < events.size(); ++k) events[k].energy.consistent = consistent[k] != 0;
}

void read_shares(const hdf::Node& root, int schema, const std::vector<RunContact>& contacts,
                 std::vector<Event>& events) {
  const hdf::Node group = root.group("event_contacts");
  const std::vector<std::int64_t> event = group.read<std::int64_t>("event");
  const std::size_t count = event.size();
  const auto contact = of_length(group.read<std::int32_t>("contact"), count, "contact");
  const Reals before = read_reals(group, "velocity_before", count, 3);
  const Reals after = read_reals(group, "velocity_after", count, 3);
  const Reals impulse = read_reals(group, "impulse", count, 3), restitution = read_reals(group, "restitution", count);
  const Reals friction = schema >= schema_of_corrections ? read_reals(group, "friction", count) : Reals(count, 0.0);
  const auto mode = of_length(read_enumeration<ImpactMode>(group, "mode"), count, "mode");
  for (std::size_t k = 0; k < count; ++k) {
    if (event[k] < 0 || static_cast<std::size_t>(event[k]) >= events.size() || (k > 0 && event[k] < event[k - 1]))
      throw hdf::Failure("'event_contacts/event' is out of range or order");
    const RunContact& known = contact_at(contacts, contact[k]);
    EventContact share{known.id,
                       known.name,
                       contact_vector(before, k),
                       contact_vector(after, k),
                       contact_vector(impulse, k),
                       mode[k],
                       restitution[k],
                       friction[k]};
    events[static_cast<std::size_t>(event[k])].contacts.push_back(std::move(share));
  }
  // The same said the other way round, for readers that go by events.
  const hdf::Node columns = root.group("events");
  const auto first = of_length(columns.read<std::int64_t>("first_contact"), events.size(), "first_contact");
  const auto counts = of_length(columns.read<std::int32_t>("contact_count"), events.size(), "contact_count");
  std::int64_t next = 0;
  for (std::size_t k = 0; k < events.size(); next += counts[k++])
    if (first[k] != next || counts[k] != static_cast<std::int64_t>(events[k].contacts.size()))
      throw hdf::Failure("'events/contact_count' does not fit 'event_contacts/event'");
}

std::vector<Event> read_events(const hdf::Node& root, const RunInfo& info, const std::vector<RunContact>& contacts) {
  const hdf::Node group = root.group("events");
  const Reals time = group.read<double>("time");
  const std::size_t count = time.size();
  const auto kind = of_length(read_enumeration<EventKind>(group, "kind"), count, "kind");
  const auto rule = of_length(read_enumeration<ImpactRule>(group, "rule"), count, "rule");
  const auto law = of_length(read_enumeration<Law>(group, "law"), count, "law");
  const auto label = of_length(group.read<std::int32_t>("label"), count, "label");
  const auto warnings = of_length(group.read<std::uint32_t>("warnings"), count, "warnings");
  const std::vector<std::string> labels = group.read_texts("label_names");
  const Reals error_bound = read_reals(group, "error_bound", count);
  std::vector<Event> events(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (label[k] < -1 || label[k] >= static_cast<std::int64_t>(labels.size()))
      throw hdf::Failure("a label is not in the list of labels");
    events[k].time = time[k];
    events[k].kind = kind[k];
    events[k].rule = rule[k];
    events[k].law = law[k];
    if (label[k] >= 0) events[k].label = labels[static_cast<std::size_t>(label[k])];
    events[k].warnings = warnings[k];
    events[k].error_bound = error_bound[k];
  }
  read_event_states(group, info, events);
  read_ledgers(group, events);
  read_shares(root, info.schema, contacts, events);
  return events;
}

bool calls_itself_run(const hdf::Node& root) {
  try {
    return root.text("kind") == "routh run";
  } catch (const hdf::Failure&) {
    return false;
  }
}

void check_schema(const hdf::Node& root, const Location& where) {
  if (!calls_itself_run(root)) throw InputError(where, "this HDF5 file is no run of Routh");
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

void must_be_readable(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  if (file.good() && (file.get(first) || file.eof())) return;
  throw RuntimeFailure(fmt::format("cannot read '{}': {}", printable(path, 200),
                                   errno != 0 ? std::strerror(errno) : "it is no ordinary file"));
}

}  // namespace

RunData read_run(const std::string& path) {
  must_be_readable(path);
  const Location where{path, 0, 0};
  const hdf::Session session;
  try {
    if (check_seal(path) == SealState::broken) throw hdf::Failure("its check sum is wrong");
    if (!hdf::has_signature(path)) throw InputError(where, "this is no HDF5 file, so no run of Routh");
    const hdf::Node root = hdf::open_file(path);
    check_schema(root, where);
    return read_root(root);
  } catch (const hdf::Failure& failure) {
    throw InputError(where, fmt::format("the run file is truncated or damaged: {}", printable(failure.what(), 200)));
  } catch (const std::bad_alloc&) {
    throw RuntimeFailure(fmt::format("cannot read '{}': out of memory", printable(path, 200)));
  }
}

std::optional<RunScene> internal::read_run_scene(const std::string& path) {
  const hdf::Session session;
  try {
    if (!hdf::has_signature(path)) return std::nullopt;
    const hdf::Node root = hdf::open_file(path);
    return RunScene{root.read_text("scene"), root.text("scene_path")};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool is_run_file(const std::string& path) {
  const hdf::Session session;
  try {
    return check_seal(path) != SealState::broken && hdf::has_signature(path) && calls_itself_run(hdf::open_file(path));
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace routh

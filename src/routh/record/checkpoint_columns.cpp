// The checkpoint: doubles as they are, bit for bit, so that a resumed run continues with the same bits.
#include "routh/record/run_columns.h"
#include "routh/record/run_fields.h"

namespace routh::internal {

namespace {

using Ints = std::vector<std::int32_t>;
using Reals = std::vector<double>;

template <class T, class Id>
void put_ids(hdf::Node& group, const std::vector<T>& list, Id id) {
  Ints pair, feature;
  for (const T& entry : list) {
    pair.push_back(id(entry).pair);
    feature.push_back(id(entry).feature);
  }
  put_list(group, "pair", pair);
  put_list(group, "feature", feature);
}

std::vector<ContactId> read_ids(const hdf::Node& group) {
  const Ints pair = group.read<std::int32_t>("pair"), feature = group.read<std::int32_t>("feature");
  if (pair.size() != feature.size()) throw hdf::Failure("lists of the checkpoint differ in length");
  std::vector<ContactId> ids;
  for (std::size_t k = 0; k < pair.size(); ++k) ids.push_back({pair[k], feature[k]});
  return ids;
}

void same_length(std::size_t a, std::size_t b) {
  if (a != b) throw hdf::Failure("lists of the checkpoint differ in length");
}

void write_closed(hdf::Node& parent, const std::vector<Checkpoint::Closed>& closed) {
  hdf::Node group = parent.create_group("closed");
  put_ids(group, closed, [](const Checkpoint::Closed& c) { return c.id; });
  Column mode = enumeration_column<ContactMode>(group, "mode");
  Column direction(group, "direction", hdf::element_of<double>(), 3);  // t1, t2, 1 while slip begins
  Column force(group, "force", hdf::element_of<double>(), 3);
  for (const auto& [id, contact_mode, t1, t2, beginning, last_force] : closed) {
    mode.add(static_cast<std::int32_t>(contact_mode));
    direction.add_row(Reals{t1, t2, beginning ? 1.0 : 0.0});
    force.add_row(Reals{last_force.n, last_force.t1, last_force.t2});
  }
  mode.flush();
  direction.flush();
  force.flush();
}

std::vector<Checkpoint::Closed> read_closed(const hdf::Node& parent, int schema) {
  const hdf::Node group = parent.group("closed");
  const std::vector<ContactId> ids = read_ids(group);
  const std::vector<ContactMode> mode = read_enumeration<ContactMode>(group, "mode");
  const Reals direction = group.read<double>("direction", 3);
  same_length(ids.size(), mode.size());
  same_length(3 * ids.size(), direction.size());
  Reals force(direction.size(), 0.0);
  if (schema >= schema_of_stepping) force = group.read<double>("force", 3);
  same_length(3 * ids.size(), force.size());
  std::vector<Checkpoint::Closed> closed;
  for (std::size_t k = 0; k < ids.size(); ++k)
    closed.push_back({ids[k],
                      mode[k],
                      direction[3 * k],
                      direction[3 * k + 1],
                      direction[3 * k + 2] != 0,
                      {force[3 * k], force[3 * k + 1], force[3 * k + 2]}});
  return closed;
}

// Ragged lists end to end, with the length of each.
void write_bounces(hdf::Node& parent, const std::vector<Checkpoint::Bounce>& bounces) {
  hdf::Node group = parent.create_group("bounces");
  put_ids(group, bounces, [](const Checkpoint::Bounce& b) { return b.id; });
  Ints time_count, speed_count;
  Reals all_times, all_speeds;
  for (const auto& [id, times, speeds] : bounces) {
    time_count.push_back(static_cast<std::int32_t>(times.size()));
    speed_count.push_back(static_cast<std::int32_t>(speeds.size()));
    all_times.insert(all_times.end(), times.begin(), times.end());
    all_speeds.insert(all_speeds.end(), speeds.begin(), speeds.end());
  }
  put_list(group, "time_count", time_count);
  put_list(group, "time", all_times);
  put_list(group, "speed_count", speed_count);
  put_list(group, "speed", all_speeds);
}

std::vector<Reals> read_ragged(const hdf::Node& group, const char* counts, const char* values) {
  const Reals all = group.read<double>(values);
  std::vector<Reals> lists;
  std::size_t at = 0;
  for (const std::int32_t count : group.read<std::int32_t>(counts)) {
    if (count < 0 || static_cast<std::size_t>(count) > all.size() - at)
      throw hdf::Failure(std::string("'") + values + "' of the checkpoint is not complete");
    lists.emplace_back(all.data() + at, all.data() + at + count);
    at += static_cast<std::size_t>(count);
  }
  same_length(at, all.size());
  return lists;
}

std::vector<Checkpoint::Bounce> read_bounces(const hdf::Node& parent) {
  const hdf::Node group = parent.group("bounces");
  const std::vector<ContactId> ids = read_ids(group);
  const std::vector<Reals> times = read_ragged(group, "time_count", "time");
  const std::vector<Reals> speeds = read_ragged(group, "speed_count", "speed");
  same_length(ids.size(), times.size());
  same_length(ids.size(), speeds.size());
  std::vector<Checkpoint::Bounce> bounces;
  for (std::size_t k = 0; k < ids.size(); ++k) bounces.push_back({ids[k], times[k], speeds[k]});
  return bounces;
}

void write_pending(hdf::Node& parent, const std::vector<Checkpoint::Pending>& pending) {
  hdf::Node group = parent.create_group("pending");
  put_ids(group, pending, [](const Checkpoint::Pending& p) { return p.id; });
  Reals times, bounds;
  std::vector<std::uint32_t> warnings;
  for (const auto& [time, id, error_bound, bits] : pending) {
    times.push_back(time);
    bounds.push_back(error_bound);
    warnings.push_back(bits);
  }
  put_list(group, "time", times);
  put_list(group, "error_bound", bounds);
  put_list(group, "warnings", warnings);
}

std::vector<Checkpoint::Pending> read_pending(const hdf::Node& parent, int schema) {
  const hdf::Node group = parent.group("pending");
  const std::vector<ContactId> ids = read_ids(group);
  const Reals times = group.read<double>("time"), bounds = group.read<double>("error_bound");
  std::vector<std::uint32_t> warnings(ids.size(), 0);
  if (schema >= schema_of_corrections) warnings = group.read<std::uint32_t>("warnings");
  same_length(ids.size(), times.size());
  same_length(ids.size(), bounds.size());
  same_length(ids.size(), warnings.size());
  std::vector<Checkpoint::Pending> pending;
  for (std::size_t k = 0; k < ids.size(); ++k) pending.push_back({times[k], ids[k], bounds[k], warnings[k]});
  return pending;
}

void write_crowd(hdf::Node& parent, const Checkpoint::Crowd& crowd) {
  hdf::Node group = parent.create_group("crowd");
  for_each_crowd_number(crowd, [&](const char* name, auto value) { put_number(group, name, value); });
  put_list(group, "velocity", crowd.velocity);
  hdf::Node shares = group.create_group("shares"), recent = group.create_group("recent");
  put_ids(shares, crowd.shares, [](const Checkpoint::Crowd::Share& each) { return each.id; });
  Column impulses(shares, "impulse", hdf::element_of<double>(), 3);
  for (const auto& [id, impulse] : crowd.shares) impulses.add_row(Reals{impulse.n, impulse.t1, impulse.t2});
  impulses.flush();
  put_ids(recent, crowd.recent, [](const Checkpoint::Crowd::Recent& each) { return each.id; });
  Reals times;
  for (const auto& [time, id] : crowd.recent) times.push_back(time);
  put_list(recent, "time", times);
}

Checkpoint::Crowd read_crowd(const hdf::Node& parent) {
  const hdf::Node group = parent.group("crowd"), shares = group.group("shares"), recent = group.group("recent");
  Checkpoint::Crowd crowd;
  for_each_crowd_number(crowd, [&](const char* name, auto& value) { read_number(group, name, value); });
  crowd.velocity = read_vector(group, "velocity");
  const std::vector<ContactId> sharing = read_ids(shares), happened = read_ids(recent);
  const Reals impulses = shares.read<double>("impulse", 3), times = recent.read<double>("time");
  same_length(3 * sharing.size(), impulses.size());
  same_length(happened.size(), times.size());
  for (std::size_t k = 0; k < sharing.size(); ++k)
    crowd.shares.push_back({sharing[k], {impulses[3 * k], impulses[3 * k + 1], impulses[3 * k + 2]}});
  for (std::size_t k = 0; k < happened.size(); ++k) crowd.recent.push_back({times[k], happened[k]});
  return crowd;
}

}  // namespace

void write_checkpoint(hdf::Node& root, const Checkpoint& checkpoint) {
  hdf::Node group = root.create_group("checkpoint");
  const auto& [q, v, time] = checkpoint.state;
  put_list(group, "position", q);
  put_list(group, "velocity", v);
  put_list(group, "accounts", checkpoint.accounts);
  put_list(group, "acceleration", checkpoint.acceleration);
  group.put("time", time);
  for_each_number(checkpoint, [&](const char* name, auto value, int) { put_number(group, name, value); });
  write_closed(group, checkpoint.closed);
  hdf::Node released_group = group.create_group("released");
  put_ids(released_group, checkpoint.released, [](ContactId id) { return id; });
  write_bounces(group, checkpoint.bounces);
  write_pending(group, checkpoint.pending);
  write_crowd(group, checkpoint.crowd);
}

Checkpoint read_checkpoint(const hdf::Node& root, int schema) {
  const hdf::Node group = root.group("checkpoint");
  Checkpoint checkpoint;
  checkpoint.state = {read_vector(group, "position"), read_vector(group, "velocity"), group.real("time")};
  checkpoint.accounts = read_vector(group, "accounts");
  if (schema >= schema_of_stepping) checkpoint.acceleration = read_vector(group, "acceleration");
  checkpoint.closed = read_closed(group, schema);
  checkpoint.released = read_ids(group.group("released"));
  checkpoint.bounces = read_bounces(group);
  checkpoint.pending = read_pending(group, schema);
  if (schema >= schema_of_crowds) checkpoint.crowd = read_crowd(group);
  for_each_number(checkpoint, [&](const char* name, auto& value, int since) {
    if (schema >= since) read_number(group, name, value);
  });
  return checkpoint;
}

}  // namespace routh::internal

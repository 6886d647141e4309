#include "routh/report/series.h"

#include <limits>

#include "routh/math/elementary.h"
#include "routh/record/run_fields.h"

namespace routh::internal {

namespace {

constexpr float no_value = std::numeric_limits<float>::quiet_NaN();
using Floats = std::vector<float>;

void append(Floats& column, std::initializer_list<double> values) {
  for (const double value : values) column.push_back(static_cast<float>(value));
}
void append(Floats& column, const Vector3& v) { append(column, {v.x, v.y, v.z}); }
void append_missing(Floats& column, std::size_t count) { column.insert(column.end(), count, no_value); }

// Poses with quaternions that do not jump between q and −q from one sample to the next.
class PoseColumn {
 public:
  explicit PoseColumn(std::size_t bodies) : last_(bodies) {}

  void add(const RunMachine& machine) {
    for (std::size_t body = 0; body < last_.size(); ++body) {
      const Pose pose = machine.pose(static_cast<int>(body));
      Quaternion turn = quaternion_from_matrix(pose.rotation);
      const Quaternion& before = last_[body];
      if (turn.w * before.w + turn.x * before.x + turn.y * before.y + turn.z * before.z < 0)
        turn = {-turn.w, -turn.x, -turn.y, -turn.z};
      last_[body] = turn;
      append(values_, pose.position);
      append(values_, {turn.w, turn.x, turn.y, turn.z});
    }
  }
  void add_missing() { append_missing(values_, 7 * last_.size()); }
  const Floats& values() const { return values_; }

 private:
  std::vector<Quaternion> last_;
  Floats values_;
};

void write_named(const char* key, const std::vector<std::string>& names, const std::vector<std::string>& units,
                 const Floats& values, std::size_t rows, JsonWriter& json) {
  json.begin_object(key);
  json.texts("names", names);
  json.texts("units", units);
  json.packed("values", values, rows, names.size());
  json.end_object();
}

void write_energies(const RunData& run, std::span<const std::size_t> kept, JsonWriter& json) {
  json.begin_object("energy");
  std::vector<double> values(kept.size());
  for (const AccountField& field : account_fields) {
    if (field.sampled == Sampled::no) continue;
    for (std::size_t k = 0; k < kept.size(); ++k) values[k] = run.samples[kept[k]].energy.*field.account;
    json.packed(field.name, std::span<const double>(values));
  }
  json.number("initial", run.samples.empty() ? run.outcome.energy.initial : run.samples.front().energy.initial);
  json.end_object();
}

// The closed contacts as rows, and the plots with a column for each contact.
struct ContactColumns {
  std::vector<std::int32_t> first = {0}, contact;
  std::vector<std::uint8_t> mode;
  Floats force, point, normal, tangent1;
  Floats gap, slip_speed, normal_force;
  Floats slip_margin, jam_margin;  // all NaN where the run has none
  bool has_margins = false;
};

class ContactSeries {
 public:
  ContactSeries(const RunData& run, RunMachine& machine) : run_(run), machine_(machine) {}

  void add(const Sample& sample) {
    placed_ = machine_.place(sample.state);
    for (const ActiveContact& active : sample.active) add_row(active);
    columns_.first.push_back(static_cast<std::int32_t>(columns_.contact.size()));
    for (const RunContact& contact : run_.contacts) add_plots(sample, contact.id);
  }
  const ContactColumns& columns() const { return columns_; }

 private:
  int row_of(ContactId id) const {
    for (std::size_t k = 0; k < run_.contacts.size(); ++k)
      if (run_.contacts[k].id == id) return static_cast<int>(k);
    return -1;
  }

  void add_row(const ActiveContact& active) {
    ContactColumns& c = columns_;
    const Contact& contact = active.contact;
    const int row = row_of(contact.id);
    if (row < 0) return;
    c.contact.push_back(row);
    c.mode.push_back(static_cast<std::uint8_t>(active.mode));
    append(c.force, {active.force.n, active.force.t1, active.force.t2});
    if (contact.kind == ContactKind::surfaces) {
      append(c.point, contact.point);
      append(c.normal, contact.normal);
      append(c.tangent1, contact.tangent1);
      return;
    }
    if (placed_ && machine_.has(contact.id)) {
      append(c.point, machine_.shown_at(contact));
    } else {
      append_missing(c.point, 3);
    }
    append_missing(c.normal, 3);
    append_missing(c.tangent1, 3);
  }

  void add_plots(const Sample& sample, ContactId id) {
    ContactColumns& c = columns_;
    const std::optional<Contact> contact = placed_ ? machine_.contact(sample.state, id) : std::nullopt;
    const ActiveContact* active = nullptr;
    for (const ActiveContact& each : sample.active)
      if (each.contact.id == id) active = &each;
    append(c.normal_force, {active != nullptr ? active->force.n : 0.0});
    const auto margin = [&](Floats& column, std::optional<double> ActiveContact::*value) {
      if (active == nullptr || !(active->*value)) return append_missing(column, 1);
      append(column, {*(active->*value)});
      c.has_margins = true;
    };
    margin(c.slip_margin, &ActiveContact::slip_margin);
    margin(c.jam_margin, &ActiveContact::jam_margin);
    if (active != nullptr) {
      append(c.gap, {active->contact.gap});
    } else if (contact) {
      append(c.gap, {contact->gap});
    } else {
      append_missing(c.gap, 1);
    }
    if (active != nullptr && active->mode == ContactMode::stick) {
      append(c.slip_speed, {0.0});
    } else if (active != nullptr && contact) {
      const Model& model = machine_.model();
      const ContactVector moves = contact_velocity(model, machine_.workspace(), sample.state.v, *contact);
      const ContactVector belt = surface_velocity(model, machine_.workspace(), *contact, sample.state.time);
      append(c.slip_speed, {elementary::hypot(moves.t1 - belt.t1, moves.t2 - belt.t2)});
    } else {
      append_missing(c.slip_speed, 1);
    }
  }

  const RunData& run_;
  RunMachine& machine_;
  bool placed_ = false;  // the machine stands where the sample says
  ContactColumns columns_;
};

// How the surfaces meet, where the machine knows the contact.
Friction friction_of(const RunMachine& machine, ContactId id) {
  if (kind_of(id) == ContactKind::limit || !machine.has(id)) return {};
  return machine.model().pairs[static_cast<std::size_t>(id.pair)].properties.friction;
}

}  // namespace

void write_samples(const RunData& run, std::span<const std::size_t> kept, RunMachine& machine, JsonWriter& json) {
  std::vector<double> time;
  PoseColumn poses(machine.model().bodies.size());
  Floats position, velocity;
  for (const std::size_t k : kept) {
    const State& state = run.samples[k].state;
    time.push_back(state.time);
    if (machine.place(state)) {
      poses.add(machine);
    } else {
      poses.add_missing();
    }
    for (const double x : state.q) position.push_back(static_cast<float>(x));
    for (const double x : state.v) velocity.push_back(static_cast<float>(x));
  }
  const RunInfo& info = run.info;
  json.begin_object("samples");
  json.integer("count", static_cast<long long>(kept.size()));
  json.integer("of", static_cast<long long>(run.samples.size()));
  json.packed("time", std::span<const double>(time));
  json.packed("poses", poses.values(), kept.size(), 7 * machine.model().bodies.size());
  write_named("position", info.coordinate_names, info.coordinate_units, position, kept.size(), json);
  write_named("velocity", info.velocity_names, info.velocity_units, velocity, kept.size(), json);
  write_energies(run, kept, json);
  json.end_object();
}

void write_contacts(const RunData& run, std::span<const std::size_t> kept, RunMachine& machine, JsonWriter& json) {
  json.objects("contacts", run.contacts, [&](const RunContact& contact) {
    const Friction friction = friction_of(machine, contact.id);
    json.text("name", contact.name);
    json.text("kind", name(kind_of(contact.id)));
    json.begin_object("friction");
    json.number("static", friction.static_coefficient);
    json.number("kinetic", friction.kinetic_coefficient);
    json.end_object();
  });

  ContactSeries series(run, machine);
  for (const std::size_t k : kept) series.add(run.samples[k]);
  const ContactColumns& c = series.columns();
  const std::size_t rows = c.contact.size(), contacts = run.contacts.size();
  json.begin_object("contact_samples");
  json.packed("first", std::span<const std::int32_t>(c.first));
  json.packed("contact", std::span<const std::int32_t>(c.contact));
  json.packed("mode", std::span<const std::uint8_t>(c.mode));
  json.packed("force", c.force, rows, 3);
  json.packed("point", c.point, rows, 3);
  json.packed("normal", c.normal, rows, 3);
  json.packed("tangent1", c.tangent1, rows, 3);
  json.packed("gap", c.gap, kept.size(), contacts);
  json.packed("slip_speed", c.slip_speed, kept.size(), contacts);
  json.packed("normal_force", c.normal_force, kept.size(), contacts);
  if (c.has_margins) {
    json.packed("slip_margin", c.slip_margin, kept.size(), contacts);
    json.packed("jam_margin", c.jam_margin, kept.size(), contacts);
  }
  json.end_object();
}

}  // namespace routh::internal

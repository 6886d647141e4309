#include <limits>

#include "routh/record/contact_rows.h"
#include "routh/record/event_fields.h"
#include "routh/record/npz.h"
#include "routh/record/run_fields.h"
#include "routh/record/run_file.h"

namespace routh {

namespace {

using Reals = std::vector<double>;
using Ints = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

template <class List, class Value>
Reals column(const List& list, Value value) {
  Reals values;
  values.reserve(list.size());
  for (const auto& entry : list) values.push_back(value(entry));
  return values;
}

// Rows of `width` numbers; what is missing becomes NaN.
template <class List, class Value>
Reals rows(const List& list, std::size_t width, Value value) {
  Reals values;
  values.reserve(list.size() * width);
  for (const auto& entry : list) {
    const Eigen::VectorXd& row = value(entry);
    values.insert(values.end(), row.begin(), row.end());
    if (row.size() == 0) values.insert(values.end(), width, std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

void add_samples(NpzArchive& archive, const RunData& run) {
  const std::size_t nq = run.info.coordinate_names.size(), nv = run.info.velocity_names.size();
  archive.add("time", column(run.samples, [](const Sample& s) { return s.state.time; }));
  archive.add_rows("position",
                   rows(run.samples, nq, [](const Sample& s) -> const Eigen::VectorXd& { return s.state.q; }),
                   run.samples.size(), nq);
  archive.add_rows("velocity",
                   rows(run.samples, nv, [](const Sample& s) -> const Eigen::VectorXd& { return s.state.v; }),
                   run.samples.size(), nv);
  for (const AccountField& field : sampled_accounts)
    archive.add(field.name, column(run.samples, [&](const Sample& s) { return s.energy.*field.account; }));
  archive.add("position_names", run.info.coordinate_names);
  archive.add("velocity_names", run.info.velocity_names);
}

// A table of rows as arrays, `prefix` + the name of each field.
template <class Row>
void add_table(NpzArchive& archive, const std::string& prefix, const std::vector<const Row*>& list,
               const RunInfo& info) {
  Row pattern{};
  for_each_field_number<Row>([&](auto number) {
    constexpr std::size_t I = decltype(number)::value;
    const FieldInfo field = std::get<I>(fields_of(pattern)).info;
    if ((field.tables & in_npz) == 0) return;
    const std::string name_of_array = prefix + field.name;
    using T = std::remove_cvref_t<decltype(std::get<I>(fields_of(pattern)).value)>;
    const auto value = [](const Row* row) -> const T& { return std::get<I>(fields_of(*row)).value; };
    if constexpr (std::is_same_v<T, Eigen::VectorXd>) {
      const std::size_t width =
          field.axis == FieldAxis::coordinates ? info.coordinate_names.size() : info.velocity_names.size();
      archive.add_rows(name_of_array, rows(list, width, value), list.size(), width);
    } else if constexpr (std::is_same_v<T, ContactVector>) {
      Reals values;
      for (const Row* row : list) values.insert(values.end(), {value(row).n, value(row).t1, value(row).t2});
      archive.add_rows(name_of_array, values, list.size(), 3);
    } else if constexpr (std::is_same_v<T, double>) {
      archive.add(name_of_array, column(list, value));
    } else if constexpr (std::is_enum_v<T>) {
      Texts texts;
      for (const Row* row : list) texts.push_back(name(value(row)));
      archive.add(name_of_array, texts);
    } else {
      using Stored =
          std::conditional_t<std::is_same_v<T, bool>, std::uint8_t,
                             std::conditional_t<std::is_same_v<T, std::uint32_t>, std::int64_t, std::string>>;
      std::vector<Stored> values;
      for (const Row* row : list) values.push_back(static_cast<Stored>(value(row)));
      archive.add(name_of_array, values);
    }
  });
}

// The rows of a table that belong to rows of another, with the number of the owner.
template <class Row>
struct OwnedRows {
  Ints owner;
  std::vector<const Row*> rows;

  void add(std::size_t of, const std::vector<Row>& list) {
    for (const Row& row : list) {
      owner.push_back(static_cast<std::int64_t>(of));
      rows.push_back(&row);
    }
  }
};

void add_events(NpzArchive& archive, const RunData& run) {
  std::vector<const Event*> events;
  OwnedRows<EventContact> contacts;
  OwnedRows<Phase> phases;
  OwnedRows<PathPoint> points;
  Texts names;
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    events.push_back(&run.events[k]);
    contacts.add(k, run.events[k].contacts);
  }
  for (std::size_t k = 0; k < contacts.rows.size(); ++k) {
    names.push_back(contacts.rows[k]->name);
    phases.add(k, contacts.rows[k]->phases);
    points.add(k, contacts.rows[k]->path);
  }
  add_table(archive, "event_", events, run.info);
  archive.add("event_contact_event", contacts.owner);
  archive.add("event_contact_name", names);
  add_table(archive, "event_contact_", contacts.rows, run.info);
  archive.add("event_phase_contact", phases.owner);
  add_table(archive, "event_phase_", phases.rows, run.info);
  archive.add("event_path_contact", points.owner);
  add_table(archive, "event_path_", points.rows, run.info);
}

// A row for each contact of each sample; what an open one has not is NaN.
void add_contacts(NpzArchive& archive, const RunData& run, std::span<const double> open_gaps) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Ints sample, contact;
  Texts mode, names;
  Reals time, gap, force, slip, point, normal, tangent1, slip_margin, jam_margin;
  const auto append = [](Reals& values, const Vector3& v) { values.insert(values.end(), {v.x, v.y, v.z}); };
  for (const RunContact& each : run.contacts) names.push_back(each.name);
  ActiveContact open;
  open.contact.point = open.contact.normal = open.contact.tangent1 = {none, none, none};
  open.direction = {none, none};
  for_each_contact_row(run, open_gaps, [&](const ContactRow& row) {
    const ActiveContact& active = row.active ? *row.active : open;
    sample.push_back(static_cast<std::int64_t>(row.sample));
    contact.push_back(static_cast<std::int64_t>(row.contact));
    time.push_back(run.samples[row.sample].state.time);
    mode.push_back(name(row.mode()));
    gap.push_back(row.gap);
    force.insert(force.end(), {active.force.n, active.force.t1, active.force.t2});
    slip.insert(slip.end(), {active.direction.t1, active.direction.t2});
    append(point, active.contact.point);
    append(normal, active.contact.normal);
    append(tangent1, active.contact.tangent1);
    slip_margin.push_back(active.slip_margin.value_or(none));
    jam_margin.push_back(active.jam_margin.value_or(none));
  });
  archive.add("contact_names", names);
  archive.add("contact_sample", sample);
  archive.add("contact_time", time);
  archive.add("contact_index", contact);
  archive.add("contact_mode", mode);
  archive.add("contact_gap", gap);
  archive.add_rows("contact_force", force, sample.size(), 3);
  archive.add_rows("contact_slip_direction", slip, sample.size(), 2);
  archive.add_rows("contact_point", point, sample.size(), 3);
  archive.add_rows("contact_normal", normal, sample.size(), 3);
  archive.add_rows("contact_tangent1", tangent1, sample.size(), 3);
  archive.add("contact_slip_margin", slip_margin);
  archive.add("contact_jam_margin", jam_margin);
}

}  // namespace

std::string run_npz(const RunData& run, std::span<const double> open_gaps) {
  NpzArchive archive;
  add_samples(archive, run);
  add_contacts(archive, run, open_gaps);
  add_events(archive, run);
  return archive.finish();
}

}  // namespace routh

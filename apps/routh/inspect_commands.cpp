#include "assignments.h"
#include "commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output.h"
#include "routh/dynamics/dynamics.h"
#include "routh/model/scales.h"
#include "routh/problem/answer.h"
#include "routh/problem/contacts_file.h"
#include "routh/problem/reader.h"
#include "routh/scene/draft.h"
#include "routh/scene/writer.h"
#include "routh/study/study.h"
#include "scene_source.h"
#include "table.h"

namespace routh {

namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string summary(const Model& model) {
  std::string text = fmt::format(
      "{}, {}, {}, {:.6g} kg, {}", name(model.dimension), counted(model.bodies.size() - 1, "body", "bodies"),
      counted(static_cast<std::size_t>(model.velocities), "degree of freedom", "degrees of freedom"), total_mass(model),
      counted(model.pairs.size(), "pair of shapes", "pairs of shapes"));
  if (!model.loops.empty()) text += ", " + counted(model.loops.size(), "loop", "loops");
  return text;
}

// What sizes this machine has, from the machine alone; see routh/model/scales.h.
std::string scales_line(const Model& model) {
  const Scales scales = compute_scales(model);
  return fmt::format("scales: {:.4g} m, {:.4g} kg, {:.4g} s ({}), {:.4g} m/s, {:.4g} N\n", scales.length, scales.mass,
                     scales.time,
                     scales.time_source == TimeSource::none ? "nothing here has a time" : name(scales.time_source),
                     scales.speed(), scales.force());
}

void take_posture(const InspectOptions& options, Scene& scene) {
  if (options.posture.empty()) return;
  const auto needed = static_cast<std::size_t>(scene.model.coordinates);
  if (options.posture.size() != needed)
    throw UsageError(fmt::format("error: --q has {} values; this machine has {}", options.posture.size(),
                                 counted(needed, "coordinate", "coordinates")));
  for (std::size_t k = 0; k < needed; ++k) {
    if (!std::isfinite(options.posture[k])) throw UsageError("error: --q: the values must be finite numbers");
    scene.state.q[static_cast<Eigen::Index>(k)] = options.posture[k];
  }
  normalise(scene.model, scene.state.q);
  if (!scene.state.q.allFinite()) throw UsageError("error: --q: a quaternion must not be zero");
  check_range(scene);
}

std::string name_of_coordinates(const Model& model, const Joint& joint) {
  std::string names;
  for (int k = 0; k < joint.q_count; ++k) names += (k == 0 ? "" : " ") + coordinate_name(model, joint.q + k);
  return names;
}

int depth_of(const Model& model, std::size_t body) {
  int depth = 0;
  for (std::size_t b = body; b > 0; b = static_cast<std::size_t>(model.joints[b - 1].parent)) ++depth;
  return depth;
}

// What is fixed to a body and carries nothing that moves is told in one row: robots have more such links than joints.
struct Folded {
  std::vector<bool> away;           // the body stands in the row of another
  std::vector<std::size_t> bodies;  // how many are folded below a body
  std::vector<double> mass;         // theirs [kg]
};
Folded fold(const Model& model) {
  const std::size_t count = model.bodies.size();
  Folded out{std::vector<bool>(count, true), std::vector<std::size_t>(count, 0), std::vector<double>(count, 0)};
  // Children come after their parents.
  for (std::size_t body = count - 1; body > 0; --body) {
    const Joint& joint = model.joints[body - 1];
    const auto parent = static_cast<std::size_t>(joint.parent);
    if (joint.kind != JointKind::fixed) out.away[body] = false;
    if (out.away[body]) {
      out.bodies[parent] += out.bodies[body] + 1;
      out.mass[parent] += out.mass[body] + model.bodies[body].mass;
    } else {
      out.away[parent] = false;
    }
  }
  return out;
}

struct BodyRow {
  std::string label, joint, mass, coordinates;
};

// Children below their parents; a dot for each level, since leading blanks would not survive the table.
void add_branch(const Model& model, const Folded& folded, std::size_t body, std::vector<BodyRow>& rows) {
  const auto label = [&](std::size_t at) {
    std::string text;
    for (int level = std::min(depth_of(model, at), 9); level > 1; --level) text += "·";
    return text + model.bodies[at].name;
  };
  const auto mass = [](double value) { return fmt::format("{:.6g}", value); };
  if (body > 0) {
    const Joint& joint = model.joints[body - 1];
    rows.push_back({label(body), name(joint.kind), mass(model.bodies[body].mass), name_of_coordinates(model, joint)});
  }
  bool told = false;
  for (std::size_t child = 1; child < model.bodies.size(); ++child) {
    if (static_cast<std::size_t>(model.joints[child - 1].parent) != body) continue;
    if (!folded.away[child]) {
      add_branch(model, folded, child, rows);
    } else if (!told) {
      const std::size_t all = folded.bodies[body];
      rows.push_back({label(child) + (all > 1 ? "…" : ""), all > 1 ? fmt::format("{} fixed", all) : "fixed",
                      mass(folded.mass[body]), ""});
      told = true;
    }
  }
}

constexpr std::size_t names_least = 28, names_most = 40;  // of the column of names, which is as wide as they are

std::string render_tree(const Terminal& terminal, const Model& model) {
  std::vector<BodyRow> rows;
  add_branch(model, fold(model), 0, rows);
  std::size_t width = names_least;
  for (const BodyRow& row : rows) width = std::max(width, display_width(row.label));
  width = std::min(width, names_most);
  TextTable table({{width, Align::left}, {12, Align::left}, {10}, {names_least + 26 - width, Align::left}});
  table.add_heading({"body", "joint", "mass [kg]", "coordinates"});
  for (const BodyRow& row : rows) table.add_row({{row.label}, {row.joint}, {row.mass}, {row.coordinates}});
  return table.render(terminal);
}

std::string render_state(const Terminal& terminal, const Scene& scene, Workspace& workspace) {
  const Model& model = scene.model;
  TextTable table({{28, Align::left}, {14}, {14}, {14}});
  table.add_heading({"degree of freedom", "position", "velocity", "M diagonal"});
  compute_mass_matrix(model, scene.state.q, workspace);
  for (int k = 0; k < model.velocities; ++k) {
    const int coordinate = model.dofs[static_cast<std::size_t>(k)].coordinate;
    table.add_row({{dof_name(model, k)},
                   {coordinate < 0 ? "quaternion" : fmt::format("{:.6g}", scene.state.q[coordinate])},
                   {fmt::format("{:.6g}", scene.state.v[k])},
                   {fmt::format("{:.6g}", workspace.mass_matrix(k, k))}});
  }
  const Energy energy = compute_energy(model, scene.state, workspace);
  return table.render(terminal) +
         fmt::format("kinetic energy {:.6g} J, potential {:.6g} J\n", energy.kinetic, energy.potential);
}

constexpr double contact_margin = 0.1;

// The nearest that a table shows beside those that touch: more say little of a machine, and robots have hundreds.
constexpr std::size_t apart_shown = 10;

std::string render_contacts(const Terminal& terminal, const Scene& scene, Detail detail, Workspace& workspace) {
  compute_velocities(scene.model, scene.state.q, scene.state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(scene.model, workspace, scene.state.q, contact_margin, contacts);
  if (contacts.empty()) return fmt::format("no contact within {} m\n", contact_margin);
  std::string rest;
  if (detail == Detail::brief) {
    std::stable_sort(contacts.begin(), contacts.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
    const auto apart = [&](const Contact& contact) { return contact.gap > scene.touch.tolerance; };
    const auto first_apart = std::find_if(contacts.begin(), contacts.end(), apart);
    const auto shown = static_cast<std::size_t>(first_apart - contacts.begin()) + apart_shown;
    if (contacts.size() > shown + 1) {
      rest = fmt::format("{} more within {} m; --all lists them\n", contacts.size() - shown, contact_margin);
      contacts.resize(shown);
    }
  }
  TextTable table({{42, Align::left}, {16}, {18}});
  table.add_heading({"contact", "gap", "rate"});
  for (const Contact& contact : contacts) {
    const ContactVector v = contact_velocity(scene.model, workspace, scene.state.v, contact);
    const ContactVector s = surface_velocity(scene.model, workspace, contact, scene.state.time);
    const bool turns = contact.kind == ContactKind::limit && is_angular(scene.model, contact.dof);
    const char* unit = turns ? "rad" : "m";
    table.add_row({{contact_name(scene.model, contact)},
                   {fmt::format("{:.6g} {}", contact.gap, unit)},
                   {fmt::format("{:.6g} {}/s", v.n - s.n + 0.0, unit)}});
  }
  return table.render(terminal) + rest;
}

// Corners and faces of the hulls that stand for meshes, and what those of fewer corners leave outside.
std::string render_meshes(const Terminal& terminal, const Model& model) {
  TextTable table({{26, Align::left}, {8}, {6}, {13}, {20}});
  table.add_heading({"mesh", "corners", "faces", "reduced from", "outside at most"});
  bool any = false;
  for (const Shape& shape : model.shapes) {
    if (shape.kind != ShapeKind::mesh) continue;
    any = true;
    const Polyhedron& hull = *shape.hull;
    const Vector3 size = hull.highest - hull.lowest;
    const double share = hull.reduction_error / std::max({size.x, size.y, size.z});
    const bool reduced = hull.reduced_from > 0;
    table.add_row({{printable(shape.name, 26)},
                   {fmt::format("{}", hull.vertices.size())},
                   {fmt::format("{}", hull.faces.size())},
                   {reduced ? fmt::format("{}", hull.reduced_from) : "-"},
                   {reduced ? fmt::format("{:.2g} m, {:.2g} %", hull.reduction_error, 100 * share) : "-"}});
  }
  return any ? "\n" + table.render(terminal) : "";
}

ExitCode check_contacts(const SourceFile& source) {
  refuse_assignments(source.set, "a contact problem has no paths");
  const std::string& path = source.path;
  const FrictionContactProblem problem = read_contacts_file(path).problem;
  write_stdout(fmt::format("{}: sound contact problem: {}, {}\n", printable(path, 200), name(problem.dimension),
                           counted(static_cast<std::size_t>(problem.contacts()), "contact", "contacts")));
  return ExitCode::ok;
}

}  // namespace

ExitCode run_check(const InspectOptions& options) {
  if (!is_robot_file(options.file.path) &&
      is_contacts_text(read_text_file(options.file.path, contacts_limits.max_bytes)))
    return check_contacts(options.file);
  OpenedFile opened = open_file(options.file);
  if (opened.scene) {
    const Scene scene = take_checked_scene(opened, options.verbosity);
    warn_of_free_fall(scene, options.verbosity);
    write_stdout(fmt::format("{}: sound scene: {}\n", printable(options.file.path, 200), summary(scene.model)));
    return ExitCode::ok;
  }
  const Document& document = *opened.document;
  if (document.root().is_map() && document.root().find("study")) {
    refuse_assignments(options.file.set, "a study says it in its section `set`");
    const Study study = read_study_file(options.file.path);
    if (options.verbosity == Verbosity::normal)
      for (const std::string& warning : study.warnings) write_complaint(warning);
    write_stdout(fmt::format("{}: sound study: {} ({}), {}, {}\n", printable(options.file.path, 200),
                             counted(study.samples(), "sample", "samples"), name(study.method),
                             counted(study.parameters.size(), "parameter", "parameters"),
                             counted(study.measures.size(), "measure", "measures")));
    return ExitCode::ok;
  }
  if (is_contacts_problem(document.root())) return check_contacts(options.file);
  const ProblemFile file = take_problem(opened);
  ProblemSolver solver;
  solver.prepare(file);
  write_stdout(
      fmt::format("{}: sound problem: {} contact\n", printable(options.file.path, 200), name(file.dimension())));
  return ExitCode::ok;
}

ExitCode run_info(const InspectOptions& options, const Terminal& terminal) {
  OpenedFile file = open_file(options.file);
  require_scene(file, "put `routh: 1` at the top of a scene; for a problem file use `routh check` or `routh impact`");
  Scene scene = take_scene(file, options.verbosity);
  warn_of_free_fall(scene, options.verbosity);
  take_posture(options, scene);
  if (options.format == OutputFormat::json) {
    write_stdout(info_json(scene, contact_margin) + "\n");
    return ExitCode::ok;
  }
  Workspace workspace(scene.model);
  std::string text;
  if (!scene.model.name.empty())
    text += paint(terminal, Tone::strong, encode(terminal, printable(scene.model.name, 76))) + "\n";
  text += summary(scene.model) + "\n" + scales_line(scene.model) + "\n" + render_tree(terminal, scene.model) + "\n" +
          render_state(terminal, scene, workspace) + "\n" +
          render_contacts(terminal, scene, options.detail, workspace) + render_meshes(terminal, scene.model);
  write_stdout(text);
  return ExitCode::ok;
}

}  // namespace routh

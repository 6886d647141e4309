#include "routh/problem/reader.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "routh/base/number.h"

namespace routh {

namespace {

void read_numbers(const Node& node, int limit, std::vector<double>& values) {
  node.expect_sequence();
  if (node.size() > static_cast<std::size_t>(limit))
    node.fail(fmt::format("{}: found a list of {}; at most {} numbers are allowed", node.path(), node.size(), limit));
  for (const Node entry : node) values.push_back(entry.number());
}

void read_matrix(const Node& node, int row_limit, NumberTable& matrix) {
  node.expect_sequence();
  if (node.size() > static_cast<std::size_t>(row_limit))
    node.fail(fmt::format("{}: found {} rows; at most {} are allowed", node.path(), node.size(), row_limit));
  for (const Node row : node) {
    read_numbers(row, max_coordinates, matrix.values);
    const int columns = static_cast<int>(row.size());
    if (matrix.rows > 0 && columns != matrix.columns)
      row.fail(fmt::format("{}: this row has {} entries, the one before it {}", row.path(), columns, matrix.columns),
               "give every row the same length");
    matrix.columns = columns;
    ++matrix.rows;
  }
}

// A coefficient of friction: the only number that may be infinite.
double read_friction_value(const Node& node) {
  if (node.is_scalar() && (node.raw() == "inf" || node.raw() == ".inf")) return std::numeric_limits<double>::infinity();
  return node.number();
}

Friction read_friction(const Node& node) {
  if (!node.is_map()) {
    const double value = read_friction_value(node);
    return {value, value};
  }
  static constexpr std::string_view keys[] = {"static", "kinetic"};
  node.allow_keys(keys);
  return {read_friction_value(node.require("static")), read_friction_value(node.require("kinetic"))};
}

void read_restitution_table(const Node& node, std::vector<RestitutionPoint>& table) {
  node.expect_sequence();
  if (node.size() == 0 || node.size() > static_cast<std::size_t>(max_table_points))
    node.fail(fmt::format("{}: found {} points; 1 to {} are allowed", node.path(), node.size(), max_table_points));
  for (const Node point : node) {
    if (!point.is_sequence() || point.size() != 2)
      point.fail(fmt::format("{}: found {} where a pair [speed, e] is expected", point.path(), point.describe()));
    table.push_back({point.child(0).number(), point.child(1).number()});
  }
}

// α = 2c/(3k) of a contact with stiffness k and damping c.
double read_alpha(const Node& node) {
  const Node damping = node.require("damping");
  const Node stiffness = node.require("stiffness");
  if (!(damping.number() >= 0))
    damping.fail(fmt::format("{} = {} must be zero or positive", damping.path(), damping.number()));
  if (!(stiffness.number() > 0))
    stiffness.fail(fmt::format("{} = {} must be positive", stiffness.path(), stiffness.number()));
  const double alpha = damping.number() / stiffness.number() * 2 / 3;
  if (!std::isfinite(alpha)) node.fail("restitution: damping/stiffness exceeds the range of a double");
  return alpha;
}

void read_restitution(const Node& node, ProblemFile& file) {
  file.restitution = {};
  file.table.clear();
  if (!node.is_map()) {
    file.restitution.normal = node.number();
    return;
  }
  static constexpr std::string_view keys[] = {"normal", "tangential", "alpha", "damping", "stiffness", "table"};
  node.allow_keys(keys);
  const bool spring = node.find("damping") || node.find("stiffness");
  const int forms =
      (node.find("normal") ? 1 : 0) + (node.find("alpha") ? 1 : 0) + (node.find("table") ? 1 : 0) + (spring ? 1 : 0);
  if (forms != 1)
    node.fail(fmt::format("restitution: found {} of normal, alpha, damping with stiffness, table",
                          forms == 0 ? "none" : "several"),
              "give exactly one of them");
  if (const auto tangential = node.find("tangential")) file.restitution.tangential = tangential->number();
  if (const auto normal = node.find("normal")) {
    file.restitution.normal = normal->number();
  } else if (const auto table = node.find("table")) {
    file.restitution.kind = RestitutionKind::table;
    read_restitution_table(*table, file.table);
  } else {
    file.restitution.kind = RestitutionKind::linear;
    const auto alpha = node.find("alpha");
    file.restitution.alpha = alpha ? alpha->number() : read_alpha(node);
  }
}

// An id is a number when JSON would write it so, otherwise a text.
void read_id(const Node& node, ProblemFile& file) {
  file.id = node.text();
  const bool number = !node.quoted() && is_json_number(node.raw());
  file.id_kind = number ? IdKind::number : IdKind::text;
}

class Reader {
 public:
  explicit Reader(ProblemFile& file) : file_(file) {}

  void read(const Node& root) {
    root.allow_keys(field_names);
    for (const Node node : root) {
      const Field field = field_of(node.key());
      if (field != Field::contacts) read_field(field, node);
    }
    if (const auto contacts = root.find("contacts")) read_contacts(*contacts);
    if (const auto breach = settle(file_)) fail(root, *breach);
  }

 private:
  static Field field_of(std::string_view key) {
    std::size_t i = 0;
    while (field_names[i] != key) ++i;  // `allow_keys` has seen to it that the key is there
    return static_cast<Field>(i);
  }

  void read_field(Field field, const Node& node) {
    nodes_[static_cast<std::size_t>(field)] = node;
    const Location where = node.where();
    file_.marks[static_cast<std::size_t>(field)] = {where.line, where.column};
    file_.set(field);
    switch (field) {
      case Field::mass_matrix:
        return read_matrix(node, max_coordinates, file_.mass_matrix);
      case Field::jacobian:
        file_.jacobian.clear();
        return read_matrix(node, 3, file_.jacobian);
      case Field::velocity:
        return read_numbers(node, max_coordinates, file_.velocity);
      case Field::bilateral:
        return read_matrix(node, max_bilateral_rows, file_.bilateral);
      case Field::external_impulse:
        return read_numbers(node, max_coordinates, file_.external_impulse);
      case Field::delassus:
        return read_matrix(node, 3, file_.delassus);
      case Field::contact_velocity:
        return read_numbers(node, 3, file_.contact_velocity);
      case Field::friction:
        file_.friction = read_friction(node);
        return;
      case Field::restitution:
        return read_restitution(node, file_);
      case Field::law:
        file_.law = static_cast<Law>(node.choice(law_names));
        return;
      case Field::surface_velocity:
        return read_numbers(node, 3, file_.surface_velocity);
      case Field::contacts:
        return;
      case Field::pressed:
        file_.load = node.boolean() ? Load::pressed : Load::unknown;
        return;
      case Field::id:
        return read_id(node, file_);
      case Field::name:
        file_.title = node.text();
        return;
      case Field::comment:
        node.text();
        return;
    }
  }

  void read_contacts(const Node& node) {
    node.expect_sequence();
    if (node.size() != 1)
      node.fail(fmt::format("contacts: found {} contacts; this version solves one contact at a time", node.size()),
                "give one entry, or one problem for each contact");
    const Node contact = node.child(0);
    static constexpr std::string_view keys[] = {"jacobian", "friction", "restitution"};
    contact.allow_keys(keys);
    for (const Node entry : contact) read_field(field_of(entry.key()), entry);
  }

  [[noreturn]] void fail(const Node& root, const Breach& breach) const {
    Node at = root;
    if (breach.field) at = *nodes_[static_cast<std::size_t>(*breach.field)];
    if (const auto part = at.find(breach.part); part && breach.field) at = *part;
    for (const int index : {breach.row, breach.column})
      if (index >= 0 && static_cast<std::size_t>(index) < at.size()) at = at.child(static_cast<std::size_t>(index));
    at.fail(breach.message, breach.remedy);
  }

  ProblemFile& file_;
  std::array<std::optional<Node>, field_count> nodes_;
};

}  // namespace

void read_problem(const Document& document, ProblemFile& file) {
  file.clear();
  file.source = document.name();
  Reader(file).read(document.root());
}

ProblemFile read_problem_text(std::string text, const std::string& name) {
  ProblemFile file;
  read_problem(Document::from_text(std::move(text), name), file);
  return file;
}

ProblemFile read_problem_file(const std::string& path) {
  ProblemFile file;
  read_problem(Document::from_file(path), file);
  return file;
}

}  // namespace routh

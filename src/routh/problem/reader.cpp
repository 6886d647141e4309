#include "routh/problem/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/base/error_list.h"
#include "routh/base/number.h"
#include "routh/problem/contacts_file.h"
#include "routh/problem/surface_reader.h"

namespace routh::internal {

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
    refuse_contacts_problem(root);
    ErrorList errors;
    errors.attempt([&] { root.allow_keys(field_names); });
    for (const Node node : root)
      if (const auto field = field_of(node.key()); field && field != Field::contacts)
        errors.attempt([&] { read_field(*field, node); });
    errors.finish();
    if (const auto contacts = root.find("contacts")) read_contacts(*contacts);
    if (const auto breach = settle(file_)) fail(root, *breach);
    if (const auto rule = root.find("rule"); rule && file_.contacts.empty())
      rule->fail("rule: the file has one contact, which strikes by its law", "remove it, or give several `contacts`");
  }

 private:
  static void refuse_contacts_problem(const Node& root) {
    if (!root.is_map()) return;
    for (const Node entry : root) {
      const bool known = std::find(field_names.begin(), field_names.end(), entry.key()) != field_names.end();
      if (known || !is_contacts_problem(root)) continue;
      throw InputError(entry.key_where(),
                       fmt::format("this is a contact problem: it has '{}'", printable(std::string(entry.key()))),
                       "`routh contacts` solves it");
    }
  }

  static std::optional<Field> field_of(std::string_view key) {
    const auto found = std::find(field_names.begin(), field_names.end(), key);
    if (found == field_names.end()) return std::nullopt;
    return static_cast<Field>(found - field_names.begin());
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
        return read_restitution(node, file_.restitution, file_.table);
      case Field::law:
        file_.law = read_law(node);
        return;
      case Field::surface_velocity:
        return read_numbers(node, 3, file_.surface_velocity);
      case Field::contacts:
        return;
      case Field::rule:
        file_.rule = node.choice<SimultaneousRule>();
        return;
      case Field::pressed:
        file_.load = node.boolean() ? Load::pressed : Load::unknown;
        return;
      case Field::free_acceleration:
        return read_numbers(node, 3, file_.free_acceleration);
      case Field::force:
        return read_numbers(node, max_coordinates, file_.force);
      case Field::drift:
        return read_numbers(node, 3, file_.drift);
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

  // What stands outside the list holds for every contact that does not say otherwise.
  void read_contacts(const Node& node) {
    node.expect_sequence();
    if (node.size() == 0 || node.size() > static_cast<std::size_t>(max_contacts))
      node.fail(fmt::format("contacts: found {} contacts", node.size()),
                fmt::format("1 to {} are allowed", max_contacts));
    const Location where = node.where();
    file_.marks[static_cast<std::size_t>(Field::contacts)] = {where.line, where.column};
    file_.set(Field::contacts);
    const ProblemContact outside{file_.jacobian, file_.friction, file_.restitution, file_.table};
    const std::uint32_t given = file_.given;
    for (const Node contact : node) {
      file_.jacobian = outside.jacobian;
      file_.friction = outside.friction;
      file_.restitution = outside.restitution;
      file_.table = outside.table;
      file_.given = given;
      contact.allow_keys({"jacobian", "friction", "restitution", "stiffness"});
      double stiffness = 1;
      for (const Node entry : contact)
        if (entry.key() == "stiffness")
          stiffness = read_stiffness(entry);
        else
          read_field(*field_of(entry.key()), entry);
      if (node.size() == 1) return;
      if (const auto breach = settle(file_)) fail(contact, *breach);
      file_.contacts.push_back({file_.jacobian, file_.friction, file_.restitution, file_.table, stiffness});
    }
  }

  static double read_stiffness(const Node& node) {
    const double value = node.number();
    if (!(value > 0))
      node.fail(fmt::format("stiffness = {} is not positive", value), "only its ratio to others counts");
    return value;
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

void read_problem(const Node& node, const std::string& name, ProblemFile& file) {
  file.clear();
  file.source = name;
  Reader(file).read(node);
}

void read_problem(const Document& document, ProblemFile& file) { read_problem(document.root(), document.name(), file); }

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

}  // namespace routh::internal

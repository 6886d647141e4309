#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "routh/base/number.h"
#include "routh/impact/surface_check.h"
#include "routh/impact/tolerances.h"
#include "routh/problem/block_assembler.h"
#include "routh/problem/contacts_file.h"
#include "routh/problem/siconos_reader.h"
#include "routh/problem/surface_reader.h"
#include "routh/text/gunzip.h"

namespace routh::internal {

namespace {

constexpr std::string_view contacts_keys[] = {
    "dimension", "delassus",   "contact_velocity", "mass_matrix",      "jacobian",
    "velocity",  "friction",   "bilateral",        "surface_velocity", "slip",
    "tolerance", "iterations", "least_norm",       "other_starts",     "start",
    "id",        "name",       "comment"};
constexpr const char* forms =
    "give delassus and contact_velocity, or mass_matrix, jacobian and velocity (a machine), each of all contacts";

Eigen::VectorXd read_vector(const Node& node) {
  node.expect_sequence();
  Eigen::VectorXd values(static_cast<Eigen::Index>(node.size()));
  Eigen::Index k = 0;
  for (const Node entry : node) values[k++] = entry.number();
  return values;
}

Eigen::MatrixXd read_rows(const Node& node) {
  node.expect_sequence();
  Eigen::MatrixXd matrix;
  Eigen::Index r = 0;
  for (const Node row : node) {
    const Eigen::VectorXd values = read_vector(row);
    if (r == 0) matrix.resize(static_cast<Eigen::Index>(node.size()), values.size());
    if (values.size() != matrix.cols())
      row.fail(fmt::format("{}: this row has {} entries, the first {}", row.path(), values.size(), matrix.cols()),
               "give every row the same length");
    matrix.row(r++) = values.transpose();
  }
  return matrix;
}

void expect_size(const Node& node, Eigen::Index found, Eigen::Index expected, const std::string& why) {
  if (found != expected)
    node.fail(fmt::format("{} has {} entries", node.path(), found), fmt::format("{} are needed: {}", expected, why));
}

void read_id(const Node& root, ContactsFile& file) {
  const auto node = root.find("id");
  if (!node) return;
  file.id = node->text();
  file.id_kind = !node->quoted() && is_json_number(node->raw()) ? IdKind::number : IdKind::text;
}

class ContactsReader {
 public:
  ContactsReader(const Node& root, ContactsFile& file) : root_(root), file_(file), problem_(file.problem) {}

  void read() {
    root_.allow_keys(contacts_keys);
    if (const auto node = root_.find("dimension"))
      problem_.dimension = node->integer(2, 3) == 2 ? Dimension::planar : Dimension::spatial;
    d_ = problem_.rows_per_contact();
    read_matrices();
    read_slip();
    read_friction_of_contacts();
    if (const auto node = root_.find("surface_velocity")) problem_.surface_velocity = read_by_rows(*node);
    read_options();
    read_labels();
  }

 private:
  static constexpr long long most = std::numeric_limits<int>::max();

  void read_matrices() {
    const auto present = [&](auto... keys) {
      std::optional<Node> found;
      for (const char* key : {keys...})
        if (!found) found = root_.find(key);
      return found;
    };
    const auto bare = present("delassus", "contact_velocity"), machine = present("mass_matrix", "jacobian", "velocity");
    if (!bare && !machine) root_.fail("the inertia and velocity of the contacts are missing", forms);
    if (bare && machine)
      bare->fail(fmt::format("'{}' and '{}' exclude each other", machine->key(), bare->key()), forms);
    for (const char* key : {"delassus", "contact_velocity", "mass_matrix", "jacobian", "velocity"})
      if ((key[0] == 'd' || key[0] == 'c') == bare.has_value() && !root_.find(key))
        root_.fail(fmt::format("'{}' is missing", key), forms);
    if (bare)
      read_bare();
    else
      read_machine();
  }

  // Sets the number of contacts, of `rows` in all, of which `bilateral` are not theirs.
  void count_contacts(const Node& node, Eigen::Index rows, Eigen::Index bilateral) {
    const Eigen::Index of_contacts = rows - bilateral;
    if (of_contacts < 0 || of_contacts % d_ != 0 || rows == 0)
      node.fail(fmt::format("{} has {} rows{}", node.path(), rows,
                            bilateral > 0 ? fmt::format(", {} of them bilateral", bilateral) : std::string()),
                fmt::format("give {} for each contact (dimension {}), the normal first, and the bilateral ones after "
                            "them",
                            d_, d_));
    contacts_ = of_contacts / d_;
    rows_ = rows;
  }

  void read_bare() {
    const Node velocity = root_.require("contact_velocity"), delassus = root_.require("delassus");
    problem_.velocity = read_vector(velocity);
    const auto bilateral = root_.find("bilateral");
    count_contacts(velocity, problem_.velocity.size(), bilateral ? bilateral->integer(0, most) : 0);
    if (delassus.is_map()) return read_blocks(delassus);
    Eigen::MatrixXd D = read_rows(delassus);
    if (D.rows() != rows_ || D.cols() != rows_)
      delassus.fail(fmt::format("delassus is {}×{}", D.rows(), D.cols()),
                    fmt::format("{0}×{0} is needed: contact_velocity has {0} entries", rows_));
    problem_.inertia = std::move(D);
  }

  void read_blocks(const Node& node) {
    static constexpr std::string_view of_matrix[] = {"blocks"}, of_block[] = {"row", "column", "values"};
    node.allow_keys(of_matrix);
    const Node blocks = node.require("blocks");
    blocks.expect_sequence();
    const auto rows = static_cast<int>(rows_), last = (rows + d_ - 1) / d_ - 1;
    BlockAssembler D(d_, rows);
    std::vector<std::vector<int>> seen(static_cast<std::size_t>(last) + 1);
    for (const Node block : blocks) {
      block.allow_keys(of_block);
      const auto row = static_cast<int>(block.require("row").integer(0, last));
      const auto column = static_cast<int>(block.require("column").integer(0, last));
      for (const int other : seen[static_cast<std::size_t>(row)])
        if (other == column)
          block.fail(fmt::format("{}: the block of row {} and column {} is given twice", block.path(), row, column),
                     "keep one of them");
      seen[static_cast<std::size_t>(row)].push_back(column);
      const Node values = block.require("values");
      const Eigen::MatrixXd B = read_rows(values);
      const int height = std::min(d_, rows - d_ * row), width = std::min(d_, rows - d_ * column);
      if (B.rows() != height || B.cols() != width)
        values.fail(fmt::format("{} is {}×{}", values.path(), B.rows(), B.cols()),
                    fmt::format("{}×{} is needed", height, width));
      for (int i = 0; i < height; ++i)
        for (int j = 0; j < width; ++j) D.add(d_ * row + i, d_ * column + j, B(i, j));
    }
    problem_.inertia = D.take();
  }

  void read_machine() {
    ContactsMachine& machine = file_.machine.emplace();
    const Node jacobian = root_.require("jacobian"), mass = root_.require("mass_matrix");
    const Node velocity = root_.require("velocity");
    Eigen::MatrixXd J = read_rows(jacobian);
    const Eigen::Index n = J.cols();
    Eigen::MatrixXd bilateral(0, n);
    if (const auto node = root_.find("bilateral"); node && node->size() > 0) {
      bilateral = read_rows(*node);
      if (bilateral.cols() != n)
        node->fail(fmt::format("bilateral has {} columns", bilateral.cols()),
                   fmt::format("{} are needed: one for each column of jacobian", n));
    }
    count_contacts(jacobian, J.rows(), 0);
    rows_ += bilateral.rows();
    machine.mass_matrix = read_rows(mass);
    if (machine.mass_matrix.rows() != n || machine.mass_matrix.cols() != n)
      mass.fail(fmt::format("mass_matrix is {}×{}", machine.mass_matrix.rows(), machine.mass_matrix.cols()),
                fmt::format("{0}×{0} is needed: jacobian has {0} columns", n));
    machine.velocity = read_vector(velocity);
    expect_size(velocity, machine.velocity.size(), n, "one for each column of jacobian");
    machine.jacobian.resize(rows_, n);
    machine.jacobian << J, bilateral;
    symmetrise(mass, machine.mass_matrix);
    if (!machine.reduce(problem_))
      mass.fail("mass_matrix is not positive definite", "every motion of the machine needs inertia");
    if (!std::get<Eigen::MatrixXd>(problem_.inertia).allFinite())
      mass.fail("J M⁻¹ Jᵀ exceeds the range of a double", "choose other units");
    if (!problem_.velocity.allFinite())
      velocity.fail("jacobian times velocity exceeds the range of a double", "choose other units");
  }

  static void symmetrise(const Node& node, Eigen::MatrixXd& M) {
    for (Eigen::Index r = 0; r < M.rows(); ++r)
      for (Eigen::Index c = 0; c < r; ++c) {
        const double scale = std::sqrt(std::abs(M(r, r))) * std::sqrt(std::abs(M(c, c)));
        if (!(std::abs(M(r, c) - M(c, r)) <= tolerances::symmetry_relative * scale))
          node.child(static_cast<std::size_t>(r))
              .child(static_cast<std::size_t>(c))
              .fail(fmt::format("{} is not symmetric: [{}][{}] = {} but [{}][{}] = {}", node.path(), r, c, M(r, c), c,
                                r, M(c, r)),
                    "give both the same number");
        M(r, c) = M(c, r) = 0.5 * M(r, c) + 0.5 * M(c, r);
      }
  }

  // A list for the rows of the contacts, or for all rows.
  Eigen::VectorXd read_by_rows(const Node& node) const {
    Eigen::VectorXd values = read_vector(node);
    if (values.size() != rows_)
      expect_size(node, values.size(), contacts_ * d_, fmt::format("{} for each contact", d_));
    const Eigen::Index given = values.size();
    values.conservativeResize(rows_);
    values.tail(rows_ - given).setZero();
    return values;
  }

  void read_slip() {
    const auto slip = root_.find("slip");
    if (!slip) return;
    slip->expect_sequence();
    expect_size(*slip, static_cast<Eigen::Index>(slip->size()), contacts_, "one direction for each contact");
    for (const Node direction : *slip) {
      Eigen::Vector2d sigma(0, 0);
      if (d_ == 2 && direction.is_scalar()) {
        sigma[0] = direction.number();
      } else {
        const Eigen::VectorXd values = read_vector(direction);
        expect_size(direction, values.size(), d_ - 1, "one for each tangent, zeros where no slip is given");
        sigma.head(values.size()) = values;
      }
      problem_.slip.push_back(sigma);
    }
  }

  // Where the contact slips already, the kinetic coefficient.
  double read_coefficient(const Node& node, std::size_t contact) {
    if (node.is_map() && problem_.slip.empty())
      node.fail(fmt::format("{}: static and kinetic friction differ only where slip is given", node.path()),
                "give one number, or `slip`");
    const Friction friction = read_friction(node);
    check_friction(node, friction);
    const bool slips = !problem_.slip.empty() && problem_.slip[contact].any();
    return slips ? friction.kinetic_coefficient : friction.static_coefficient;
  }

  void read_friction_of_contacts() {
    const auto node = root_.find("friction");
    if (!node) root_.fail("'friction' is missing", "add `friction: 0.5`, or a list with one number for each contact");
    if (node->is_sequence())
      expect_size(*node, static_cast<Eigen::Index>(node->size()), contacts_, "one for each contact");
    problem_.friction.clear();
    if (node->is_sequence())
      for (const Node entry : *node) problem_.friction.push_back(read_coefficient(entry, problem_.friction.size()));
    else
      for (Eigen::Index k = 0; k < contacts_; ++k)
        problem_.friction.push_back(read_coefficient(*node, static_cast<std::size_t>(k)));
  }

  void read_options() {
    ContactsOptions& options = file_.options;
    if (const auto node = root_.find("tolerance")) {
      options.tolerance = node->number();
      if (!(options.tolerance > 0))
        node->fail(fmt::format("tolerance = {} must be positive", node->raw()),
                   fmt::format("{:g} is usual", ContactsOptions{}.tolerance));
    }
    if (const auto node = root_.find("iterations")) options.iterations = static_cast<int>(node->integer(1, most));
    if (const auto node = root_.find("least_norm")) options.least_norm = node->boolean();
    if (const auto node = root_.find("other_starts"))
      options.other_starts = static_cast<int>(node->integer(0, most_other_starts));
    if (const auto node = root_.find("start")) {
      const Eigen::VectorXd start = read_by_rows(*node);
      file_.start.assign(start.begin(), start.end());
    }
  }

  void read_labels() {
    read_id(root_, file_);
    if (const auto node = root_.find("name")) file_.title = node->text();
    if (const auto node = root_.find("comment")) node->text();
  }

  Node root_;
  ContactsFile& file_;
  FrictionContactProblem& problem_;
  int d_ = 3;
  Eigen::Index contacts_ = 0, rows_ = 0;
};

std::string read_whole(const std::string& path) {
  std::string text = read_text_file(path, contacts_limits.max_bytes);
  return is_gzip(text) ? gunzip(text, path, contacts_limits.max_bytes) : text;
}

}  // namespace

bool ContactsMachine::reduce(FrictionContactProblem& problem) const {
  const Eigen::LLT<Eigen::MatrixXd> factor(mass_matrix);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::MatrixXd half = factor.matrixL().solve(jacobian.transpose());  // L⁻¹ Jᵀ
  problem.inertia = Eigen::MatrixXd(half.transpose() * half);
  problem.velocity = jacobian * velocity;
  return true;
}

Eigen::VectorXd ContactsMachine::velocity_after(const Eigen::VectorXd& impulse) const {
  return velocity + Eigen::LLT<Eigen::MatrixXd>(mass_matrix).solve(jacobian.transpose() * impulse);
}

ContactsFile read_contacts_id(std::string text) {
  ContactsFile file;
  if (is_siconos_text(text)) return file;
  try {
    const Document document = Document::from_text(std::move(text), "", contacts_limits);
    if (const Node root = document.root(); root.is_map()) read_id(root, file);
  } catch (const InputError&) {
    // What cannot be read has no id that could be told.
  }
  return file;
}

ContactsFile read_contacts_text(std::string text, const std::string& name, const TextLimits& limits) {
  ContactsFile file;
  file.source = name;
  if (is_siconos_text(text)) {
    file.problem = read_siconos_text(text, name);
  } else {
    const Document document = Document::from_text(std::move(text), name, limits);
    ContactsReader(document.root(), file).read();
  }
  return file;
}

bool is_contacts_text(const std::string& text) { return is_gzip(text) || is_siconos_text(text); }

bool is_contacts_problem(const Node& root) {
  if (!root.is_map()) return false;
  for (const char* key : {"dimension", "slip", "tolerance", "iterations", "least_norm", "other_starts", "start"})
    if (root.find(key)) return !root.find("restitution");
  const auto delassus = root.find("delassus"), friction = root.find("friction");
  return (delassus && delassus->is_map()) || (friction && friction->is_sequence());
}

ContactsFile read_contacts_file(const std::string& path) { return read_contacts_text(read_whole(path), path); }

std::vector<double> read_start_file(const std::string& path) {
  const Document document = Document::from_text(read_whole(path), path, contacts_limits);
  const Node root = document.root();
  const Eigen::VectorXd values = read_vector(root.is_map() ? root.require("impulse") : root);
  return {values.begin(), values.end()};
}

}  // namespace routh::internal

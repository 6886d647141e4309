#include "routh/simulation/step_rows.h"

#include <algorithm>

#include "routh/dynamics/point_columns.h"

namespace routh::internal {

namespace {

// Of all blocks, from which on D is kept dense.
constexpr double dense_share = 0.5;

}  // namespace

StepRows::StepRows(const Model& model, std::span<const int> parents)
    : rows_(static_cast<std::size_t>(contact_rows(model))),
      parents_(parents.begin(), parents.end()),
      tree_of_(model.dofs.size()),
      place_(model.dofs.size(), -1),
      has_(model.dofs.size(), 0),
      scatter_(model.dofs.size() * rows_, 0.0),
      column_(model.velocities) {
  for (std::size_t k = 0; k < model.dofs.size(); ++k) {
    const int parent = parents_[k];
    tree_of_[k] = parent < 0 ? trees_++ : tree_of_[static_cast<std::size_t>(parent)];
  }
  parent_.resize(static_cast<std::size_t>(trees_));
  island_of_.resize(static_cast<std::size_t>(trees_));
  of_tree_.resize(static_cast<std::size_t>(trees_));
  looped_of_.assign(static_cast<std::size_t>(trees_), -1);
  if (model.loop_rows > 0) find_looped(model);
}

// Trees that some loop moves, in groups that loops join.
void StepRows::find_looped(const Model& model) {
  for (int k = 0; k < trees_; ++k) parent_[static_cast<std::size_t>(k)] = k;
  std::vector<char> looped(static_cast<std::size_t>(trees_), 0);
  for (const Loop& loop : model.loops) {
    int first = -1;
    const auto join = [&](int dof) {
      const int tree = find(tree_of(dof));
      looped[static_cast<std::size_t>(tree_of(dof))] = 1;
      if (first < 0) first = tree;
      parent_[static_cast<std::size_t>(std::max(find(first), tree))] = std::min(find(first), tree);
    };
    for (const Loop::Term& term : loop.terms) join(term.dof);
    if (!loop.terms.empty()) continue;
    for (const int body : {loop.body_a, loop.body_b})
      if (const int link = model.bodies[static_cast<std::size_t>(body)].link; link >= 0)
        join(model.links[static_cast<std::size_t>(link)].v);
  }
  for (std::size_t k = 0; k < model.dofs.size(); ++k) {
    const auto tree = static_cast<std::size_t>(tree_of(static_cast<int>(k)));
    if (!looped[tree]) continue;
    int& root = looped_of_[static_cast<std::size_t>(find(static_cast<int>(tree)))];
    if (root < 0) {
      root = static_cast<int>(looped_dofs_.size());
      looped_dofs_.emplace_back();
    }
    looped_of_[tree] = root;
    looped_dofs_[static_cast<std::size_t>(root)].push_back(static_cast<int>(k));
  }
}

// Y of the contact under way has an entry at this degree of freedom. False: it had one already.
bool StepRows::add_dof(int dof) {
  char& has = has_[static_cast<std::size_t>(dof)];
  if (has) return false;
  has = 1;
  dofs_.push_back(dof);
  return true;
}

// Room in Y for all that loops move along with the entries from `first` on.
void StepRows::add_looped(std::size_t first) {
  for (std::size_t k = first, own = dofs_.size(); k < own; ++k) {
    const int group = looped_of_[static_cast<std::size_t>(tree_of(dofs_[k]))];
    if (group < 0) continue;
    for (const int dof : looped_dofs_[static_cast<std::size_t>(group)]) add_dof(dof);
  }
}

void StepRows::add_body(const Model& model, const Workspace& workspace, const Contact& contact, int body, double sign) {
  visit_point_jacobian(model, workspace, body, contact.point, [&](int dof, const Vector3& velocity) {
    add_dof(dof);
    double* const to = scatter_.data() + rows_ * static_cast<std::size_t>(dof);
    to[0] += sign * dot(contact.normal, velocity);
    to[1] += sign * dot(contact.tangent1, velocity);
    if (rows_ == 3) to[2] += sign * dot(contact.tangent2, velocity);
  });
}

void StepRows::set_contacts(const Model& model, const Workspace& workspace, std::span<const Contact> contacts) {
  begin_.assign(1, 0);
  dofs_.clear();
  jacobian_.clear();
  add_contacts(model, workspace, contacts);
}

void StepRows::add_contacts(const Model& model, const Workspace& workspace, std::span<const Contact> contacts) {
  for (const Contact& contact : contacts) {
    const std::size_t first = dofs_.size();
    if (contact.kind == ContactKind::limit) {
      add_dof(contact.dof);
      scatter_[rows_ * static_cast<std::size_t>(contact.dof)] = contact.direction;
    } else {
      add_body(model, workspace, contact, contact.body_a, 1);
      add_body(model, workspace, contact, contact.body_b, -1);
    }
    // The whole paths, on which springs put others, so that Y has room.
    for (std::size_t k = first; k < dofs_.size(); ++k)
      for (int up = parents_[static_cast<std::size_t>(dofs_[k])]; up >= 0 && add_dof(up);)
        up = parents_[static_cast<std::size_t>(up)];
    if (!looped_dofs_.empty()) add_looped(first);
    std::sort(dofs_.begin() + static_cast<std::ptrdiff_t>(first), dofs_.end());
    jacobian_.resize(rows_ * dofs_.size());
    take_scattered(first, dofs_.size());
    begin_.push_back(dofs_.size());
  }
}

// J of the contact under way, whose entries stand at these places, from where it was summed.
void StepRows::take_scattered(std::size_t first, std::size_t last) {
  for (std::size_t k = first; k < last; ++k) {
    double* const from = scatter_.data() + rows_ * static_cast<std::size_t>(dofs_[k]);
    std::copy(from, from + rows_, values(jacobian_, k));
    std::fill(from, from + rows_, 0.0);
    has_[static_cast<std::size_t>(dofs_[k])] = 0;
  }
}

void StepRows::replace_contact(const Model& model, const Workspace& workspace, std::size_t index,
                               const Contact& contact) {
  for (std::size_t k = begin_[index]; k < begin_[index + 1]; ++k) has_[static_cast<std::size_t>(dofs_[k])] = 1;
  add_body(model, workspace, contact, contact.body_a, 1);
  add_body(model, workspace, contact, contact.body_b, -1);
  take_scattered(begin_[index], begin_[index + 1]);
}

ContactVector StepRows::velocity(std::size_t contact, const Eigen::VectorXd& v) const {
  double sum[3] = {0, 0, 0};
  for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k) {
    const double* const j = values(jacobian_, k);
    const double rate = v[dofs_[k]];
    for (std::size_t r = 0; r < rows_; ++r) sum[r] += j[r] * rate;
  }
  return {sum[0], sum[1], sum[2]};
}

void StepRows::respond(const MassFactor& factor, const ColumnSpace& loops, std::span<const std::size_t> chosen) {
  half_ = jacobian_;
  for (const std::size_t contact : chosen) {
    const std::size_t first = begin_[contact];
    const std::span<const int> dofs(dofs_.data() + first, begin_[contact + 1] - first);
    factor.half_solve_path(dofs, place_, static_cast<int>(rows_), values(half_, first));
    const bool looped = std::any_of(dofs.begin(), dofs.end(),
                                    [&](int dof) { return looped_of_[static_cast<std::size_t>(tree_of(dof))] >= 0; });
    if (!looped) continue;
    for (std::size_t r = 0; r < rows_; ++r) {
      column_.setZero();
      for (std::size_t k = 0; k < dofs.size(); ++k) column_[dofs[k]] = values(half_, first + k)[r];
      loops.project_off(column_);
      for (std::size_t k = 0; k < dofs.size(); ++k) values(half_, first + k)[r] = column_[dofs[k]];
    }
  }
}

int StepRows::find(int tree) {
  int& up = parent_[static_cast<std::size_t>(tree)];
  return up == tree ? tree : up = find(up);
}

const std::vector<std::vector<std::size_t>>& StepRows::islands(std::span<const std::size_t> chosen) {
  for (int k = 0; k < trees_; ++k) parent_[static_cast<std::size_t>(k)] = k;
  const auto first_tree = [&](std::size_t contact) { return tree_of(dofs_[begin_[contact]]); };
  for (const std::size_t contact : chosen)
    for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k)
      if (const int a = find(first_tree(contact)), b = find(tree_of(dofs_[k])); a != b)
        parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  std::fill(island_of_.begin(), island_of_.end(), -1);
  std::size_t count = 0;
  for (const std::size_t contact : chosen) {
    if (begin_[contact] == begin_[contact + 1]) continue;
    int& island = island_of_[static_cast<std::size_t>(find(first_tree(contact)))];
    if (island < 0) {
      island = static_cast<int>(count++);
      if (islands_.size() < count) islands_.emplace_back();
      islands_[count - 1].clear();
    }
    islands_[static_cast<std::size_t>(island)].push_back(contact);
  }
  islands_.resize(count);
  return islands_;
}

// rows_ × rows_ of the scattered contact (its rows) with another (its columns), row by row.
void StepRows::block(std::size_t contact, double* to) const {
  double sum[9] = {};
  const auto add = [&](const double* a, const double* b) {
    for (std::size_t r = 0; r < rows_; ++r)
      for (std::size_t c = 0; c < rows_; ++c) sum[r * 3 + c] += a[r] * b[c];
  };
  if (rows_ == 3) {
    for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k) {
      const double* const a = scatter_.data() + 3 * static_cast<std::size_t>(dofs_[k]);
      const double* const b = half_.data() + 3 * k;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) sum[r * 3 + c] += a[r] * b[c];
    }
  } else {
    for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k)
      add(scatter_.data() + rows_ * static_cast<std::size_t>(dofs_[k]), values(half_, k));
  }
  for (std::size_t r = 0; r < rows_; ++r)
    for (std::size_t c = 0; c < rows_; ++c) to[r * rows_ + c] = sum[r * 3 + c];
}

void StepRows::inertia(std::span<const std::size_t> island, FrictionContactProblem& problem) {
  const std::size_t count = island.size();
  const auto scatter = [&](std::size_t contact, bool clear) {
    for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k) {
      double* const to = scatter_.data() + rows_ * static_cast<std::size_t>(dofs_[k]);
      for (std::size_t r = 0; r < rows_; ++r) to[r] = clear ? 0 : values(half_, k)[r];
    }
  };
  // Which contacts of the island share a tree with each.
  std::size_t blocks = 0;
  for (const std::size_t contact : island)
    for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k)
      of_tree_[static_cast<std::size_t>(tree_of(dofs_[k]))].clear();
  const auto each_tree = [&](std::size_t contact, const auto& visit) {
    int last = -1;
    for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k)
      if (const int tree = tree_of(dofs_[k]); tree != last) visit(of_tree_[static_cast<std::size_t>(last = tree)]);
  };
  for (std::size_t i = 0; i < count; ++i)
    each_tree(island[i], [&](std::vector<std::size_t>& list) {
      if (list.empty() || list.back() != i) list.push_back(i);
    });
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t most = 0;
    each_tree(island[i], [&](const std::vector<std::size_t>& list) { most += list.size(); });
    blocks += std::min(most, count);
  }
  if (static_cast<double>(blocks) >= dense_share * static_cast<double>(count * count)) {
    const Eigen::Index size = static_cast<Eigen::Index>(count * rows_);
    auto* D = std::get_if<Eigen::MatrixXd>(&problem.inertia);
    if (!D) D = &problem.inertia.emplace<Eigen::MatrixXd>();
    D->resize(size, size);
    double one[9];
    const Eigen::Index d = static_cast<Eigen::Index>(rows_);
    for (std::size_t i = 0; i < count; ++i) {
      scatter(island[i], false);
      for (std::size_t j = 0; j <= i; ++j) {
        block(island[j], one);
        const Eigen::Index row = static_cast<Eigen::Index>(i) * d, column = static_cast<Eigen::Index>(j) * d;
        for (Eigen::Index r = 0; r < d; ++r)
          for (Eigen::Index c = 0; c < d; ++c) (*D)(row + r, column + c) = (*D)(column + c, row + r) = one[r * d + c];
      }
      scatter(island[i], true);
    }
    return;
  }
  auto* D = std::get_if<BlockMatrix>(&problem.inertia);
  if (!D) D = &problem.inertia.emplace<BlockMatrix>();
  D->row_start.assign(1, 0);
  D->column.clear();
  D->values.clear();
  for (std::size_t i = 0; i < count; ++i) {
    neighbours_.clear();
    each_tree(island[i], [&](const std::vector<std::size_t>& list) {
      neighbours_.insert(neighbours_.end(), list.begin(), list.end());
    });
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    scatter(island[i], false);
    for (const std::size_t j : neighbours_) {
      D->column.push_back(static_cast<int>(j));
      D->values.resize(D->values.size() + rows_ * rows_);
      block(island[j], D->values.data() + D->values.size() - rows_ * rows_);
    }
    scatter(island[i], true);
    D->row_start.push_back(static_cast<int>(D->column.size()));
  }
}

void StepRows::response(std::span<const std::size_t> island, ResponseColumns& to) const {
  to.dimension = static_cast<int>(rows_);
  to.begin.assign(1, 0);
  to.row.clear();
  to.value.clear();
  for (const std::size_t contact : island) {
    const std::size_t first = begin_[contact], last = begin_[contact + 1];
    to.row.insert(to.row.end(), dofs_.begin() + static_cast<std::ptrdiff_t>(first),
                  dofs_.begin() + static_cast<std::ptrdiff_t>(last));
    to.value.insert(to.value.end(), values(half_, first), values(half_, first) + (last - first) * rows_);
    to.begin.push_back(to.row.size());
  }
}

void StepRows::add_response(std::size_t contact, const ContactVector& impulse, Eigen::VectorXd& half) const {
  const double p[3] = {impulse.n, impulse.t1, impulse.t2};
  for (std::size_t k = begin_[contact]; k < begin_[contact + 1]; ++k) {
    double sum = 0;
    for (std::size_t r = 0; r < rows_; ++r) sum += values(half_, k)[r] * p[r];
    half[dofs_[k]] += sum;
  }
}

}  // namespace routh::internal

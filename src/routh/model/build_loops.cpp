// Loop closures between bodies and couplings of coordinates.
#include <fmt/format.h>

#include <algorithm>

#include "routh/base/error_list.h"
#include "routh/model/draft.h"

namespace routh::internal {

namespace {

int row_count(LoopKind kind, Dimension dimension) {
  const bool planar = dimension == Dimension::planar;
  switch (kind) {
    case LoopKind::point:
      return planar ? 2 : 3;
    case LoopKind::hinge:
      return planar ? 2 : 5;
    case LoopKind::weld:
      return planar ? 3 : 6;
    case LoopKind::distance:
    case LoopKind::coupling:
      return 1;
  }
  return 0;
}

void connect(const ModelDraft& draft, const LoopDescription& description, Loop& loop) {
  const Subject subject{"loop", description.name, description.where};
  loop.body_a = draft.bodies.require(description.body_a, subject, description.body_a_where);
  loop.body_b = draft.bodies.require(description.body_b, subject, description.body_b_where);
  if (draft.body(loop.body_a).link == draft.body(loop.body_b).link)
    refuse(subject, fmt::format("'{}' and '{}' cannot move against each other", description.body_a, description.body_b),
           "connect two bodies that move, or a body that moves and the world");
  loop.at_a = checked_pose(subject, "at of the first body", description.at_a, draft.model.dimension);
  loop.at_b = checked_pose(subject, "at of the second body", description.at_b, draft.model.dimension);
  if (loop.kind == LoopKind::distance) expect_positive(subject, subject.where, "distance", description.distance);
  loop.distance = description.distance;
}

Loop::Term make_term(const ModelDraft& draft, const CouplingTerm& description, const Subject& subject) {
  Loop::Term term;
  term.dof = require_dof(draft, subject, description.joint, description.dof, description.where);
  term.coordinate = draft.model.dofs[term.dof].coordinate;
  term.coefficient = description.coefficient;
  if (term.coordinate < 0)
    refuse(subject, description.where,
           fmt::format("'{}' has no coordinate: its turning is kept as a quaternion", dof_name(draft.model, term.dof)),
           "couple angles and displacements");
  expect_finite(subject, description.where, "coefficient", term.coefficient);
  if (term.coefficient == 0)
    refuse(subject, description.where, fmt::format("the coefficient of '{}' is zero", dof_name(draft.model, term.dof)),
           "leave out the term");
  return term;
}

void couple(const ModelDraft& draft, const LoopDescription& description, Loop& loop) {
  const Subject subject{"loop", description.name, description.where};
  if (description.terms.empty()) refuse(subject, "the coupling has no terms", "name the joints it couples");
  for (const CouplingTerm& term : description.terms) {
    const Loop::Term made = make_term(draft, term, subject);
    const auto same = [&](const Loop::Term& other) { return other.dof == made.dof; };
    if (std::any_of(loop.terms.begin(), loop.terms.end(), same))
      refuse(subject, term.where, fmt::format("'{}' is there twice", dof_name(draft.model, made.dof)),
             "add the coefficients up");
    loop.terms.push_back(made);
  }
  expect_finite(subject, subject.where, "constant", description.constant);
  loop.constant = description.constant;
}

}  // namespace

void build_loops(ModelDraft& draft) {
  ErrorList errors;
  NameIndex names("loop", "loops");
  for (const LoopDescription& description : draft.description.loops)
    errors.attempt([&] {
      names.add({"loop", description.name, description.where}, static_cast<int>(draft.model.loops.size()));
      Loop loop;
      loop.name = description.name;
      loop.kind = description.kind;
      loop.where = description.where;
      if (loop.kind == LoopKind::coupling)
        couple(draft, description, loop);
      else
        connect(draft, description, loop);
      loop.row = draft.model.loop_rows;
      loop.row_count = row_count(loop.kind, draft.model.dimension);
      draft.model.loop_rows += loop.row_count;
      draft.model.loops.push_back(std::move(loop));
    });
  errors.finish();
}

}  // namespace routh::internal

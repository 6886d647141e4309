// A machine in a posture, as a page draws it.
#pragma once

#include <optional>

#include "routh/contact/contact.h"

namespace routh::internal {

class PlacedMachine {
 public:
  // The model must outlive it.
  explicit PlacedMachine(const Model& model) : model_(&model), workspace_(model) {}

  const Model& model() const { return *model_; }
  Workspace& workspace() { return workspace_; }

  // Takes up a posture and velocities. False where they are not finite: nothing can be drawn then.
  bool place(const State& state);
  // After `place`: where a body stands.
  Pose pose(int body) const { return body_pose(model(), workspace_, body); }
  // After `place`: the contact with this id; nothing where its features do not face each other, or where the machine
  // has no such pair or limit.
  std::optional<Contact> contact(const State& state, ContactId id) const;
  bool has(ContactId id) const;
  // After `place`: where to show a contact. At a limit the joint; its normal has no direction in space.
  Vector3 shown_at(const Contact& contact) const;

 private:
  const Model* model_;
  Workspace workspace_;
};

}  // namespace routh::internal

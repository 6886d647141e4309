// The machine of a run, made again from the scene that the run file holds, and how a page draws it.
#pragma once

#include <optional>

#include "routh/record/run_file.h"
#include "routh/report/json_writer.h"
#include "routh/scene/scene.h"

namespace routh::internal {

class RunMachine {
 public:
  // Throws InputError when the scene cannot be read or is not the run's.
  explicit RunMachine(const RunData& run);

  const Model& model() const { return scene_.model; }
  const std::vector<std::string>& warnings() const { return scene_.warnings; }
  Workspace& workspace() { return workspace_; }

  // Takes up a posture and velocities. False where they are not finite: nothing can be drawn then.
  bool place(const State& state);
  // After `place`: where a body stands.
  Pose pose(int body) const { return body_pose(scene_.model, workspace_, body); }
  // After `place`: the contact with this id; nothing where its features do not face each other, or where the machine
  // has no such pair or limit.
  std::optional<Contact> contact(const State& state, ContactId id) const;
  bool has(ContactId id) const;
  // After `place`: where to show a contact. At a limit the joint; its normal has no direction in space.
  Vector3 shown_at(const Contact& contact) const;

 private:
  Scene scene_;
  Workspace workspace_;
};

// `dimension`, `gravity`, `bodies`, `shapes`, `bones`, `joints`, `springs`.
void write_machine(const Model& model, JsonWriter& json);

}  // namespace routh::internal

// The diagnosis of a scene as JSON.
#pragma once

#include <string>

#include "routh/scene/diagnosis.h"
#include "routh/scene/scene.h"

namespace routh::internal {

// {"schema": 1, "scene": …, "time": …, "state": {"q", "v"}, "free_motion": […], "contacts": [{"contact", "kind", the
// members of a problem's diagnosis, "posture_changes": […], "configuration_cone": […]}], "together": {"status", "rank",
// "solutions": […]}}
std::string diagnosis_json(const Scene& scene, const SceneDiagnosis& diagnosis);

}  // namespace routh::internal

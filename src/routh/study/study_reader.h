// The sections of a study file. Internal to the module.
#pragma once

#include "routh/study/attached.h"
#include "routh/study/possible.h"

namespace routh::internal {

// A section that a study must have; `example` is shown where it has not.
Node require_section(const Node& root, std::string_view key, const std::string& example);

// `path` as seen from the folder of `beside`.
std::string path_beside(const std::string& path, const std::string& beside);

// The keys `scene`, `strike` and `run`. `hashed` receives the text of the scene.
void read_scene_subject(const Node& root, Study& study, const AttachedTexts& attached, std::string& hashed);
// The sections `vary` and `sampling`; adds the parameters to the subject, and gives them. `hashed` receives the text of
// a list.
std::vector<VaryingParameter> read_sampling(const Node& root, Study& study, const AttachedTexts& attached,
                                            std::string& hashed);
// The section `measure`.
void read_measures(const Node& root, Study& study);

}  // namespace routh::internal

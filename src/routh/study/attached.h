// Studies whose scene or list does not stand in a file.
#pragma once

#include <map>
#include <string>

#include "routh/study/study.h"

namespace routh::internal {

// Texts that stand for files, by the names that the study gives them: of its scene, of its list of samples.
using AttachedTexts = std::map<std::string, std::string>;

Study read_study_text(std::string text, const std::string& path, const AttachedTexts& attached);

}  // namespace routh::internal

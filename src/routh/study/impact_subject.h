// A problem file as the subject of a study: one impact in each sample.
#pragma once

#include "routh/problem/problem_file.h"
#include "routh/study/subject.h"

namespace routh::internal {

// `law` in place of the one the problem names; if neither names one, the energetic law.
std::unique_ptr<StudySubject> impact_subject(ProblemFile problem, std::optional<Law> law);

}  // namespace routh::internal

// How the values and figures of a paper are computed anew: one evaluator per paper, in its folder.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "papers/paper.h"
#include "papers/reader.h"
#include "routh/figure/picture.h"

namespace routh {

struct PaperFigure {
  std::string name;  // of its file, without ending: "fig-2"
  Picture picture;
};

class PaperEvaluator {
 public:
  virtual ~PaperEvaluator() = default;

  // The value of one of the paper's quantities, or nothing when the name is not known. The group says under which
  // law, friction and restitution.
  virtual std::optional<OurValue> value(const PrintedGroup& group, const std::string& quantity) = 0;
  virtual std::vector<PaperFigure> figures() { return {}; }
};

// A paper whose values do not depend on the group.
class TabulatedPaper : public PaperEvaluator {
 public:
  std::optional<OurValue> value(const PrintedGroup& group, const std::string& quantity) override;

 protected:
  std::map<std::string, OurValue> values_;
};

std::unique_ptr<PaperEvaluator> aghili_evaluator(const PaperFiles& files);
std::unique_ptr<PaperEvaluator> elkaranshawy_evaluator(const PaperFiles& files);
std::unique_ptr<PaperEvaluator> liu_evaluator(const PaperFiles& files);
std::unique_ptr<PaperEvaluator> peiret_evaluator(const PaperFiles& files);
std::unique_ptr<PaperEvaluator> projection_evaluator(const PaperFiles& files);

// By the name of the folder. Throws InputError for a paper that nobody has written an evaluator for, and whatever is
// wrong with its files.
std::unique_ptr<PaperEvaluator> make_evaluator(const PaperFiles& files);

// Every printed value beside ours. Throws InputError for a quantity that the evaluator does not know.
ComparedPaper compare_paper(const PaperFiles& files, PaperEvaluator& evaluator);

}  // namespace routh

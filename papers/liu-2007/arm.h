// The arm of [Liu 2007]: two links of 1 m whose tip slides on a belt H below the pivot. Shared by numbers and figures.
#pragma once

#include <map>
#include <vector>

#include "papers/evaluator.h"
#include "papers/scene.h"
#include "routh/solvability/least_on_path.h"

namespace routh {

// Which postures count: all, or those with both links below the horizontal.
enum class LiuPostures { all, hanging };

class LiuArm {
 public:
  explicit LiuArm(const PaperFiles& files);
  LiuArm(const LiuArm&) = delete;  // the probe and the flows refer to the scene

  double height() const { return height_; }
  // θ2 > 0 that keeps the tip on a belt H below the pivot [Liu 2007, eq. 15], l = 1 m.
  static double theta2(double height, double theta1);
  // The largest θ1 at a height.
  static double largest_angle(double height);
  double aligned_angle() const;  // θ* = θ1 = θ2

  // |μ_m| = a/|c| in a posture on the belt [Liu 2007, eq. 13], and its least value over the postures at a height.
  double critical_friction(double theta1, double theta2);
  LeastValue least_friction(double height, LiuPostures postures) const;

  // A, B and the motion of θ1 while the tip slides.
  SlipFlow flow(double friction) const;
  MapSource modes(double friction) const;
  // Of the whole plane of Figures 3 to 6.
  FlowBox plane() const;
  const std::vector<SingularPoint>& points(double friction);

 private:
  SceneMapBase base(double friction) const;

  Scene scene_;
  ContactProbe probe_;
  double height_ = 0;
  std::map<double, std::vector<SingularPoint>> points_;
};

std::vector<PaperFigure> liu_figures(LiuArm& arm);

}  // namespace routh

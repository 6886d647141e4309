// <actuator>: drives. A joint with the gear g feels
//   u = g F,   F = gain · ctrl + b₀ + b₁ g q + b₂ g q̇,   |F| within `forcerange`
// with the control that the keyframe gives and no dynamics of the actuator. That is a drive with the stiffness −g² b₁
// and the damping −g² b₂ if these are not zero, and a constant effort otherwise. Several drives of one joint add up.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

constexpr std::string_view kinds[] = {"general", "motor", "position", "velocity"};
constexpr std::string_view gain_types[] = {"fixed", "affine", "muscle", "user"};
constexpr std::string_view bias_types[] = {"none", "affine", "muscle", "user"};
constexpr std::string_view dynamics_types[] = {"none", "integrator", "filter", "filterexact", "muscle", "user"};

struct Actuator {
  std::array<double, 10> gain = {1}, bias = {};
  int gain_type = 0, bias_type = 0, dynamics = 0;
  double damping_ratio = 0;  // > 0: in place of the damping in `bias`
};

// Layer by layer from the farthest, as each kind of element sets what it stands for.
void apply(Actuator& out, const XmlElement& layer) {
  const MjcfSettings settings(layer, {&layer});
  if (layer.name == "general") {
    settings.fill("gainprm", out.gain);
    settings.fill("biasprm", out.bias);
    out.gain_type = settings.choice("gaintype", gain_types, out.gain_type);
    out.bias_type = settings.choice("biastype", bias_types, out.bias_type);
    out.dynamics = settings.choice("dyntype", dynamics_types, out.dynamics);
    return;
  }
  out.dynamics = out.gain_type = 0;
  out.bias_type = 1;
  if (layer.name == "motor") {
    out.gain = {1};
    out.bias = {};
    out.bias_type = 0;
  } else if (layer.name == "position") {
    out.gain[0] = settings.number("kp", out.gain[0]);
    out.bias[1] = -out.gain[0];
    out.bias[2] = -settings.number("kv", -out.bias[2]);
    if (settings.find("kv")) out.damping_ratio = 0;
    out.damping_ratio = settings.number("dampratio", out.damping_ratio);
  } else {
    out.gain[0] = settings.number("kv", out.gain[0]);
    out.bias[2] = -out.gain[0];
  }
}

// What acts on a degree of freedom: the sum of all its drives.
struct Sum {
  double stiffness = 0, damping = 0, force = 0;
  double limit = 0;
  int drives = 0;
  double effort = 0;
  bool efforts = false;
};

class ActuatorReader {
 public:
  explicit ActuatorReader(MjcfReading& reading) : reading_(reading) {}

  void read() {
    std::vector<const XmlElement*> elements;
    for (const XmlElement* section : reading_.root.all("actuator"))
      for (const XmlElement& element : section->children) elements.push_back(&element);
    const auto controlled = [&](const XmlElement* element) {
      return reading_.assembly.is_within(element->part, reading_.controls_part);
    };
    const auto count = static_cast<std::size_t>(std::count_if(elements.begin(), elements.end(), controlled));
    if (reading_.incomplete && reading_.controls.size() > count) reading_.controls.clear();
    if (!reading_.controls.empty() && reading_.controls.size() != count)
      throw InputError(reading_.root.where(),
                       fmt::format("ctrl of the keyframe has {} numbers; the model has {} actuators",
                                   reading_.controls.size(), count),
                       "write one number for each actuator");
    auto control = reading_.controls.begin();
    for (const XmlElement* element : elements)
      read_actuator(*element, control != reading_.controls.end() && controlled(element) ? *control++ : 0);
    for (const auto& [place, sum] : sums_) write(place, sum);
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;  // joint of the description, degree of freedom

  void ignore(const XmlElement& element, const std::string& what, const std::string& reason) {
    reading_.warnings.ignore(element, what, reason);
  }

  void read_actuator(const XmlElement& element, double control) {
    if (std::find(std::begin(kinds), std::end(kinds), element.name) == std::end(kinds))
      return ignore_mjcf_element(element, reading_.warnings);
    check_mjcf_attributes(element, reading_.warnings);
    const MjcfSettings settings = reading_.defaults.settings(element, {}, kinds);
    auto named = settings.find("joint");
    if (!named) named = settings.find("jointinparent");
    if (!named) return ignore(element, "an actuator that drives no joint", "tendons, sites and bodies are not driven");
    if (names_unmade_mjcf(reading_, *named.element, {"joint", "jointinparent"}, reading_.joint_index)) return;
    const MjcfJoint& joint =
        reading_.joints[require_mjcf_name(reading_.joint_index, *named.element, *named.attribute, "joint")];
    if (joint.joint < 0) return ignore(element, "an actuator of a base that is fixed", "it cannot move");
    Actuator actuator;
    for (auto layer = settings.layers().rbegin(); layer != settings.layers().rend(); ++layer) apply(actuator, **layer);
    if (!check(actuator, element)) return;
    std::array<double, 2> range = {};
    if (read_mjcf_range(reading_, settings, "ctrllimited", "ctrlrange", range))
      control = std::clamp(control, range[0], range[1]);
    else if (inherited_range(settings, joint, range))
      control = std::clamp(control, range[0], range[1]);
    if (actuator.damping_ratio > 0) damp_by_ratio(settings, actuator, joint);
    add(settings, actuator, joint, control);
  }

  // `inheritrange`: that of the joint, stretched about its middle.
  bool inherited_range(const MjcfSettings& settings, const MjcfJoint& joint, std::array<double, 2>& range) {
    const double factor = settings.number("inheritrange", 0);
    if (!(factor > 0) || joint.kind == JointKind::spherical || joint.kind == JointKind::free) return false;
    const DofDescription& dof = reading_.description().joints[static_cast<std::size_t>(joint.joint)].dofs.front();
    if (!std::isfinite(dof.lower) || !std::isfinite(dof.upper)) return false;
    const double middle = (dof.lower + dof.upper) / 2, half = factor * (dof.upper - dof.lower) / 2;
    range = {middle - half, middle + half};
    return true;
  }

  // `dampratio` r: the damping is 2 r √(kp m) with the inertia m that the actuator feels in the reference posture.
  void damp_by_ratio(const MjcfSettings& settings, Actuator& actuator, const MjcfJoint& joint) {
    std::array<double, 6> gear = {1};
    settings.fill("gear", gear);
    if (joint.kind == JointKind::spherical || joint.kind == JointKind::free || gear[0] == 0) return;
    const double felt = mjcf_joint_inertia(reading_, joint) / (gear[0] * gear[0]);
    actuator.bias[2] = -2 * actuator.damping_ratio * std::sqrt(std::max(0.0, actuator.gain[0] * felt));
  }

  bool check(const Actuator& actuator, const XmlElement& element) {
    if (actuator.gain_type > 1 || actuator.bias_type > 1)
      ignore(element, "an actuator with gain or bias of type muscle or user", "it is not modelled");
    else if (actuator.dynamics == 1 || actuator.dynamics > 3)
      ignore(element, fmt::format("an actuator of dyntype {}", dynamics_types[actuator.dynamics]),
             "actuators have no state of their own here");
    else if (actuator.dynamics != 0)
      ignore(element, "the filter of an actuator (dyntype)", "its control acts at once");
    return actuator.gain_type <= 1 && actuator.bias_type <= 1 && actuator.dynamics != 1 && actuator.dynamics <= 3;
  }

  void add(const MjcfSettings& settings, const Actuator& actuator, const MjcfJoint& joint, double control) {
    std::array<double, 6> gear = {1};
    settings.fill("gear", gear);
    const bool affine_gain = actuator.gain_type == 1, affine_bias = actuator.bias_type == 1;
    const double force = actuator.gain[0] * control + (affine_bias ? actuator.bias[0] : 0);
    const double by_length = (affine_gain ? actuator.gain[1] * control : 0) + (affine_bias ? actuator.bias[1] : 0);
    const double by_speed = (affine_gain ? actuator.gain[2] * control : 0) + (affine_bias ? actuator.bias[2] : 0);
    std::array<double, 2> range = {-unlimited, unlimited};
    read_mjcf_range(reading_, settings, "forcelimited", "forcerange", range);
    const auto [lower, upper] = range;
    const XmlElement& element = settings.own();
    const std::size_t index = static_cast<std::size_t>(joint.joint);
    force_limits_[index] = joint.force_limit;
    if (by_length == 0 && by_speed == 0) {
      const std::size_t count = static_cast<std::size_t>(velocity_count(joint.kind));
      for (std::size_t k = 0; k < count; ++k) add_effort({index, k}, gear[k] * std::clamp(force, lower, upper));
      return;
    }
    if (joint.kind != JointKind::revolute && joint.kind != JointKind::prismatic)
      return ignore(element, "a drive of a ball or free joint", "it has no coordinate; only constant forces are taken");
    const double g = gear[0];
    if (by_length > 0 || by_speed > 0)
      return ignore(element, "an actuator that pushes away (a positive bias with position or speed)",
                    "drives have no negative stiffness or damping");
    if (upper != -lower)
      ignore(element, "the smaller side of a forcerange that is not symmetric", "a drive has one limit");
    Sum& sum = sums_[{index, 0}];
    sum.stiffness -= g * g * by_length;
    sum.damping -= g * g * by_speed;
    sum.force += g * force;
    sum.limit += g == 0 ? 0 : std::abs(g) * std::max(upper, -lower);
    if (++sum.drives == 2)
      reading_.warnings.add(element.where(), "several drives act on one joint; they are added, limits too");
  }

  void add_effort(const Place& place, double effort) {
    sums_[place].effort += effort;
    sums_[place].efforts = true;
  }

  void write(const Place& place, const Sum& sum) {
    DofDescription& dof = reading_.description().joints[place.first].dofs[place.second];
    const double most = force_limits_.at(place.first);
    if (sum.efforts) dof.effort = Profile::constant(std::clamp(sum.effort, -most, most));
    if (sum.drives == 0 || !(std::min(sum.limit, most) > 0)) return;
    DriveDescription drive;
    drive.stiffness = sum.stiffness;
    drive.damping = sum.damping;
    drive.limit = std::min(sum.limit, most);
    if (sum.stiffness > 0)
      drive.position = Profile::constant(sum.force / sum.stiffness);
    else if (sum.damping > 0)
      drive.velocity = Profile::constant(sum.force / sum.damping);
    dof.drive = drive;
  }

  MjcfReading& reading_;
  std::map<Place, Sum> sums_;
  std::map<std::size_t, double> force_limits_;  // by joint of the description
};

}  // namespace

void read_mjcf_actuators(MjcfReading& reading) { ActuatorReader(reading).read(); }

}  // namespace routh::internal

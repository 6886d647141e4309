// Random machines in MJCF, with what robots' files use to say masses and places, against MuJoCo.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "mjcf_agreement.h"
#include "mjcf_case.h"

namespace {

using mjcf_reference::Mujoco;
using testing_support::Random;

class RandomFile {
 public:
  explicit RandomFile(std::uint64_t seed) : random_(seed), degrees_(random_.chance(0.5)) {}

  std::string text() {
    std::string out = "<mujoco>" + compiler() + defaults();
    out +=
        fmt::format("<option gravity='{}'><flag contact='disable'/></option><worldbody>{}", numbers(3, 10), geom(""));
    for (int i = 1 + random_.below(3); i > 0; --i) out += body(0, "");
    return out + "</worldbody></mujoco>";
  }

 private:
  std::string numbers(int count, double size) {
    std::string out;
    for (int i = 0; i < count; ++i) out += fmt::format("{}{:.4f}", i > 0 ? " " : "", random_.uniform(-size, size));
    return out;
  }
  std::string sizes(int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += fmt::format("{}{:.4f}", i > 0 ? " " : "", random_.uniform(0.02, 0.3));
    return out;
  }
  double positive(double size) { return random_.uniform(0.05 * size, size); }
  double angle() { return random_.uniform(-1, 1) * (degrees_ ? 180 : 3); }
  std::string maybe(double chance, const std::string& text) { return random_.chance(chance) ? text : std::string(); }
  std::string pick(std::initializer_list<const char*> words) {
    return words.begin()[random_.below(static_cast<int>(words.size()))];
  }

  std::string compiler() {
    std::string out = fmt::format("<compiler angle='{}'", degrees_ ? "degree" : "radian");
    out += maybe(0.5, fmt::format(" eulerseq='{}'", pick({"xyz", "zyx", "XYZ", "xYz", "zxz", "ZYX", "YxZ"})));
    out += maybe(0.3, fmt::format(" inertiafromgeom='{}'", pick({"auto", "true", "auto"})));
    groups_ = random_.chance(0.2);
    if (groups_) out += " inertiagrouprange='0 1'";
    out += maybe(0.2, fmt::format(" settotalmass='{:.3f}'", positive(50)));
    out += maybe(0.2, fmt::format(" boundmass='{:.3f}'", positive(2)));
    out += maybe(0.2, fmt::format(" boundinertia='{:.4f}'", positive(0.1)));
    unbalanced_ = random_.chance(0.3);
    if (unbalanced_) out += " balanceinertia='true'";
    return out + "/>";
  }

  std::string defaults() {
    return fmt::format(
        "<default><geom density='{:.2f}'{}/><joint armature='{:.3f}'{}/><default class='a'><geom{}{}/><joint "
        "axis='{}'{}/><default class='b'><geom{}/><joint{}{}/></default></default></default>",
        positive(3000), maybe(0.3, " type='box' size='0.1 0.2 0.05'"), positive(0.1), maybe(0.3, " type='slide'"),
        maybe(0.4, fmt::format(" size='{}'", sizes(3))), maybe(0.3, fmt::format(" mass='{:.3f}'", positive(3))),
        numbers(3, 1), maybe(0.3, fmt::format(" pos='{}'", numbers(3, 0.2))),
        maybe(0.4, fmt::format(" density='{:.2f}'", positive(5000))),
        maybe(0.3, fmt::format(" armature='{:.3f}'", positive(0.1))),
        maybe(0.3, fmt::format(" ref='{:.3f}'", angle())));
  }

  std::string orientation() {
    switch (random_.below(8)) {
      case 0:
        return fmt::format(" quat='{}'", numbers(4, 1));
      case 1:
        return fmt::format(" axisangle='{} {:.4f}'", numbers(3, 1), angle());
      case 2:
        return fmt::format(" xyaxes='{}'", numbers(6, 1));
      case 3:
        return fmt::format(" zaxis='{}'", random_.chance(0.1) ? "0 0 -1" : numbers(3, 1));
      case 4:
        return fmt::format(" euler='{:.4f} {:.4f} {:.4f}'", angle(), angle(), angle());
      default:
        return {};
    }
  }

  std::string place(double size) { return maybe(0.8, fmt::format(" pos='{}'", numbers(3, size))) + orientation(); }
  std::string class_of() { return maybe(0.2, fmt::format(" class='{}'", pick({"main", "a", "b"}))); }

  // Sizes and ends are said, so that the classes cannot make it impossible.
  std::string geom(const std::string& extra) {
    const std::string type = pick({"sphere", "capsule", "cylinder", "ellipsoid", "box"});
    std::string out =
        fmt::format("<geom name=\"g{}\"{} type='{}' size='{}'{}", geoms_++, class_of(), type, sizes(3), extra);
    if (type != "sphere" && random_.chance(0.3))
      out += fmt::format(" fromto='{}'", numbers(6, 0.4));
    else
      out += place(0.3);
    out += maybe(0.3, fmt::format(" mass='{:.3f}'", positive(4)));
    out += maybe(0.2, fmt::format(" density='{:.2f}'", positive(4000)));
    out += maybe(0.2, " contype='0' conaffinity='0'");
    return out + "/>";
  }

  std::string inertial() {
    const double mass = positive(5), a = positive(0.2), b = positive(0.2);
    const double most = unbalanced_ && random_.chance(0.5) ? 3 * (a + b) : a + b, least = std::abs(a - b);
    const double c = random_.chance(0.1) ? a + b : random_.uniform(least, most) + 1e-6;
    if (random_.chance(0.7))
      return fmt::format("<inertial pos='{}' mass='{:.4f}' diaginertia='{} {} {}'{}/>", numbers(3, 0.2), mass, a, b, c,
                         orientation());
    const double s = 0.1 * std::min({a, b, c});
    return fmt::format("<inertial pos='{}' mass='{:.4f}' fullinertia='{} {} {} {} {} {}'/>", numbers(3, 0.2), mass,
                       a + b, a + b, a + b, random_.uniform(-s, s), random_.uniform(-s, s), random_.uniform(-s, s));
  }

  // Nothing may turn after a ball.
  std::string joint(bool last) {
    std::string out = fmt::format("<joint name='j{}'{}", joints_++, class_of());
    const std::string type = pick({"hinge", "slide", "ball", "hinge"});
    out += type == "ball" ? maybe(last ? 0.7 : 0, " type='ball'") : maybe(0.7, fmt::format(" type='{}'", type));
    out += maybe(0.5, fmt::format(" axis='{}'", numbers(3, 1)));
    out += maybe(0.4, fmt::format(" pos='{}'", numbers(3, 0.2)));
    out += maybe(0.3, fmt::format(" armature='{:.4f}'", positive(0.2)));
    out += maybe(0.2, fmt::format(" ref='{:.4f}'", angle()));
    return out + "/>";
  }

  std::string body(int depth, const std::string& inherited) {
    const bool named_class = random_.chance(0.2);
    const std::string child_class = named_class ? pick({"a", "b"}) : inherited;
    std::string out = fmt::format("<body name=\"b{}\"{}{}>", bodies_++, place(0.5),
                                  named_class ? fmt::format(" childclass='{}'", child_class) : "");
    if (random_.chance(0.4)) out += inertial();
    if (depth == 0 && random_.chance(0.4))
      out += pick({"<freejoint/>", "<joint type='free'/>", "<joint type='free' armature='0.3'/>"});
    else
      for (int i = depth == 0 ? 1 : random_.below(3); i > 0; --i) out += joint(i == 1);
    for (int i = 1 + random_.below(3); i > 0; --i)
      out += geom(i == 1 ? " group='0'" : maybe(0.3, fmt::format(" group='{}'", random_.below(4))));
    if (depth < 4)
      for (int i = random_.below(3); i > 0; --i) out += body(depth + 1, child_class);
    return out + "</body>";
  }

  Random random_;
  bool degrees_, groups_ = false, unbalanced_ = false;
  int bodies_ = 0, geoms_ = 0, joints_ = 0;
};

TEST(RandomMjcf, IsMujocosMachine) {
  constexpr std::uint64_t seed = 27'500;
  const int count = testing_support::scaled(200, 20);
  int refused = 0;
  for (int k = 0; k < count; ++k) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
    const std::string text = RandomFile(own).text();
    SCOPED_TRACE(testing::Message() << "seed " << own);
    std::unique_ptr<Mujoco> peer;
    try {
      peer = Mujoco::load(text);
    } catch (const std::runtime_error&) {
      ++refused;
      continue;
    }
    if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
    const routh::RobotFile robot = mjcf_case::read(text);
    const routh::Model model = routh::build_model(robot.description);
    ASSERT_EQ(model.coordinates, peer->coordinates());
    ASSERT_EQ(model.velocities, peer->velocities());
    mjcf_agreement::expect_mujocos_machine(robot, model, *peer, own, 2);
    if (HasFailure()) {
      ADD_FAILURE() << text;
      break;
    }
  }
  EXPECT_LT(refused, count / 5);
}

}  // namespace

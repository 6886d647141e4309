// <equality>: loops. Places in the second body follow from the reference posture, in which MuJoCo assumes them closed.
#include <fmt/format.h>

#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

class EqualityReader {
 public:
  EqualityReader(MjcfReading& reading, const XmlElement& element) : reading_(reading), element_(element) {}

  void read() {
    check_mjcf_attributes(element_, reading_.warnings);
    const bool known = element_.name == "connect" || element_.name == "weld" || element_.name == "joint";
    if (!known) return ignore(fmt::format("<{}> in <equality>", printable(element_.name)), "it is not modelled");
    const MjcfSettings settings(element_, {&element_});
    if (reading_.compiler().no_equalities)
      return ignore(fmt::format("<{}> in <equality>", element_.name), "<flag> of <option> switches it off");
    if (!settings.flag("active", true))
      return ignore(fmt::format("an inactive <{}> in <equality>", element_.name), "it holds nothing");
    if (names_unmade_mjcf(reading_, element_, {"body1", "body2"}, reading_.body_index) ||
        names_unmade_mjcf(reading_, element_, {"joint1", "joint2"}, reading_.joint_index) ||
        names_unmade_mjcf(reading_, element_, {"site1", "site2"}, reading_.site_index))
      return;
    loop_.where = loop_.body_a_where = loop_.body_b_where = element_.where();
    const XmlAttribute* name = element_.attribute("name");
    if (element_.name == "joint" ? !read_joint() : !read_bodies()) return;
    loop_.name = reading_.loop_names.unique(name && !name->value.empty() ? name->value : element_.name);
    reading_.description().loops.push_back(std::move(loop_));
  }

 private:
  void ignore(const std::string& what, const std::string& reason) { reading_.warnings.ignore(element_, what, reason); }

  const MjcfBody& body(const XmlAttribute& attribute) const {
    return reading_.bodies[require_mjcf_name(reading_.body_index, element_, attribute, "body")];
  }

  const MjcfSite& site(const char* name) const {
    const XmlAttribute* attribute = element_.attribute(name);
    if (!attribute)
      throw InputError(element_.where(), fmt::format("<{}> names one site only", element_.name),
                       fmt::format("add {}=\"…\"", name));
    return reading_.sites[require_mjcf_name(reading_.site_index, element_, *attribute, "site")];
  }

  // Sites are brought together wherever they are in the reference posture.
  bool read_sites() {
    const MjcfSite &a = site("site1"), &b = site("site2");
    loop_.body_a = reading_.bodies[a.body].body;
    loop_.body_b = reading_.bodies[b.body].body;
    loop_.kind = element_.name == "connect" ? LoopKind::point : LoopKind::weld;
    loop_.at_a = a.at;
    loop_.at_b = b.at;
    if (loop_.kind == LoopKind::point) loop_.at_a.rotation = loop_.at_b.rotation = identity3;
    return true;
  }

  bool read_bodies() {
    if (element_.attribute("site1") || element_.attribute("site2")) return read_sites();
    const XmlAttribute* first = element_.attribute("body1");
    const XmlAttribute* second = element_.attribute("body2");
    if (!first)
      throw InputError(element_.where(), fmt::format("<{}> has no attribute 'body1'", element_.name),
                       "add body1=\"…\"");
    const MjcfBody& a = body(*first);
    const MjcfBody& b = second ? body(*second) : reading_.bodies[0];
    loop_.body_a = a.body;
    loop_.body_b = b.body;
    const Pose b_in_a = inverse(a.pose) * b.pose;
    if (element_.name == "connect") {
      loop_.kind = LoopKind::point;
      loop_.at_a.position = require_vector(element_, "anchor");
      if (reading_.compiler(element_).global) loop_.at_a.position = inverse(a.pose) * loop_.at_a.position;
      loop_.at_b.position = inverse(b_in_a) * loop_.at_a.position;
    } else {
      loop_.kind = LoopKind::weld;
      loop_.at_a = relative_pose(b_in_a);
    }
    return true;
  }

  // `relpose`: the second body in the first; as in the reference posture when its quaternion is zero.
  Pose relative_pose(const Pose& reference) const {
    const XmlAttribute* attribute = element_.attribute("relpose");
    if (!attribute) return reference;
    const std::vector<double> v = read_numbers(element_, *attribute, 7, 7);
    if (v[3] == 0 && v[4] == 0 && v[5] == 0 && v[6] == 0) return reference;
    return {rotation_from_any_quaternion(v[3], v[4], v[5], v[6]), {v[0], v[1], v[2]}};
  }

  const MjcfJoint* joint(const XmlAttribute& attribute) const {
    const MjcfJoint& found = reading_.joints[require_mjcf_name(reading_.joint_index, element_, attribute, "joint")];
    return found.kind == JointKind::revolute || found.kind == JointKind::prismatic ? &found : nullptr;
  }

  void add_term(const MjcfJoint& joint, double coefficient) {
    const JointDescription& written = reading_.description().joints[static_cast<std::size_t>(joint.joint)];
    loop_.terms.push_back({written.name, 0, coefficient, element_.where()});
  }

  // y − y₀ = a₀ + a₁ (x − x₀) + …, with the first joint's y and the second's x.
  bool read_joint() {
    loop_.kind = LoopKind::coupling;
    const XmlAttribute* first = element_.attribute("joint1");
    const XmlAttribute* second = element_.attribute("joint2");
    if (!first)
      throw InputError(element_.where(), "<joint> in <equality> has no attribute 'joint1'", "add joint1=\"…\"");
    std::array<double, 5> a = {0, 1, 0, 0, 0};
    const MjcfSettings settings(element_, {&element_});
    settings.fill("polycoef", a);
    const MjcfJoint* y = joint(*first);
    const MjcfJoint* x = second ? joint(*second) : nullptr;
    if (!y || (second && !x)) {
      ignore("<joint> of a ball or free joint in <equality>", "only hinges and slides have one coordinate");
      return false;
    }
    if (second && (a[2] != 0 || a[3] != 0 || a[4] != 0)) {
      ignore("<joint> in <equality> with powers of the coordinate (polycoef)", "only linear couplings are modelled");
      return false;
    }
    add_term(*y, 1);
    loop_.constant = y->reference + a[0];
    if (x && a[1] != 0) {
      add_term(*x, -a[1]);
      loop_.constant -= a[1] * x->reference;
    }
    return true;
  }

  MjcfReading& reading_;
  const XmlElement& element_;
  LoopDescription loop_;
};

}  // namespace

void read_mjcf_equalities(MjcfReading& reading) {
  for (const XmlElement* section : reading.root.all("equality"))
    for (const XmlElement& element : section->children) EqualityReader(reading, element).read();
}

}  // namespace routh::internal

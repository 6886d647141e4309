// <worldbody>: bodies within each other, with their joints, geoms and inertias.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

class BodyReader {
 public:
  explicit BodyReader(MjcfReading& reading) : reading_(reading) {}

  void read() {
    MjcfBody world;
    world.element = &reading_.root;
    world.name = world.body = reading_.names.unique(world_name);
    reading_.bodies.push_back(world);
    reading_.body_index.emplace(world_name, 0);
    inertials_.emplace_back();
    note_sites();
    for (const XmlElement* section : reading_.root.all("worldbody")) {
      check_mjcf_attributes(*section, reading_.warnings);
      const Contents contents = sort(*section, {}, child_class_of(*section, {}));
      refuse_in_world(contents);
      read_contents(contents, 0);
    }
    read_mjcf_inertias(reading_, inertials_);
  }

 private:
  struct Placed {
    const XmlElement* element;
    Pose frame;  // what it is written in, in the body's frame
    std::string child_class;
  };
  // What a body holds, with the elements <frame> dissolved.
  struct Contents {
    std::vector<Placed> geoms, sites, bodies;
    std::vector<MjcfJointElement> joints;
    std::vector<MjcfInertial> inertials;
  };

  std::string child_class_of(const XmlElement& element, const std::string& inherited) const {
    const XmlAttribute* attribute = element.attribute("childclass");
    if (!attribute) return inherited;
    reading_.defaults.require(element, *attribute);
    return attribute->value;
  }

  Contents sort(const XmlElement& element, const Pose& frame, const std::string& child_class) {
    Contents out;
    sort_into(out, element, frame, child_class);
    return out;
  }

  // Elements within each other are bounded in depth by the XML reader.
  void sort_into(Contents& out, const XmlElement& element, const Pose& frame, const std::string& child_class) {
    for (const XmlElement& child : element.children) {
      if (child.name == "body") {
        out.bodies.push_back({&child, frame, child_class});
      } else if (child.name == "geom") {
        out.geoms.push_back({&child, frame, child_class});
      } else if (child.name == "joint" || child.name == "freejoint") {
        out.joints.push_back({&child, frame, child_class});
      } else if (child.name == "inertial") {
        out.inertials.push_back({&child, frame});
      } else if (child.name == "frame") {
        check_mjcf_attributes(child, reading_.warnings);
        const Pose pose = read_mjcf_pose(reading_, {child, {&child}});
        sort_into(out, child, frame * pose, child_class_of(child, child_class));
        continue;
      } else {
        if (child.name == "site") out.sites.push_back({&child, frame, child_class});
        ignore_mjcf_element(child, reading_.warnings);
        continue;
      }
      check_mjcf_attributes(child, reading_.warnings);
    }
  }

  void refuse_in_world(const Contents& contents) const {
    const XmlElement* element = !contents.joints.empty()      ? contents.joints.front().element
                                : !contents.inertials.empty() ? contents.inertials.front().element
                                                              : nullptr;
    if (element)
      throw InputError(element->where(), fmt::format("the world has a <{}>", element->name),
                       "put it into a <body> of the world");
  }

  void read_contents(const Contents& contents, std::size_t body) {
    for (const Placed& geom : contents.geoms)
      read_mjcf_geom(reading_, *geom.element, body, geom.frame, geom.child_class);
    for (const Placed& site : contents.sites) read_site(site, body);
    for (const Placed& child : contents.bodies) read_body(child, body);
  }

  // Where it is; equalities may name it.
  void read_site(const Placed& site, std::size_t body) {
    const XmlAttribute* name = site.element->attribute("name");
    if (!name || !names_in_equality_.contains(name->value)) return;
    add_mjcf_name(reading_.site_index, *site.element, reading_.sites.size());
    const MjcfSettings settings = reading_.defaults.settings(*site.element, site.child_class);
    Pose at = read_mjcf_pose(reading_, settings);
    if (const auto ends = settings.find("fromto")) {
      const std::vector<double> v = read_numbers(*ends.element, *ends.attribute, 6, 6);
      const Vector3 from = {v[0], v[1], v[2]}, to = {v[3], v[4], v[5]};
      at = {mjcf_rotation_from_z(ends, from - to), 0.5 * (from + to)};
    }
    reading_.sites.push_back({body, site.frame * at});
  }

  void note_sites() {
    for (const XmlElement* section : reading_.root.all("equality"))
      for (const XmlElement& element : section->children)
        for (const XmlAttribute& attribute : element.attributes)
          if (attribute.name == "site1" || attribute.name == "site2") names_in_equality_.insert(attribute.value);
  }

  void read_body(const Placed& placed, std::size_t parent) {
    const XmlElement& element = *placed.element;
    const std::string child_class = child_class_of(element, placed.child_class);
    const bool global = reading_.compiler(element).global;
    if (global && !element.attribute("pos"))
      throw InputError(element.where(), "a <body> of a file in global coordinates has no pos",
                       "write where it is in the world; MuJoCo would put it at its centre of mass");
    const Pose at = placed.frame * read_mjcf_pose(reading_, {element, {&element}});
    const std::size_t index = reading_.bodies.size();
    MjcfBody body;
    body.element = &element;
    if (const XmlAttribute* name = element.attribute("name")) body.name = name->value;
    add_mjcf_name(reading_.body_index, element, index);
    body.body = reading_.names.unique(body.name.empty() ? "body" : body.name);
    note_mjcf_name(reading_, element, body.name, body.body);
    body.parent = parent;
    body.pose = reading_.bodies[parent].pose * at;
    if (!std::isfinite(norm(at.position)) || !std::isfinite(norm(body.pose.position)))
      throw InputError(element.where(), "the place of the body exceeds the range of numbers", "check its units");
    // In global coordinates what the body holds is written in the world's frame.
    const Contents contents = sort(element, global ? inverse(body.pose) : Pose{}, child_class);
    body.weld = contents.joints.empty() ? reading_.bodies[parent].weld : index;
    reading_.bodies.push_back(body);
    if (contents.inertials.size() > 1)
      throw InputError(contents.inertials[1].element->where(), "the body has a second <inertial>", "keep one");
    inertials_.push_back(contents.inertials.empty() ? MjcfInertial{} : contents.inertials.front());
    read_mjcf_joints(reading_, index, contents.joints, at);
    read_contents(contents, index);
  }

  MjcfReading& reading_;
  std::vector<MjcfInertial> inertials_;
  std::set<std::string, std::less<>> names_in_equality_;  // of sites
};

}  // namespace

void read_mjcf_bodies(MjcfReading& reading) {
  BodyReader(reading).read();
  if (reading.description().bodies.empty())
    throw InputError(reading.root.where(), "the file holds no <body>", "a robot has at least one below <worldbody>");
}

}  // namespace routh::internal

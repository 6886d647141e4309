// The parts of an MJCF file while they are read; private to its reader.
//
// Frames: the reference posture (MuJoCo's qpos0) is the one in which the bodies are written. A joint with `ref` is
// there at that coordinate, so coordinates, ranges and keyframes keep the numbers of the file.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "routh/robot/mjcf_assembly.h"
#include "routh/robot/mjcf_defaults.h"
#include "routh/robot/robot_meshes.h"

namespace routh::internal {

// Which geoms touch: those whose bits meet and those of <pair>, one kind only, or none.
enum class MjcfCollision { all, predefined, dynamic, none };

struct MjcfCompiler {
  bool degrees = true;
  std::string euler_sequence = "xyz";  // small letters: about axes that turn along; capitals: about fixed ones
  bool global = false;                 // places are written in the world, not in the body
  bool automatic_limits = true;
  MjcfTernary inertia_from_geoms = MjcfTernary::automatic;
  std::array<double, 2> inertia_groups = {0, 5};
  double total_mass = -1;  // > 0: all masses are scaled
  double least_mass = 0, least_inertia = 0;
  bool balance_inertia = false;
  bool filter_parents = true;
  bool no_gravity = false, no_contacts = false, no_constraints = false, no_limits = false, no_equalities = false;
  MjcfCollision collision = MjcfCollision::all;
  std::string mesh_folder;
  bool strip_paths = false;
  bool exact_meshes = false;  // volumes of meshes are signed
  bool fit_boxes = false;     // simple geoms are fitted to the extent of a mesh, not to its inertia

  double angle(double written) const;  // [rad]
};

struct MjcfGeom {
  enum class Type { plane, sphere, capsule, ellipsoid, cylinder, box, mesh, other };
  const XmlElement* element = nullptr;
  std::string name;  // as the file has it
  Type type = Type::sphere;
  std::size_t body = 0;
  Pose at;
  std::array<double, 3> size = {0, 0, 0};
  double mass = 0;     // of a mesh: NaN when its density says it
  double density = 0;  // of a mesh
  std::string mesh;    // the name of its asset
  bool shell = false;  // all mass is on the surface, and density per area
  double friction = 1;
  int touches = 1, touched_by = 1;  // bits: contype, conaffinity
  int dimensions = 3;               // 1: without friction
  int priority = 0;
  int group = 0;
  int shape = -1;   // in the description; −1: none
  int surface = 0;  // index of its surface
};

// A mesh of <asset>, read when a geom needs it.
struct MjcfMesh {
  const XmlElement* element = nullptr;
  bool read = false;
  std::string problem;  // why there is none; empty: there is
  MeshDescription mesh;
  std::shared_ptr<const Polyhedron> whole;  // the hull of all its points
  SolidProperties solid, shell;             // in the geom's frame, for a density of 1
  Pose at;                                  // of the mesh's coordinates in the geom's frame: refpos and refquat
};

struct MjcfJoint {
  const XmlElement* element = nullptr;
  std::string name;  // as the file has it
  int joint = -1;    // in the description; −1: the user has fixed the base
  JointKind kind = JointKind::fixed;
  double reference = 0;
  double force_limit = unlimited;  // of all its actuators together
  std::size_t body = 0;
};

struct MjcfBody {
  const XmlElement* element = nullptr;
  std::string name;  // as the file has it
  std::string body;  // as the description has it
  int index = -1;    // in the description; −1: the world
  std::size_t parent = 0;
  std::size_t weld = 0;  // the body that moves and carries this one; 0: the world
  Pose pose;             // in the world, in the reference posture
  std::vector<std::size_t> geoms;
  bool lacks_mesh_mass = false;  // what it weighs stands in a mesh
};

struct MjcfSite {
  std::size_t body = 0;
  Pose at;
};

// What all parts of the reader work on.
struct MjcfReading {
  MjcfReading(const MjcfAssembly& assembled, const RobotOptions& chosen)
      : assembly(assembled),
        root(assembled.root),
        options(chosen),
        compilers(assembled.parts.size()),
        defaults(assembled.parts.size()) {}

  const MjcfAssembly& assembly;
  const XmlElement& root;
  const RobotOptions& options;
  RobotFile robot;
  RobotWarnings warnings;
  std::vector<MjcfCompiler> compilers;  // of each part
  MjcfDefaults defaults;
  RobotNames names, joint_names, loop_names;  // shapes and bodies share theirs
  std::vector<MjcfBody> bodies;               // the world first
  std::vector<MjcfJoint> joints;              // in the order of qpos
  std::vector<MjcfGeom> geoms;
  std::vector<MjcfSite> sites;                             // those that equalities name
  std::map<std::pair<int, std::string>, MjcfMesh> meshes;  // by part and name
  RobotMeshes mesh_files;
  std::map<std::string, std::size_t, std::less<>> body_index, joint_index, geom_index, site_index;
  std::vector<double> controls;  // of the keyframe; empty: zeros
  int controls_part = 0;         // those of the actuators of this part and what is attached to it
  bool incomplete = false;       // an element that is not read would make bodies; names may be theirs

  ModelDescription& description() { return robot.description; }
  const MjcfCompiler& compiler() const { return compilers.front(); }
  const MjcfCompiler& compiler(const XmlElement& element) const {
    return compilers[static_cast<std::size_t>(element.part)];
  }
};

// Marks what is taken as used and warns of the rest, each attribute of a kind of element once.
void check_mjcf_attributes(const XmlElement& element, RobotWarnings& warnings);
// The children of a section <default> in any depth.
void check_mjcf_defaults(const XmlElement& section, RobotWarnings& warnings);

// Why a whole section or element is not read; empty when it is not known to be one of MJCF.
std::string_view mjcf_reason_to_ignore(std::string_view element);
// Warns of the element with all it holds.
void ignore_mjcf_element(const XmlElement& element, RobotWarnings& warnings);

// <compiler> and <option>.
void read_mjcf_compiler(MjcfReading& reading);
// `pos` and the orientation of the nearest layer that has one. Quaternions are normalised.
Pose read_mjcf_pose(const MjcfReading& reading, const MjcfSettings& settings);
// The range that `range` gives if `limited` says that it holds; by itself it does under `autolimits`, unless it is
// zero.
bool read_mjcf_range(MjcfReading& reading, const MjcfSettings& settings, std::string_view limited,
                     std::string_view range, std::array<double, 2>& out);
// Takes the limits of joints away where <flag> says so; last, since actuators read them.
void drop_mjcf_limits(MjcfReading& reading);
// The smallest turn that takes z to `axis`.
Matrix3 mjcf_rotation_from_z(const MjcfSettings::Found& place, const Vector3& axis);

// <asset>: which meshes there are.
void read_mjcf_assets(MjcfReading& reading);
// The mesh of a geom of type mesh, read at the first call.
const MjcfMesh& mjcf_mesh(MjcfReading& reading, const MjcfGeom& geom);

// The element of the mass matrix that a hinge or slide has to itself, in the reference posture, armature included.
double mjcf_joint_inertia(MjcfReading& reading, const MjcfJoint& joint);

// Gives a simple geom with a mesh, whose place is that of the mesh, the place and the sizes that fit the mesh. Whether
// there is a mesh.
bool fit_mjcf_geom(MjcfReading& reading, MjcfGeom& geom, double factor);
// What a geom would weigh for a density of 1: its volume, or its area when it is a shell. None of meshes.
double mjcf_geom_measure(const MjcfGeom& geom);
// About the centre of a geom that is no mesh, in its axes, for its mass.
Symmetric3 mjcf_geom_inertia(const MjcfGeom& geom);

// <worldbody> with everything in it.
void read_mjcf_bodies(MjcfReading& reading);
// The joints of a body, the frame they are written in standing at `frame` in the body's; makes the bodies without mass
// between them. `at`: the body in its parent.
struct MjcfJointElement {
  const XmlElement* element = nullptr;
  Pose frame;
  std::string child_class;
};
void read_mjcf_joints(MjcfReading& reading, std::size_t body, const std::vector<MjcfJointElement>& elements,
                      const Pose& at);
// A geom of a body. `frame`: what its place is written in, in the body's frame.
void read_mjcf_geom(MjcfReading& reading, const XmlElement& element, std::size_t body, const Pose& frame,
                    const std::string& child_class);
// Mass, centre and inertia of all bodies. `inertials`: the elements <inertial>, null where there is none.
struct MjcfInertial {
  const XmlElement* element = nullptr;
  Pose frame;
};
void read_mjcf_inertias(MjcfReading& reading, const std::vector<MjcfInertial>& inertials);
// Shapes, surfaces and which pairs may touch; <contact>.
void read_mjcf_contacts(MjcfReading& reading);
void read_mjcf_equalities(MjcfReading& reading);
// The first keyframe, or the one the user names: where joints start, and `controls`. Without any: the reference
// posture.
void read_mjcf_keyframe(MjcfReading& reading);
void read_mjcf_actuators(MjcfReading& reading);

// Enters the name of an element; throws InputError when it is there already. Elements may have none.
void add_mjcf_name(std::map<std::string, std::size_t, std::less<>>& index, const XmlElement& element,
                   std::size_t value);
// The index of what the attribute names; throws InputError with the nearest name.
std::size_t require_mjcf_name(const std::map<std::string, std::size_t, std::less<>>& index, const XmlElement& element,
                              const XmlAttribute& attribute, const char* kind);
// Says once that names had to be changed, when this one was.
void note_mjcf_name(MjcfReading& reading, const XmlElement& element, const std::string& written,
                    const std::string& given);
// Whether the element names, by one of these attributes, what an element that is not read would have made: a warning
// says so.
bool names_unmade_mjcf(MjcfReading& reading, const XmlElement& element, std::initializer_list<const char*> attributes,
                       const std::map<std::string, std::size_t, std::less<>>& index);

}  // namespace routh::internal

// What the readers of robot files share: warnings, numbers and paths.
#pragma once

#include <map>

#include "routh/robot/robot.h"
#include "routh/robot/xml.h"

namespace routh::internal {

// Where a joint with these limits begins that would begin at `wanted`, outside of them: at the nearest limit when it is
// near (0.2 rad, 0.05 m), as a knee that cannot be quite straight, else in the middle, where the machine can be.
double start_within_limits(double lower, double upper, double wanted, JointKind kind);

// What a warning is about: those of the motion (what touches, masses, what is missing) come first, those of drawing
// last, in one line.
enum class RobotConcern { motion, other, drawing };

// Collects warnings. Those about ignored things are kept once for each kind, with the first place and how many more
// there are.
class RobotWarnings {
 public:
  void add(const Location& where, const std::string& message, RobotConcern concern = RobotConcern::other);
  // `<what> is ignored: reason`, once for each `what`. Marks the thing as used, so that `warn_of_the_rest` is silent
  // about it and what is in it.
  void ignore(const XmlElement& element, const std::string& what, const std::string& reason,
              RobotConcern concern = RobotConcern::other);
  void ignore(const XmlElement& element, const XmlAttribute& attribute, const std::string& reason,
              RobotConcern concern = RobotConcern::other);
  // Only the first of those with the same key, with how many more there are.
  void add_once(const Location& where, const std::string& key, const std::string& message,
                RobotConcern concern = RobotConcern::other);
  // Everything below `element` that no reader has taken: `<gazebo> in <robot>`, `attribute 'x' of <y>`.
  void warn_of_the_rest(const XmlElement& element);

  std::vector<std::string> take();  // by concern, then in the order of their places

 private:
  struct Entry {
    Location where;
    std::string message;
    RobotConcern concern = RobotConcern::other;
    std::string what;  // that is ignored
    int more = 0;
  };
  std::string drawing_line(std::size_t first) const;

  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> once_;
};

// Numbers as XML files write them: leading zeros and signs are fine; `inf` only where it is allowed. Each throws
// InputError at the value.
enum class Infinite { refused, allowed };
double read_number(const XmlElement& element, const XmlAttribute& attribute, Infinite infinite = Infinite::refused);
// Blanks between numbers; between `least` and `most` of them.
std::vector<double> read_numbers(const XmlElement& element, const XmlAttribute& attribute, std::size_t least,
                                 std::size_t most);
Vector3 read_vector3(const XmlElement& element, const XmlAttribute& attribute);

// By name of the attribute: the value, or `otherwise` when it is not there.
double number_or(const XmlElement& element, std::string_view attribute, double otherwise);
Vector3 vector_or(const XmlElement& element, std::string_view attribute, const Vector3& otherwise);
// Throws InputError when the attribute is missing.
double require_number(const XmlElement& element, std::string_view attribute);
Vector3 require_vector(const XmlElement& element, std::string_view attribute);
std::string require_text(const XmlElement& element, std::string_view attribute);

// R = Rz(yaw) Ry(pitch) Rx(roll).
Matrix3 rotation_from_rpy(const Vector3& rpy);
// A rotation by the unit quaternion of this direction; any length but zero.
Matrix3 rotation_from_any_quaternion(double w, double x, double y, double z);

// What the tensor of a body can be: I = ∫ (r² 1 − r rᵀ) dm has no negative principal moment and none beyond the sum of
// the two others. When `inertia` is none such: one near it that is, in the same principal axes.
struct MendedInertia {
  Symmetric3 inertia;
  Vector3 found, mended;  // principal moments, ascending
};
std::optional<MendedInertia> mended_inertia(const Symmetric3& inertia);

// Names for scenes: `name` with characters that scenes do not allow replaced by `_`, made distinct from all names given
// before by `_2`, `_3`, ….
class RobotNames {
 public:
  std::string unique(std::string_view wanted);

 private:
  std::map<std::string, int, std::less<>> taken_;
};

// Where a mesh or an included file stands: `package://name/rest`, `model://`, `file://`, absolute or relative to the
// folder of `file`. Folders of packages are looked for once.
class RobotPaths {
 public:
  explicit RobotPaths(const RobotOptions& options) : packages_(options.packages) {}
  // Empty when there is no such file.
  std::string find(const std::string& uri, const std::string& file);
  // Where `find` looks, for people.
  std::vector<std::string> searched(const std::string& uri, const std::string& file);

 private:
  const std::vector<std::string>& folders_of(const std::string& package, const std::string& file);
  std::vector<std::string> candidates(const std::string& uri, const std::string& file);

  std::vector<std::string> packages_;
  std::map<std::string, std::vector<std::string>, std::less<>> folders_;
};
std::string find_file(const std::string& uri, const std::string& file, const RobotOptions& options);

// Of the outermost element.
RobotFile read_robot(const XmlElement& root, const RobotOptions& options = {});

}  // namespace routh::internal

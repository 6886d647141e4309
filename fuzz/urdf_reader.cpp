// Any bytes as a robot's file: the reader refuses them with an InputError, or what it made is a machine or refused as
// one, and the machine reads back from the text of its scene.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/robot/urdf.h"
#include "routh/scene/description_reader.h"
#include "routh/scene/scene_text.h"
#include "routh/text/document.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_robot(const routh::RobotFile& robot) {
  for (const routh::RobotStart& start : robot.start)
    for (const double value : start.position) require(std::isfinite(value));
  const routh::Scene scene = scene_of_robot(robot);
  const routh::Document document = routh::Document::from_text(routh::scene_text(scene, {"fuzz", {}}), "fuzz");
  const routh::ModelDescription again =
      routh::read_sections(document.root(), routh::read_heading(document.root())).description;
  require(again.bodies.size() == robot.description.bodies.size());
  require(again.shapes.size() == robot.description.shapes.size());
  require(again.joints.size() == robot.description.joints.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const routh::XmlElement root = routh::parse_xml(text, "fuzz");
    check_robot(routh::read_urdf(root, {routh::RobotBase::floating, {}, {}}));
  } catch (const routh::InputError& error) {
    require(error.where().file == "fuzz" && !error.message().empty());
  }
  return 0;
}

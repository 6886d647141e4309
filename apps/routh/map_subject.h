// What `routh map` maps: the contact of a scene or of a problem file, with what was set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "map_request.h"
#include "options.h"
#include "routh/problem/problem_file.h"
#include "routh/scene/map_source.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh {

class MapSubject {
 public:
  // Throws InputError for a file that cannot be used.
  MapSubject(const Document& document, Verbosity verbosity);
  MapSubject(const MapSubject&) = delete;
  MapSubject& operator=(const MapSubject&) = delete;

  const std::vector<MapVariable>& variables() const { return variables_; }

  // Which contact of a scene; empty: the first that touches. Throws UsageError for a name that is none, NoAnswer when
  // nothing touches.
  void choose_contact(const std::string& name);
  // Which degrees of freedom give way; empty: all.
  void choose_adjusted(const std::vector<std::string>& names);
  void set(std::vector<FixedSetting> fixed);
  void set_law(std::optional<Law> law);

  const std::string& name() const { return name_; }             // in the file; may be empty
  const std::string& contact() const { return contact_name_; }  // empty for a problem file
  bool is_scene() const { return scene_.has_value(); }

  MapQuantity usual_quantity(const MapVariable& x, const MapVariable& y) const;
  MapSource source(const MapVariable& x, const MapVariable& y, MapQuantity quantity) const;
  // Where the file itself lies on an axis; nothing when it lies off the plane.
  std::optional<double> value(const MapVariable& variable) const;
  bool is_in_plane() const;
  // Why nothing was found, for a message.
  std::string why_nowhere(MapQuantity quantity) const;

 private:
  void load_problem(const Document& document);
  void take(const Contact& contact, const std::vector<Touch>& touches);
  std::optional<AccelerationProblem> at_start() const;

  std::vector<MapVariable> variables_;
  std::string name_, contact_name_;
  std::vector<FixedSetting> fixed_;
  std::optional<Law> law_;
  // Of a scene.
  std::optional<Scene> scene_;
  SceneMapBase base_;
  bool touches_ = true;
  // Of a problem file, or friction and restitution of the scene's contact.
  ProblemFile file_;
  AccelerationProblem problem_;
  FreeAcceleration known_ = FreeAcceleration::given;
};

}  // namespace routh

// A map that was computed, with everything its outputs say about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "map_bands.h"
#include "map_request.h"
#include "routh/figure/axes.h"
#include "routh/figure/picture.h"
#include "routh/report/documents.h"
#include "terminal.h"

namespace routh {

struct MapKindReport {
  int kind = 0;
  std::string name;    // for people and for data
  std::string label;   // for a picture
  std::string colour;  // empty: the picture's own palette
  char letter = '?';   // in the map of letters
  long count = 0;      // points of it
};

// An axis for people: numbers of the map times `factor`.
struct ShownAxis {
  ShownAxis() = default;
  explicit ShownAxis(const AxisRequest& request);
  std::string unit;
  double factor = 1;
};

// What pictures say and measure in place of what they would by themselves.
struct PictureLook {
  std::optional<std::string> title, x_label, y_label;
  GridSize size{620, 470};  // of the axes [px]
};

struct MapReport {
  std::string name;     // of the scene or problem, as in the file; may be empty
  std::string title;    // the same or the name of the file, fit to be shown
  std::string contact;  // of a scene
  MapVariable x, y;
  ShownAxis x_shown, y_shown;
  std::vector<FixedSetting> fixed;
  MapQuantity quantity = MapQuantity::verdict;
  Bands bands;  // of a number
  MapRefinement refinement = MapRefinement::adaptive;
  std::vector<MapKindReport> kinds;  // all of them by kind, whether met or not; then −1
  std::optional<PlotPoint> state;    // of the file, when it lies in the plane
  VerdictMap map;
  std::optional<MapExtreme> least;  // of a number
  PictureLook look;

  const MapKindReport& of(int kind) const;
};

// Scene, contact and what was set, in one line.
std::string heading(const MapReport& report);

// The kinds of a quantity, counted in the map; after the other members are filled.
void describe_kinds(MapReport& report);
bool is_nowhere(const MapReport& report);

// For a terminal: title, the plane in letters, a table of kinds.
std::string map_text(const Terminal& terminal, const MapReport& report, const std::vector<std::string>& files);
std::string map_json(const MapReport& report, const std::vector<std::string>& files);
// One line per point, x fastest: x, y, kind, number.
std::string map_csv(const MapReport& report);

Picture map_picture(const MapReport& report);
// Colours and numbers of the page, those of the picture.
MapLook map_look(const MapReport& report);

}  // namespace routh

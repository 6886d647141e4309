// The words of `routh map` as values: axes, settings, the grid, the quantity. Each throws UsageError with a remedy.
#pragma once

#include <string>
#include <vector>

#include "routh/scene/map_subject.h"

namespace routh {

enum class AngleUnit { radian, degree };

struct AxisRequest {
  MapVariable variable;
  double low = 0, high = 1;
  // As it was typed: people see the axis so. Numbers of files stay in rad.
  AngleUnit unit = AngleUnit::radian;
};

// `position.upper=-0.8:0.8`, or with `20 deg` for the position of an angle. `option` is where it was typed.
AxisRequest read_axis(const std::string& option, const std::string& text, const std::vector<MapVariable>& variables);
// `friction=0.8`.
// Whether the setting is about one of these; others are paths of numbers in the file.
bool is_variable(const std::string& setting, const std::vector<MapVariable>& variables);
FixedSetting read_setting(const std::string& text, const std::vector<MapVariable>& variables);

struct GridSize {
  int columns = 0, rows = 0;
};
// `400`, or `400x300`.
GridSize read_grid(const std::string& text);

// The same of a picture, in pixels.
GridSize read_picture_size(const std::string& text);
// `0.2,0.4,1`: rising.
std::vector<double> read_levels(const std::string& text);

MapQuantity read_quantity_name(const std::string& text);
std::vector<std::string> quantity_names();

// Which contact of a machine; empty: the first that touches. Throws NoAnswer when nothing touches.
void choose_contact(MapSubject& subject, const Model* model, const std::string& name);
// Which degrees of freedom of a machine give way; empty: all.
void choose_adjusted(MapSubject& subject, const Model* model, const std::vector<std::string>& names);

// Refuses axes and settings that speak of the same thing.
void check_distinct(const AxisRequest& x, const AxisRequest& y, const std::vector<FixedSetting>& fixed);

}  // namespace routh

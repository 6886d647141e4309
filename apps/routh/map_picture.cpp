#include "map_report.h"
#include "routh/figure/map_figure.h"

namespace routh {

namespace {

MapLine boundary(const MapReport& report, const MapCurve& curve) {
  MapLine line;
  for (std::size_t k = 0; k < curve.x.size(); ++k)
    line.points.push_back({report.x_shown.factor * curve.x[k], report.y_shown.factor * curve.y[k]});
  line.pen = {.stroke = "#222222", .width = 1};
  return line;
}

std::string label_of(const MapVariable& variable, const ShownAxis& axis) {
  return axis.unit.empty() ? variable.label : axis_label(variable.label, axis.unit, 0);
}

AxisRange range_of(const MapAxis& axis, const ShownAxis& shown) {
  return {shown.factor * axis.low, shown.factor * axis.high};
}

std::vector<MapKind> legend_of(const MapReport& report) {
  std::vector<MapKind> legend;
  for (const MapKindReport& kind : report.kinds) legend.push_back({kind.kind, kind.label, kind.colour});
  return legend;
}

}  // namespace

MapLook map_look(const MapReport& report) {
  const MapNumber number = number_of(report.quantity);
  return {map_colours(legend_of(report)), number.name, number.unit};
}

Picture map_picture(const MapReport& report) {
  const VerdictMap& map = report.map;
  MapFigure figure;
  const PictureLook& look = report.look;
  figure.title = look.title.value_or(heading(report));
  figure.x_label = look.x_label.value_or(label_of(report.x, report.x_shown));
  figure.y_label = look.y_label.value_or(label_of(report.y, report.y_shown));
  figure.frame_width = look.size.columns;
  figure.frame_height = look.size.rows;
  figure.x = range_of(map.x, report.x_shown);
  figure.y = range_of(map.y, report.y_shown);
  figure.columns = map.x.points;
  figure.rows = map.y.points;
  figure.kinds = map.kinds;
  figure.legend = legend_of(report);
  for (const MapCurve& curve : map.curves) figure.lines.push_back(boundary(report, curve));
  if (report.state)
    figure.marks.push_back(
        {{report.x_shown.factor * report.state->x, report.y_shown.factor * report.state->y}, "state"});
  return map_picture(figure);
}

}  // namespace routh

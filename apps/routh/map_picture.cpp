#include "map_report.h"
#include "routh/figure/map_figure.h"

namespace routh {

namespace {

MapLine boundary(const MapCurve& curve) {
  MapLine line;
  for (std::size_t k = 0; k < curve.x.size(); ++k) line.points.push_back({curve.x[k], curve.y[k]});
  line.pen = {.stroke = "#222222", .width = 1};
  return line;
}

std::string label_of(const MapVariable& variable) {
  return variable.unit.empty() ? variable.label : axis_label(variable.label, variable.unit, 0);
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
  figure.title = heading(report);
  figure.x_label = label_of(report.x);
  figure.y_label = label_of(report.y);
  figure.x = {map.x.low, map.x.high};
  figure.y = {map.y.low, map.y.high};
  figure.columns = map.x.points;
  figure.rows = map.y.points;
  figure.kinds = map.kinds;
  figure.legend = legend_of(report);
  for (const MapCurve& curve : map.curves) figure.lines.push_back(boundary(curve));
  if (report.state) figure.marks.push_back({*report.state, "state"});
  return map_picture(figure);
}

}  // namespace routh

#include "routh/report/documents.h"

#include <cmath>
#include <numbers>

#include "routh/impact/inertia.h"
#include "routh/math/elementary.h"
#include "routh/report/impact_path.h"
#include "routh/report/kinds.h"
#include "routh/version.h"

namespace routh::internal {

namespace {

constexpr int cone_rays = 48;
constexpr std::size_t path_points = 400;

std::string_view trimmed(std::string_view json) {
  const std::size_t last = json.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view("null") : json.substr(0, last + 1);
}

void write_ray(const ContactVector& v, Dimension dimension, JsonWriter& json) {
  json.begin_list();
  json.number(v.n);
  json.number(v.t1);
  json.number(dimension == Dimension::spatial ? v.t2 : 0);
  json.end_list();
}

// The edge of the cone for a unit of normal force.
std::vector<ContactVector> force_rays(Dimension dimension, double friction) {
  if (dimension == Dimension::planar) return {{1, friction, 0}, {1, -friction, 0}};
  std::vector<ContactVector> rays;
  for (int k = 0; k < cone_rays; ++k) {
    const double phi = 2 * std::numbers::pi * k / cone_rays;
    rays.push_back({1, friction * elementary::cos(phi), friction * elementary::sin(phi)});
  }
  return rays;
}

void write_delassus(const ContactInertia& d, JsonWriter& json) {
  const bool planar = d.dimension == Dimension::planar;
  const double rows[3][3] = {{d.a, d.c1, d.c2}, {d.c1, d.b11, d.b12}, {d.c2, d.b12, d.b22}};
  const int size = planar ? 2 : 3;
  json.begin_list("delassus");
  for (int i = 0; i < size; ++i) {
    json.begin_list();
    for (int k = 0; k < size; ++k) json.number(rows[i][k]);
    json.end_list();
  }
  json.end_list();
}

void write_cone(const ContactDiagnosis& diagnosis, int row, JsonWriter& json) {
  const ContactInertia& inertia = diagnosis.problem.contact.inertia;
  const double friction = diagnosis.problem.contact.friction.kinetic_coefficient;
  if (!std::isfinite(friction)) return;  // the whole space
  json.begin_object();
  json.integer("contact", row);
  json.number("friction", friction);
  write_delassus(inertia, json);
  const std::vector<ContactVector> rays = force_rays(inertia.dimension, friction);
  json.list("force_rays", rays, [&](const ContactVector& ray) { write_ray(ray, inertia.dimension, json); });
  json.list("velocity_rays", rays,
            [&](const ContactVector& ray) { write_ray(apply(inertia, ray), inertia.dimension, json); });
  json.end_object();
}

}  // namespace

void begin_document(const DocumentHead& head, const char* kind, JsonWriter& json) {
  json.begin_object();
  json.integer("routh", 1);
  json.text("kind", kind);
  json.text("title", head.title);
  json.text("program_version", ROUTH_VERSION);
  json.texts("warnings", head.warnings);
}

std::vector<LawPath> law_paths(const ProblemAnswer& answer, int contact) {
  std::vector<LawPath> paths;
  for (const LawAnswer& law : answer.answers()) {
    if (!usable(law.result.status)) continue;
    std::vector<PathPoint> points = thinned(trace_impact(answer.problem, law.result.law), path_points);
    if (!points.empty()) paths.push_back({contact, law.result.law, std::move(points)});
  }
  return paths;
}

void write_law_paths(const std::vector<LawPath>& paths, JsonWriter& json) {
  json.objects("paths", paths, [&](const LawPath& path) {
    json.integer("contact", path.contact);
    json.text("law", name(path.law));
    write_path_points(path.points, json);
  });
}

std::string impact_document(const DocumentHead& head, std::string_view json_text, const std::vector<LawPath>& paths,
                            const Computing& computing) {
  JsonWriter json;
  begin_document(head, "impact", json);
  write_impact_kinds(json);
  json.raw("data", trimmed(json_text));
  write_law_paths(paths, json);
  if (!computing.engine.empty() && !computing.questions.empty()) {
    std::string list;
    for (const std::string& question : computing.questions) list += (list.empty() ? "" : ",") + question;
    json.raw("questions", "[" + list + "]");
    json.text("engine", base64(computing.engine));
  }
  json.end_object();
  return json.result();
}

std::string diagnosis_document(const DocumentHead& head, std::string_view json_text,
                               const std::vector<DiagnosedContact>& contacts,
                               const std::optional<DiagnosedTogether>& together) {
  JsonWriter json;
  begin_document(head, "diagnosis", json);
  write_diagnosis_kinds(json);
  json.raw("data", trimmed(json_text));
  if (together) {
    json.begin_object("together");
    json.text("tone", tone(together->verdict));
    json.texts("sentences", together->words);
    json.end_object();
  }
  json.objects("verdicts", contacts, [&](const DiagnosedContact& contact) {
    json.text("tone", tone(contact.diagnosis->verdict));
    json.texts("sentences", contact.words);
  });
  json.begin_list("cones");
  for (std::size_t k = 0; k < contacts.size(); ++k) write_cone(*contacts[k].diagnosis, static_cast<int>(k), json);
  json.end_list();
  json.end_object();
  return json.result();
}

std::string map_document(const DocumentHead& head, std::string_view json_text, const MapLook& look,
                         std::string_view figure) {
  JsonWriter json;
  begin_document(head, "map", json);
  json.raw("data", trimmed(json_text));
  json.texts("colours", look.colours);
  json.text("number", look.number);
  json.text("unit", look.unit);
  json.text("figure", figure);
  json.end_object();
  return json.result();
}

}  // namespace routh::internal

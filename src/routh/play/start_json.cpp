#include "routh/play/start_json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "routh/mesh/polyhedron.h"
#include "routh/play/start_members.h"

namespace routh::internal {

namespace {

using Json = nlohmann::json;

template <class T>
concept Described = requires(T& it) {
  visit_members(it, [](std::string_view, auto&) {});
};

// --- Writing. Hulls that shapes share are written once, in a list of their own.

class StartWriter {
 public:
  Json hulls = Json::array();

  Json operator()(double value) const {
    if (std::isfinite(value)) return value;
    return value > 0 ? "inf" : "-inf";
  }
  Json operator()(int value) const { return value; }
  Json operator()(long value) const { return value; }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(FilterDescription::Rule rule) const {
    return rule == FilterDescription::Rule::include ? "include" : "exclude";
  }
  Json operator()(const Vector3& v) const { return Json::array({v.x, v.y, v.z}); }
  Json operator()(const Symmetric3& s) const { return Json::array({s.xx, s.yy, s.zz, s.xy, s.xz, s.yz}); }
  Json operator()(const Matrix3& m) { return Json::array({(*this)(m.r0), (*this)(m.r1), (*this)(m.r2)}); }
  Json operator()(const Eigen::VectorXd& v) const { return std::vector<double>(v.begin(), v.end()); }
  template <NamedEnum E>
  Json operator()(E value) const {
    return name(value);
  }
  template <class T>
  Json operator()(const std::optional<T>& value) {
    return value ? (*this)(*value) : Json();
  }
  template <class T>
  Json operator()(const std::vector<T>& list) {
    Json out = Json::array();
    for (const T& entry : list) out.push_back((*this)(entry));
    return out;
  }
  Json operator()(const std::shared_ptr<const Polyhedron>& hull) {
    if (!hull) return {};
    const auto [place, fresh] = seen_.emplace(hull.get(), hulls.size());
    if (fresh) hulls.push_back((*this)(*hull));
    return place->second;
  }
  template <Described T>
  Json operator()(const T& it) {
    Json out = Json::object();
    visit_members(it, [&](std::string_view key, const auto& member) { out[std::string(key)] = (*this)(member); });
    return out;
  }

 private:
  std::map<const Polyhedron*, std::size_t> seen_;
};

// --- Reading

class StartReader {
 public:
  explicit StartReader(const Json& hulls) {
    for (const Json& hull : hulls) {
      auto made = std::make_shared<Polyhedron>();
      read(hull, *made);
      if (!connect(*made)) throw InputError({}, "the faces of a hull do not close");
      hulls_.push_back(std::move(made));
    }
  }

  void read(const Json& json, double& out) const {
    if (json.is_number()) {
      out = json.get<double>();
    } else {
      const std::string& text = json.get_ref<const std::string&>();
      if (text != "inf" && text != "-inf") throw InputError({}, "'" + printable(text) + "' is not a number");
      out = text == "inf" ? unlimited : -unlimited;
    }
  }
  void read(const Json& json, int& out) const { out = json.get<int>(); }
  void read(const Json& json, long& out) const { out = json.get<long>(); }
  void read(const Json& json, std::string& out) const { out = json.get<std::string>(); }
  void read(const Json& json, FilterDescription::Rule& out) const {
    out = json == "include" ? FilterDescription::Rule::include : FilterDescription::Rule::exclude;
  }
  void read(const Json& json, Vector3& out) const {
    read(json.at(0), out.x);
    read(json.at(1), out.y);
    read(json.at(2), out.z);
  }
  void read(const Json& json, Matrix3& out) const {
    read(json.at(0), out.r0);
    read(json.at(1), out.r1);
    read(json.at(2), out.r2);
  }
  void read(const Json& json, Symmetric3& out) const {
    double* const entries[] = {&out.xx, &out.yy, &out.zz, &out.xy, &out.xz, &out.yz};
    for (std::size_t k = 0; k < 6; ++k) read(json.at(k), *entries[k]);
  }
  void read(const Json& json, Eigen::VectorXd& out) const {
    out.resize(static_cast<Eigen::Index>(json.size()));
    for (Eigen::Index k = 0; k < out.size(); ++k) read(json.at(static_cast<std::size_t>(k)), out[k]);
  }
  template <NamedEnum E>
  void read(const Json& json, E& out) const {
    const std::string& text = json.get_ref<const std::string&>();
    const std::optional<E> value = value_named<E>(text);
    if (!value) throw InputError({}, "'" + printable(text) + "' is not one of the names allowed here");
    out = *value;
  }
  template <class T>
  void read(const Json& json, std::optional<T>& out) const {
    out.reset();
    if (json.is_null()) return;
    out.emplace();
    read(json, *out);
  }
  template <class T>
  void read(const Json& json, std::vector<T>& out) const {
    out.assign(json.size(), T());
    for (std::size_t k = 0; k < out.size(); ++k) read(json.at(k), out[k]);
  }
  void read(const Json& json, std::shared_ptr<const Polyhedron>& out) const {
    out = json.is_null() ? nullptr : hulls_.at(json.get<std::size_t>());
  }
  template <Described T>
  void read(const Json& json, T& out) const {
    visit_members(out, [&](std::string_view key, auto& member) { read(json.at(std::string(key)), member); });
  }

 private:
  std::vector<std::shared_ptr<const Polyhedron>> hulls_;
};

}  // namespace

std::string start_json(const PlayStart& start) {
  StartWriter write;
  Json json = write(start);
  json["hulls"] = std::move(write.hulls);
  return json.dump();
}

PlayStart start_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    PlayStart start;
    StartReader(json.at("hulls")).read(json, start);
    return start;
  } catch (const nlohmann::json::exception& error) {
    throw InputError({}, std::string("this is no start of a page: ") + error.what());
  } catch (const std::out_of_range&) {
    throw InputError({}, "this is no start of a page: a shape names a hull that is not there");
  }
}

std::string question_json(const ImpactQuestion& question) { return StartWriter()(question).dump(); }

ImpactQuestion question_from_json(const std::string& text) {
  try {
    ImpactQuestion question;
    StartReader(Json::array()).read(Json::parse(text), question);
    return question;
  } catch (const nlohmann::json::exception& error) {
    throw InputError({}, std::string("this is no question of a page: ") + error.what());
  }
}

std::string changed_start(const std::string& text, const std::string& changes) {
  try {
    Json json = Json::parse(text);
    const Json values = Json::parse(changes);
    for (const auto& [pointer, value] : values.items()) json.at(Json::json_pointer(pointer)) = value;
    return json.dump();
  } catch (const nlohmann::json::exception& error) {
    throw InputError({}, std::string("this cannot be changed: ") + error.what());
  }
}

}  // namespace routh::internal

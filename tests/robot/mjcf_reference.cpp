#include "mjcf_reference.h"

#if __has_include(<mujoco/mujoco.h>)

#include <dlfcn.h>
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cstring>
#include <stdexcept>

namespace mjcf_reference {

namespace {

// The functions that are needed, found by name.
struct Library {
  decltype(&mj_loadXML) load_xml;
  decltype(&mj_defaultVFS) default_vfs;
  decltype(&mj_makeEmptyFileVFS) make_file;
  decltype(&mj_deleteVFS) delete_vfs;
  decltype(&mj_deleteModel) delete_model;
  decltype(&mj_makeData) make_data;
  decltype(&mj_deleteData) delete_data;
  decltype(&mj_forward) forward;
  decltype(&mj_fullM) full_mass;
  decltype(&mj_name2id) find;
  decltype(&mj_id2name) name;
  decltype(&mj_normalizeQuat) normalise;

  // Null when it is not installed.
  static const Library* get() {
    static const auto library = []() -> std::unique_ptr<Library> {
      void* handle = dlopen("libmujoco.so", RTLD_NOW | RTLD_LOCAL);
      if (!handle) return nullptr;
      auto out = std::make_unique<Library>();
      const auto take = [&](auto& function, const char* symbol) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
        return function != nullptr;
      };
      const bool complete = take(out->load_xml, "mj_loadXML") && take(out->default_vfs, "mj_defaultVFS") &&
                            take(out->make_file, "mj_makeEmptyFileVFS") && take(out->delete_vfs, "mj_deleteVFS") &&
                            take(out->delete_model, "mj_deleteModel") && take(out->make_data, "mj_makeData") &&
                            take(out->delete_data, "mj_deleteData") && take(out->forward, "mj_forward") &&
                            take(out->full_mass, "mj_fullM") && take(out->find, "mj_name2id") &&
                            take(out->name, "mj_id2name") && take(out->normalise, "mj_normalizeQuat");
      return complete ? std::move(out) : nullptr;
    }();
    return library.get();
  }
};

Eigen::VectorXd vector(const mjtNum* values, int count) { return Eigen::Map<const Eigen::VectorXd>(values, count); }

class Loaded final : public Mujoco {
 public:
  Loaded(const Library& library, const std::string& text) : library_(library) {
    const auto files = std::make_unique<mjVFS>();
    library.default_vfs(files.get());
    library.make_file(files.get(), "machine.xml", static_cast<int>(text.size()) + 1);
    std::memcpy(files->filedata[0], text.data(), text.size());
    char error[1000] = "";
    model_ = library.load_xml("machine.xml", files.get(), error, sizeof error);
    library.delete_vfs(files.get());
    if (!model_) throw std::runtime_error(std::string("MuJoCo does not load the file: ") + error);
    data_ = library.make_data(model_);
  }
  ~Loaded() override {
    library_.delete_data(data_);
    library_.delete_model(model_);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  int coordinates() const override { return model_->nq; }
  int velocities() const override { return model_->nv; }
  Eigen::VectorXd reference() const override { return vector(model_->qpos0, model_->nq); }
  Eigen::VectorXd key() const override {
    return model_->nkey > 0 ? vector(model_->key_qpos, model_->nq) : Eigen::VectorXd();
  }

  void set(const Eigen::VectorXd& q) override {
    Eigen::Map<Eigen::VectorXd>(data_->qpos, model_->nq) = q;
    Eigen::Map<Eigen::VectorXd>(data_->qvel, model_->nv).setZero();
    library_.normalise(model_, data_->qpos);
    library_.forward(model_, data_);
  }
  Eigen::MatrixXd mass_matrix() const override {
    Eigen::MatrixXd M(model_->nv, model_->nv);
    library_.full_mass(model_, M.data(), data_->qM);  // symmetric: the order of storage does not matter
    return M;
  }
  Eigen::VectorXd gravity_force() const override { return vector(data_->qfrc_bias, model_->nv); }
  Eigen::VectorXd equality_residual() const override {
    Eigen::VectorXd out(data_->nefc);
    int count = 0;
    for (int i = 0; i < data_->nefc; ++i)
      if (data_->efc_type[i] == mjCNSTR_EQUALITY) out[count++] = data_->efc_pos[i];
    return out.head(count);
  }
  bool has_body(const std::string& name) const override { return library_.find(model_, mjOBJ_BODY, name.c_str()) >= 0; }
  bool has_geom(const std::string& name) const override { return library_.find(model_, mjOBJ_GEOM, name.c_str()) >= 0; }
  Eigen::VectorXd body_frame(const std::string& name) const override {
    return frame(data_->xpos, data_->xmat, id(mjOBJ_BODY, name));
  }
  Eigen::VectorXd geom_frame(const std::string& name) const override {
    return frame(data_->geom_xpos, data_->geom_xmat, id(mjOBJ_GEOM, name));
  }
  Eigen::VectorXd geom_size(const std::string& name) const override {
    return vector(model_->geom_size + 3 * id(mjOBJ_GEOM, name), 3);
  }
  double body_mass(const std::string& name) const override { return model_->body_mass[id(mjOBJ_BODY, name)]; }
  Eigen::VectorXd applied_force(const Eigen::VectorXd& v, const Eigen::VectorXd& controls) override {
    Eigen::Map<Eigen::VectorXd>(data_->qvel, model_->nv) = v;
    Eigen::Map<Eigen::VectorXd>(data_->ctrl, model_->nu) = controls;
    library_.forward(model_, data_);
    return vector(data_->qfrc_passive, model_->nv) + vector(data_->qfrc_actuator, model_->nv);
  }
  Eigen::Matrix3d inertia(const std::string& name) const override {
    const int body = id(mjOBJ_BODY, name);
    const mjtNum* q = model_->body_iquat + 4 * body;
    const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    return R * Eigen::Vector3d(vector(model_->body_inertia + 3 * body, 3)).asDiagonal() * R.transpose();
  }
  void set_inertia(const std::string& name, const Eigen::Matrix3d& inertia) override {
    const int body = id(mjOBJ_BODY, name);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(inertia);
    Eigen::Matrix3d R = principal.eigenvectors();
    if (R.determinant() < 0) R.col(0) = -R.col(0);
    const Eigen::Quaterniond q(R);
    mjtNum* out = model_->body_iquat + 4 * body;
    out[0] = q.w(), out[1] = q.x(), out[2] = q.y(), out[3] = q.z();
    Eigen::Map<Eigen::Vector3d>(model_->body_inertia + 3 * body) = principal.eigenvalues();
    // No short cuts for bodies whose principal axes are their own.
    model_->body_sameframe[body] = 0;
    for (int i = 0; i < model_->ngeom; ++i) model_->geom_sameframe[i] = 0;
    for (int i = 0; i < model_->nbody; ++i) model_->body_simple[i] = 0;
    for (int i = 0; i < model_->nv; ++i) model_->dof_simplenum[i] = 0;
  }
  std::vector<Contact> contacts() const override {
    std::vector<Contact> out;
    for (int i = 0; i < data_->ncon; ++i) {
      const mjContact& contact = data_->contact[i];
      out.push_back({library_.name(model_, mjOBJ_GEOM, contact.geom1), library_.name(model_, mjOBJ_GEOM, contact.geom2),
                     contact.dim == 1 ? 0 : contact.friction[0]});
    }
    return out;
  }

 private:
  int id(mjtObj kind, const std::string& name) const {
    const int found = library_.find(model_, kind, name.c_str());
    if (found < 0) throw std::runtime_error("MuJoCo knows no '" + name + "'");
    return found;
  }
  static Eigen::VectorXd frame(const mjtNum* positions, const mjtNum* rotations, int index) {
    Eigen::VectorXd out(12);
    out << vector(positions + 3 * index, 3), vector(rotations + 9 * index, 9);
    return out;
  }

  const Library& library_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

std::unique_ptr<Mujoco> Mujoco::load(const std::string& text) {
  const Library* library = Library::get();
  if (!library) return nullptr;
  return std::make_unique<Loaded>(*library, text);
}

}  // namespace mjcf_reference

#else

namespace mjcf_reference {

std::unique_ptr<Mujoco> Mujoco::load(const std::string&) { return nullptr; }

}  // namespace mjcf_reference

#endif

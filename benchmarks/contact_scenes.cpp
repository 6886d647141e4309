#include "contact_scenes.h"

#include <Eigen/Geometry>
#include <cmath>
#include <map>

namespace bench {

namespace {

constexpr double fall = -0.00981;  // [m/s], of a step of 1 ms

using Rows = Eigen::Matrix<double, 3, 6>;  // of one body in one contact

// Velocity of the contact point of one body in the frame of the contact.
Rows rows_of(const BodyContact& contact, const FreeBody& body, double sign) {
  const Eigen::Vector3d& n = contact.normal;
  const Eigen::Vector3d t1 = n.unitOrthogonal(), t2 = n.cross(t1), arm = contact.point - body.position;
  Rows rows;
  int r = 0;
  for (const Eigen::Vector3d& axis : {n, t1, t2}) {
    rows.row(r).head<3>() = sign * axis;
    rows.row(r++).tail<3>() = sign * arm.cross(axis);
  }
  return rows;
}

// Numbers between −1 and 1 that are the same everywhere.
class Scatter {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return 2 * static_cast<double>(state_ >> 11) * 0x1p-53 - 1;
  }

 private:
  unsigned long long state_ = 1;
};

void four_corners(ContactScene& scene, int below, int above, const Eigen::Vector3d& centre, double half_x,
                  double half_y) {
  for (const double x : {-half_x, half_x})
    for (const double y : {-half_y, half_y})
      scene.contacts.push_back({below, above, centre + Eigen::Vector3d(x, y, 0), Eigen::Vector3d::UnitZ()});
}

}  // namespace

routh::FrictionContactProblem ContactScene::problem() const {
  routh::FrictionContactProblem p;
  const int n = static_cast<int>(contacts.size());
  p.friction.assign(contacts.size(), friction);
  p.velocity = Eigen::VectorXd::Zero(3 * n);
  std::vector<std::vector<std::pair<int, Rows>>> touching(bodies.size());
  std::vector<std::map<int, Eigen::Matrix3d>> blocks(contacts.size());
  for (int i = 0; i < n; ++i)
    for (const auto& [index, sign] : {std::pair{contacts[i].below, -1.0}, std::pair{contacts[i].above, 1.0}}) {
      if (index < 0) continue;
      const FreeBody& body = bodies[index];
      const Rows rows = rows_of(contacts[i], body, sign);
      p.velocity.segment<3>(3 * i) += rows.leftCols<3>() * body.velocity;
      touching[index].push_back({i, rows});
    }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Eigen::Matrix<double, 6, 1> weight;
    weight << Eigen::Vector3d::Constant(bodies[b].inverse_mass), Eigen::Vector3d::Constant(bodies[b].inverse_inertia);
    for (const auto& [i, row_i] : touching[b])
      for (const auto& [j, row_j] : touching[b]) {
        const auto [place, fresh] = blocks[i].try_emplace(j, Eigen::Matrix3d::Zero());
        place->second += row_i * weight.asDiagonal() * row_j.transpose();
      }
  }
  routh::BlockMatrix d;
  d.row_start.push_back(0);
  for (const auto& row : blocks) {
    for (const auto& [j, block] : row) {
      d.column.push_back(j);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) d.values.push_back(block(r, c));
    }
    d.row_start.push_back(static_cast<int>(d.column.size()));
  }
  p.inertia = std::move(d);
  return p;
}

ContactScene box_tower(int boxes) {
  ContactScene scene{"tower of " + std::to_string(boxes), {}, {}};
  Scatter scatter;
  for (int i = 0; i < boxes; ++i) {
    FreeBody body;
    body.position = {0, 0, i + 0.5};
    body.velocity = {1e-3 * fall * scatter(), 1e-3 * fall * scatter(), fall};
    scene.bodies.push_back(body);
    four_corners(scene, i - 1, i, {0, 0, static_cast<double>(i)}, 0.5, 0.5);
  }
  return scene;
}

ContactScene brick_wall(int columns, int rows) {
  ContactScene scene{"wall of " + std::to_string(columns) + " x " + std::to_string(rows), {}, {}};
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < columns; ++k) {
      FreeBody body;
      const double shift = row % 2 == 0 ? 0 : 1;  // bricks are two wide
      body.position = {2.0 * k + shift, 0, row + 0.5};
      body.velocity = {0, 0, fall};
      body.inverse_mass = 0.5;
      body.inverse_inertia = 2;
      const int index = static_cast<int>(scene.bodies.size());
      scene.bodies.push_back(body);
      const double z = row;
      for (const double side : {-0.5, 0.5}) {
        const Eigen::Vector3d centre(body.position.x() + side, 0, z);
        // In odd rows a brick lies on k and k + 1 of the row below, in even ones on k − 1 and k.
        const int below = row == 0 ? -1 : (row - 1) * columns + k + (shift > 0 ? (side > 0) : -(side < 0));
        if (row > 0 && (below < (row - 1) * columns || below >= row * columns)) continue;
        four_corners(scene, below, index, centre, 0.45, 0.5);
      }
    }
  return scene;
}

ContactScene sphere_pile(int side) {
  ContactScene scene{"pile of " + std::to_string(side * side * side) + " spheres", {}, {}, 0.3};
  Scatter scatter;
  const auto index = [side](int i, int j, int k) { return (k * side + j) * side + i; };
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        FreeBody body;
        body.position = {i + 0.05 * scatter(), j + 0.05 * scatter(), k + 0.5 + 0.05 * scatter()};
        body.velocity = {0.1 * fall * scatter(), 0.1 * fall * scatter(), fall};
        body.inverse_inertia = 10;  // of a sphere of unit diameter
        scene.bodies.push_back(body);
      }
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const int me = index(i, j, k);
        const auto touch = [&](int other) {
          const Eigen::Vector3d a = scene.bodies[other].position, b = scene.bodies[me].position;
          scene.contacts.push_back({other, me, 0.5 * (a + b), (b - a).normalized()});
        };
        if (k == 0) {
          const Eigen::Vector3d& at = scene.bodies[me].position;
          scene.contacts.push_back({-1, me, {at.x(), at.y(), 0}, Eigen::Vector3d::UnitZ()});
        }
        if (k > 0) touch(index(i, j, k - 1));
        if (j > 0) touch(index(i, j - 1, k));
        if (i > 0) touch(index(i - 1, j, k));
      }
  return scene;
}

ContactScene gripper() {
  ContactScene scene{"gripper", {}, {}, 0.6};
  FreeBody box, left, right;
  box.velocity = {0, 0, fall};
  left.position = {-1, 0, 0};
  left.velocity = {0.02, 0, 0};
  left.inverse_mass = left.inverse_inertia = 1e-3;
  right = left;
  right.position = {1, 0, 0};
  right.velocity = {-0.02, 0, 0};
  scene.bodies = {box, left, right};
  for (const double side : {-0.5, 0.5})
    for (const double y : {-0.3, 0.3})
      for (const double z : {-0.3, 0.3})
        scene.contacts.push_back({side < 0 ? 1 : 2, 0, {side, y, z}, Eigen::Vector3d(side < 0 ? 1 : -1, 0, 0)});
  return scene;
}

ContactScene feet(int count) {
  ContactScene scene{std::to_string(4 * count) + " contacts of feet", {}, {}, 0.6};
  FreeBody body;
  body.position = {0, 0, 1};
  body.velocity = {0.2 * fall, 0.1 * fall, fall};
  scene.bodies.push_back(body);
  for (int foot = 0; foot < count; ++foot) {
    const double angle = 2 * M_PI * foot / count;
    four_corners(scene, -1, 0, {std::cos(angle), std::sin(angle), 0}, 0.1, 0.05);
  }
  return scene;
}

}  // namespace bench

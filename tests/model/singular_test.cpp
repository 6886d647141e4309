// Machines whose mass matrix is singular in every posture are refused, all others accepted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "model/machines.h"
#include "model/samples.h"
#include "routh/model/builder.h"

namespace routh {
namespace {

using Eigen::MatrixXd;
using testing_support::Masses;
using testing_support::Random;
using testing_support::random_tree;
using testing_support::Reference;
using testing_support::refusal;
using testing_support::scaled;
using testing_support::TreeOptions;

// Least eigenvalue of M with its diagonal scaled to one; 0 when an entry of the diagonal is 0.
double definiteness(const MatrixXd& M) {
  if (M.rows() == 0) return 1;
  if (!(M.diagonal().minCoeff() > 1e-14 * M.diagonal().maxCoeff())) return 0;
  const Eigen::VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd even = scale.asDiagonal() * M * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(even, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

MatrixXd part(const MatrixXd& M, const std::vector<int>& indices) {
  MatrixXd out(indices.size(), indices.size());
  for (std::size_t r = 0; r < indices.size(); ++r)
    for (std::size_t c = 0; c < indices.size(); ++c) out(r, c) = M(indices[r], indices[c]);
  return out;
}

std::string named_dof(const std::string& message) {
  const std::string before = "degree of freedom '";
  const std::size_t begin = message.find(before) + before.size();
  return message.substr(begin, message.find('\'', begin) - begin);
}

std::string message_of(const ModelBuilder& machine) {
  const auto error = refusal(machine.description());
  return error ? error->what() : "";
}

// The verdict and the degree of freedom against the dense matrix: what hangs from the one that is named, itself
// included, has a singular part of M in every posture.
TEST(Singular, AgreesWithTheDenseMassMatrix) {
  const int count = scaled(1500, 300);
  int singular = 0, sound = 0;
  for (int i = 0; i < count; ++i) {
    const auto seed = static_cast<std::uint64_t>(50000 + i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TreeOptions options;
    options.dimension = i % 3 == 0 ? Dimension::planar : Dimension::spatial;
    options.bodies = 1 + random.below(6);
    options.masses = Masses::some_missing;
    ModelDescription description = random_tree(random, options);
    for (JointDescription& joint : description.joints)
      if (random.chance(0.1)) {
        joint.dofs.resize(static_cast<std::size_t>(velocity_count(joint.kind)));
        for (DofDescription& dof : joint.dofs) dof.armature = random.chance(0.5) ? random.uniform(0.1, 1) : 0;
        if (joint.kind == JointKind::free)
          for (std::size_t k = 0; k < 3; ++k) joint.dofs[k].armature = 0;
      }
    const Reference reference(description);
    std::vector<MatrixXd> matrices;
    double best = 0;
    for (int k = 0; k < 4; ++k) {
      matrices.push_back(reference.mass_matrix(reference.random_posture(random)));
      best = std::max(best, definiteness(matrices.back()));
    }
    const auto error = refusal(description);
    if (best > 1e-7) {
      ++sound;
      ASSERT_FALSE(error) << error->what();
    } else if (best < 1e-13) {
      ++singular;
      ASSERT_TRUE(error);
      const auto names = reference.dof_names();
      const auto found = std::find(names.begin(), names.end(), named_dof(error->what()));
      ASSERT_NE(found, names.end()) << error->what();
      for (const MatrixXd& M : matrices)
        EXPECT_LT(definiteness(part(M, reference.subtree(static_cast<int>(found - names.begin())))), 1e-12);
    }
  }
  EXPECT_GT(singular, count / 8);
  EXPECT_GT(sound, count / 8);
  EXPECT_GT(singular + sound, count * 9 / 10);  // few lie between
}

TEST(Singular, NamesBodyDofPlaceAndRemedy) {
  ModelDescription description = testing_support::sample(Dimension::spatial);
  testing_support::body(description, "hand").mass = 0;
  testing_support::body(description, "hand").inertia = {};
  const auto error = refusal(description);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where().line, 30);
  EXPECT_EQ(error->message(), "body 'hand': no inertia resists the degree of freedom 'hand_joint'");
  EXPECT_EQ(error->remedy(), "give the body or one hanging from it mass or inertia, or weld it");
  testing_support::joint(description, "hand_joint").kind = JointKind::fixed;
  description.loops.clear();
  EXPECT_FALSE(refusal(description));
}

// A point mass on the axis, a rod without thickness about its own axis: zero but for rounding.
TEST(Singular, SeesThroughRounding) {
  ModelBuilder point(Dimension::spatial);
  point.body("bead").mass(1).com(0.1 * 3, 0.1 * 6, 0.1 * 9).revolute().axis(1, 2, 3);
  EXPECT_NE(message_of(point).find("no inertia resists the degree of freedom 'bead'"), std::string::npos);

  ModelBuilder rod(Dimension::spatial);
  const Matrix3 slant = rotation_from_z({1, 2, 3});
  rod.body("rod").mass(1).inertia(rotated(slant, Symmetric3{1, 1, 0, 0, 0, 0})).revolute().axis(1, 2, 3);
  EXPECT_NE(message_of(rod).find("no inertia resists"), std::string::npos);

  ModelBuilder free_point(Dimension::spatial);
  free_point.body("bead").mass(1).com(0.3, 0.1, 0.7).free();
  EXPECT_NE(message_of(free_point).find("'bead.w"), std::string::npos) << message_of(free_point);
}

// A point mass has three degrees of freedom, four joints one too many; none of them alone is to blame.
TEST(Singular, ExplainsJointsThatUndoEachOther) {
  ModelBuilder machine(Dimension::planar);
  machine.body("x").prismatic().axis(1, 0);
  machine.body("y").prismatic("x").axis(0, 1);
  machine.body("arm").mass(1).com(1, 0).revolute("y");
  const std::string message = message_of(machine);
  EXPECT_NE(message.find("no inertia of its own resists the degree of freedom 'x'"), std::string::npos) << message;
  EXPECT_NE(message.find("remove one of these joints"), std::string::npos);
}

TEST(Singular, APostureAloneIsNoReason) {
  // Two massless links in line with a point mass: at q = 0 both joints move it alike, elsewhere they do not.
  ModelBuilder machine(Dimension::planar);
  machine.body("inner").prismatic().axis(0, 1);
  machine.body("outer").mass(1).com(1, 0).revolute("inner");
  EXPECT_EQ(message_of(machine), "");
}

TEST(Singular, SmallInertiaIsInertia) {
  ModelBuilder needle(Dimension::spatial);  // 1 m long, 0.1 mm thick
  needle.body("needle").mass(1).inertia(1 / 12.0, 1 / 12.0, 1.25e-9).free();
  EXPECT_EQ(message_of(needle), "");

  ModelBuilder nearly(Dimension::planar);
  nearly.body("x").prismatic().axis(1, 0);
  nearly.body("y").prismatic("x").axis(0, 1);
  nearly.body("arm").mass(1).com(1, 0).inertia(1e-10).revolute("y");
  EXPECT_EQ(message_of(nearly), "");

  ModelBuilder dust(Dimension::planar);  // a grain on a ship
  dust.body("ship").mass(1e8).inertia(1e10).planar();
  dust.body("grain").mass(1e-12).inertia(1e-20).revolute("ship").at(100, 3);
  EXPECT_EQ(message_of(dust), "");

  ModelBuilder rotor(Dimension::planar);
  rotor.body("rotor").revolute().armature(1e-9);
  EXPECT_EQ(message_of(rotor), "");
}

// A machine far from the origin, and machines of any size.
TEST(Singular, NeitherPlaceNorUnitsMatter) {
  for (const double length : {1e-6, 1.0, 1e6})
    for (const double mass : {1e-9, 1.0, 1e9})
      for (const double away : {0.0, 1e7})
        for (const double tip : {0.0, 1.0}) {
          ModelBuilder machine(Dimension::spatial);
          machine.body("post").revolute().at(away * length, 0, 0).axis(0, 0, 1).armature(mass * length * length);
          machine.body("sled").mass(mass).revolute("post").axis(0, 1, 0).at(0, 0, length);
          machine.body("rail").prismatic("sled").axis(1, 0, 0).at(length, 0, 0);
          machine.body("tip").mass(mass * tip).com(0, length, 0).revolute("rail").axis(1, 0, 0);
          EXPECT_EQ(message_of(machine).empty(), tip > 0) << length << " " << mass << " " << away;
        }
}

TEST(Singular, AChainOfTenThousandIsSound) {
  ModelBuilder chain(Dimension::planar);
  std::string before = world_name;
  for (int i = 0; i < 10'000; ++i) {
    const std::string name = fmt::format("link{}", i);
    chain.body(name).mass(1).com(0, -0.5).inertia(1 / 12.0).revolute(before).at(0, i == 0 ? 0 : -1);
    before = name;
  }
  EXPECT_EQ(message_of(chain), "");
}

}  // namespace
}  // namespace routh

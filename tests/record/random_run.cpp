#include "random_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace testing_support {

namespace {

using namespace routh;

// Doubles of any size, now and then zero, a negative zero or a subnormal number.
double number(Random& random) {
  switch (random.below(12)) {
    case 0:
      return 0;
    case 1:
      return -0.0;
    case 2:
      return 4.9406564584124654e-324;
    case 3:
      return std::ldexp(random.normal(), random.below(2000) - 1000);
    default:
      return random.normal();
  }
}

Eigen::VectorXd numbers(Random& random, Eigen::Index count) {
  Eigen::VectorXd values(count);
  for (double& x : values) x = number(random);
  return values;
}

ContactVector contact_vector(Random& random) { return {number(random), number(random), number(random)}; }
Vector3 vector3(Random& random) { return {number(random), number(random), number(random)}; }

std::string word(Random& random, int k) {
  const std::array<const char*, 6> stems = {"knee",  "Fuß auf Boden", "tip on floor (corner 3)",
                                            "κνήμη", "膝, \"q\"",     ""};
  return fmt::format("{}{}", stems[static_cast<std::size_t>(random.below(6))], k);
}

State state(Random& random, const RunSize& size) {
  return {numbers(random, size.coordinates), numbers(random, size.velocities), number(random)};
}

EnergyAccount energy(Random& random) {
  return {number(random), number(random), number(random), number(random),
          number(random), number(random), number(random)};
}

ContactId contact_id(Random& random, const RunSize& size) {
  const int k = random.below(size.contacts);
  return {k % 3 - 1, k / 3};
}

std::string contact_name(ContactId id) {
  return id.feature == 2 ? std::string() : fmt::format("Kontakt „{}“, {}", id.pair, id.feature);
}

Sample sample(Random& random, const RunSize& size) {
  Sample s{state(random, size), energy(random), {}};
  for (int k = size.contacts == 0 ? 0 : random.below(4); k > 0; --k) {
    ActiveContact active;
    active.contact.id = contact_id(random, size);
    if (active.contact.id.pair < 0) {
      active.contact.kind = ContactKind::limit;
      active.contact.dof = 0;
      active.contact.direction = active.contact.id.feature == 0 ? 1 : -1;
    }
    active.contact.gap = number(random);
    active.contact.point = vector3(random);
    active.contact.normal = vector3(random);
    active.contact.tangent1 = vector3(random);
    active.mode = static_cast<ContactMode>(random.below(3));
    active.direction = {number(random), number(random)};
    active.force = contact_vector(random);
    if (random.chance(0.5)) active.jam_margin = random.uniform(-2, 2);
    if (active.jam_margin && random.chance(0.5)) active.slip_margin = random.uniform();
    s.active.push_back(active);
  }
  return s;
}

std::vector<Phase> phases(Random& random) {
  std::vector<Phase> list;
  for (int k = random.chance(0.5) ? 0 : random.below(5); k > 0; --k)
    list.push_back({static_cast<PhaseKind>(random.below(4)), static_cast<Stage>(random.below(2)), number(random),
                    number(random), number(random), contact_vector(random)});
  return list;
}

std::vector<PathPoint> points(Random& random) {
  std::vector<PathPoint> list;
  for (int k = random.chance(0.7) ? 0 : random.below(9); k > 0; --k)
    list.push_back({number(random), contact_vector(random), static_cast<Stage>(random.below(2))});
  return list;
}

Event event(Random& random, const RunSize& size) {
  Event e;
  e.time = number(random);
  e.kind = static_cast<EventKind>(random.below(event_kind_count));
  e.rule = static_cast<ImpactRule>(random.below(5));
  e.law = static_cast<Law>(random.below(law_count));
  for (int k = size.contacts == 0 ? 0 : random.below(4); k > 0; --k) {
    const ContactId id = contact_id(random, size);
    e.contacts.push_back({id, contact_name(id), contact_vector(random), contact_vector(random), contact_vector(random),
                          static_cast<ImpactMode>(random.below(8)), number(random), number(random), phases(random),
                          points(random)});
  }
  if (random.chance(0.4)) e.label = word(random, random.below(3));
  e.energy = {number(random), number(random), number(random), number(random), random.chance(0.5)};
  e.warnings = static_cast<std::uint32_t>(random.bits() & ((1u << warning_count) - 1));
  if (random.chance(0.8)) e.velocity_before = numbers(random, size.velocities);
  if (random.chance(0.8)) e.velocity_after = numbers(random, size.velocities);
  if (random.chance(0.8)) e.position = numbers(random, size.coordinates);
  e.error_bound = number(random);
  e.duration = number(random);
  return e;
}

Checkpoint checkpoint(Random& random, const RunSize& size) {
  Checkpoint c;
  c.state = state(random, size);
  c.step = number(random);
  c.accounts = numbers(random, random.below(5));
  const auto id = [&] { return ContactId{random.below(9) - 4, random.below(3)}; };
  const auto list = [&] {
    const Eigen::VectorXd values = numbers(random, random.below(5));
    return std::vector<double>(values.begin(), values.end());
  };
  for (int k = random.below(4); k > 0; --k)
    c.closed.push_back({id(),
                        static_cast<ContactMode>(random.below(3)),
                        number(random),
                        number(random),
                        random.below(2) == 1,
                        {number(random), number(random), number(random)}});
  for (int k = random.below(4); k > 0; --k) c.released.push_back(id());
  for (int k = random.below(4); k > 0; --k) c.bounces.push_back({id(), list(), list()});
  for (int k = random.below(4); k > 0; --k)
    c.pending.push_back({number(random), id(), number(random), static_cast<std::uint32_t>(random.below(1 << 16))});
  c.implicit = random.chance(0.5);
  c.stiff_count = random.below(100);
  c.initial_energy = number(random);
  c.gained = number(random);
  c.calm_until = number(random);
  c.burst_start = number(random);
  c.resolve_time = number(random);
  c.in_burst = random.below(100);
  c.resolves = random.below(100);
  c.events = random.below(1000);
  c.steps = (1L << 40) + random.below(1000);
  c.blows = random.below(100);
  c.origin = number(random);
  c.count = random.below(1000);
  c.acceleration = numbers(random, random.below(5));
  Checkpoint::Crowd& crowd = c.crowd;
  crowd.under_way = random.chance(0.5);
  for (double* const value :
       {&crowd.begin, &crowd.calm_since, &crowd.wait, &crowd.followed_since, &crowd.tangential_work, &crowd.dissipated,
        &crowd.supplied, &crowd.energy, &crowd.time, &crowd.last_dissipated, &crowd.stretch_begin, &crowd.stretch_time})
    *value = number(random);
  crowd.stretch_steps = random.below(1000);
  crowd.velocity = numbers(random, random.below(5));
  for (int k = random.below(4); k > 0; --k)
    crowd.shares.push_back({id(), {number(random), number(random), number(random)}});
  for (int k = random.below(4); k > 0; --k) crowd.recent.push_back({number(random), id()});
  return c;
}

RunInfo info(Random& random, const RunSize& size) {
  RunInfo i;
  i.program_version = "1.2.3";
  i.scene_name = word(random, 1);
  i.scene_path = random.chance(0.5) ? "" : "scenes/Gelenk ö.yaml";
  for (int k = random.below(300); k > 0; --k) i.scene_text += word(random, k) + "\n";
  i.created = "2024-05-06T07:08:09Z";
  i.seed = static_cast<long long>(random.bits());
  i.engine = static_cast<EngineKind>(random.below(3));
  i.tolerance = number(random);
  i.sample_interval = number(random);
  i.options_json = "{\"law\":\"energetic\"}";
  for (int k = 0; k < size.coordinates; ++k) {
    i.coordinate_names.push_back(word(random, k));
    i.coordinate_units.push_back(k % 2 == 0 ? "rad" : "m");
  }
  for (int k = 0; k < size.velocities; ++k) {
    i.velocity_names.push_back(word(random, k));
    i.velocity_units.push_back(k % 2 == 0 ? "rad/s" : "m/s");
  }
  i.dimension = random.chance(0.5) ? Dimension::planar : Dimension::spatial;
  return i;
}

}  // namespace

RunSize random_size(Random& random) {
  RunSize size;
  size.coordinates = random.below(6);
  size.velocities = random.chance(0.2) ? 0 : random.below(6);
  size.samples = random.chance(0.2) ? 0 : random.below(700);
  size.events = random.chance(0.2) ? 0 : random.below(400);
  size.contacts = random.below(9);
  return size;
}

routh::RunData random_run(Random& random, const RunSize& size) {
  RunData run;
  run.info = info(random, size);
  for (int k = 0; k < size.samples; ++k) run.samples.push_back(sample(random, size));
  for (int k = 0; k < size.events; ++k) run.events.push_back(event(random, size));
  run.outcome.status = static_cast<SimulationStatus>(random.below(11));
  run.outcome.message = std::string(static_cast<std::size_t>(random.below(3) * random.below(50000)), 'm');
  run.outcome.time = number(random);
  run.outcome.energy = energy(random);
  run.outcome.statistics = {random.below(99), random.below(99),
                            random.below(99), random.below(99),
                            random.below(99), random.below(99),
                            random.below(99), number(random),
                            number(random),   number(random),
                            random.below(99), number(random),
                            number(random),   {}};
  for (long& count : run.outcome.statistics.warnings) count = random.below(99);
  run.outcome.checkpoint = checkpoint(random, size);
  if (random.chance(0.5)) run.outcome.state = state(random, size);
  return run;
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "routh_record_XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::content() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace testing_support

#include "routh/report/decimate.h"

#include <algorithm>

#include "routh/record/run_fields.h"
#include "routh/report/tolerances.h"

namespace routh::internal {

namespace {

using Marks = std::vector<bool>;

std::size_t marked_count(const Marks& marks) {
  return static_cast<std::size_t>(std::count(marks.begin(), marks.end(), true));
}

// Evenly `count` of 0 … size − 1, the ends among them.
std::vector<std::size_t> evenly(std::size_t size, std::size_t count) {
  std::vector<std::size_t> out;
  if (count == 0 || size == 0) return out;
  if (size <= count) {
    for (std::size_t k = 0; k < size; ++k) out.push_back(k);
    return out;
  }
  if (count == 1) return {0};
  for (std::size_t k = 0; k < count; ++k) out.push_back(k * (size - 1) / (count - 1));
  return out;
}

// A number of a sample that a plot shows.
class Channels {
 public:
  explicit Channels(const RunData& run) : run_(run) {
    coordinates_ = run.samples.empty() ? 0 : static_cast<std::size_t>(run.samples.front().state.q.size());
  }
  std::size_t count() const { return sampled_accounts.size() + coordinates_; }
  double value(std::size_t sample, std::size_t channel) const {
    const Sample& s = run_.samples[sample];
    if (channel < sampled_accounts.size()) return s.energy.*sampled_accounts[channel].account;
    return s.state.q[static_cast<Eigen::Index>(channel - sampled_accounts.size())];
  }

 private:
  const RunData& run_;
  std::size_t coordinates_ = 0;
};

// The least and the greatest of each channel within [begin, end).
void mark_extremes(const Channels& channels, std::size_t begin, std::size_t end, Marks& marks) {
  for (std::size_t channel = 0; channel < channels.count(); ++channel) {
    std::size_t least = begin, greatest = begin;
    for (std::size_t k = begin + 1; k < end; ++k) {
      const double value = channels.value(k, channel);
      if (value < channels.value(least, channel)) least = k;
      if (value > channels.value(greatest, channel)) greatest = k;
    }
    marks[least] = marks[greatest] = true;
  }
}

Marks with_stretches(const Channels& channels, const Marks& wanted, std::size_t stretches) {
  Marks marks = wanted;
  const std::size_t size = marks.size();
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = k * size / stretches, end = (k + 1) * size / stretches;
    if (begin < end) mark_extremes(channels, begin, end, marks);
  }
  return marks;
}

// As many stretches as the limit allows. How many samples a stretch keeps is not known before: two where everything
// rises or falls, two for each channel at most.
Marks fill_up(const RunData& run, const Marks& wanted, std::size_t limit) {
  const Channels channels(run);
  const std::size_t taken = marked_count(wanted);
  if (taken >= limit) return wanted;
  Marks best = wanted;
  std::size_t stretches = std::max<std::size_t>(1, (limit - taken) / 2), best_count = taken;
  for (int attempt = 0; attempt < 8 && stretches > 0; ++attempt) {
    const Marks marks = with_stretches(channels, wanted, stretches);
    const std::size_t count = marked_count(marks);
    if (count <= limit && count > best_count) {
      best = marks;
      best_count = count;
    }
    const double each = static_cast<double>(count - taken) / static_cast<double>(stretches);
    const auto next = static_cast<std::size_t>(tolerances::decimation_share * static_cast<double>(limit - taken) /
                                               std::max(each, tolerances::samples_per_stretch_min));
    if (count <= limit && (count > 9 * limit / 10 || next <= stretches)) break;
    stretches = std::min(next, limit);
  }
  return best;
}

// A run that begins with an impact has its first sample after it.
bool shows_after(const Sample& sample, const Event& event) {
  const Eigen::VectorXd& v = sample.state.v;
  if (event.velocity_before.size() != v.size() || event.velocity_after.size() != v.size()) return false;
  return (v - event.velocity_after).norm() < (v - event.velocity_before).norm();
}

}  // namespace

EventSamples samples_about(const std::vector<Sample>& samples, const Event& event) {
  const double time = event.time;
  const auto earlier = [](const Sample& sample, double t) { return sample.state.time < t; };
  const auto later = [](double t, const Sample& sample) { return t < sample.state.time; };
  const auto first = std::lower_bound(samples.begin(), samples.end(), time, earlier);
  const auto end = std::upper_bound(first, samples.end(), time, later);
  const auto index = [&](auto place) {
    const auto k = static_cast<std::size_t>(place - samples.begin());
    return std::min(k, samples.empty() ? 0 : samples.size() - 1);
  };
  if (end - first >= 2) return {index(first), index(end - 1)};
  if (end != first)
    return shows_after(*first, event) ? EventSamples{index(first), index(first)}
                                      : EventSamples{index(first), index(end)};
  return {first == samples.begin() ? 0 : index(first - 1), index(first)};
}

std::size_t Decimation::sample_after(const RunData& run, const Event& event) const {
  const std::size_t wanted = samples_about(run.samples, event).after;
  const auto found = std::lower_bound(samples.begin(), samples.end(), wanted);
  if (found == samples.end()) return samples.empty() ? 0 : samples.size() - 1;
  return static_cast<std::size_t>(found - samples.begin());
}

Decimation decimate(const RunData& run, const DecimationLimits& limits) {
  Decimation out;
  out.events = evenly(run.events.size(), limits.events);
  const std::size_t size = run.samples.size();
  Marks marks(size, size <= limits.samples);
  if (size > limits.samples) {
    marks.front() = marks.back() = true;
    const std::vector<std::size_t> shown = evenly(out.events.size(), limits.event_samples / 2);
    for (const std::size_t k : shown) {
      const EventSamples about = samples_about(run.samples, run.events[out.events[k]]);
      marks[about.before] = marks[about.after] = true;
    }
    out.bare_events = out.events.size() - shown.size();
    // Many events must not leave the motion between them without samples.
    marks = fill_up(run, marks, std::max(limits.samples, marked_count(marks) + limits.samples / 2));
  }
  for (std::size_t k = 0; k < size; ++k)
    if (marks[k]) out.samples.push_back(k);
  return out;
}

}  // namespace routh::internal

#include "routh/study/fit_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "routh/math/elementary.h"
#include "routh/study/tolerances.h"

namespace routh::internal {

namespace {

double part(const ContactVector& v, std::size_t k) { return k == 0 ? v.n : k == 1 ? v.t1 : v.t2; }

double length(const std::vector<double>& v) {
  double sum = 0;
  for (const double each : v) sum += each * each;
  return std::sqrt(sum);
}

// A factor on what one column of machine velocities was measured to change by.
struct Doubt {
  std::size_t column = 0;
  double factor = 1;
};

// What was measured to change, in deviations.
std::vector<double> change_of(const MeasuredImpact& impact, const Doubt& doubt) {
  std::vector<double> out;
  for (const Measurement& m : impact.measured)
    out.push_back((m.value - m.offset) / m.deviation * (m.column == doubt.column ? doubt.factor : 1));
  return out;
}

// The impulse that explains most of `left`, by least squares: Gram and Schmidt, twice, over the columns of gains.
struct BestImpulse {
  double share = 0;  // ‖what is left then‖/‖what was‖
  std::array<double, 3> impulse{};
};
std::optional<BestImpulse> best_impulse(const MeasuredImpact& impact, std::size_t directions,
                                        std::vector<double> left) {
  const std::size_t n = impact.measured.size();
  const double change = length(left);
  if (!(change > 0)) return std::nullopt;
  std::array<std::vector<double>, 3> q;
  std::array<std::array<double, 3>, 3> r{};
  std::array<double, 3> along{};
  for (std::size_t j = 0; j < directions; ++j) {
    q[j].resize(n);
    for (std::size_t k = 0; k < n; ++k) q[j][k] = part(impact.measured[k].gain, j) / impact.measured[k].deviation;
    const double whole = length(q[j]);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < j; ++i) {
        const double c = std::inner_product(q[i].begin(), q[i].end(), q[j].begin(), 0.0);
        r[i][j] += c;
        for (std::size_t k = 0; k < n; ++k) q[j][k] -= c * q[i][k];
      }
    r[j][j] = length(q[j]);
    if (!(r[j][j] > tolerances::dependent_gain * whole)) return std::nullopt;
    for (double& each : q[j]) each /= r[j][j];
    along[j] = std::inner_product(q[j].begin(), q[j].end(), left.begin(), 0.0);
    for (std::size_t k = 0; k < n; ++k) left[k] -= along[j] * q[j][k];
  }
  BestImpulse out;
  out.share = length(left) / change;
  for (std::size_t j = directions; j-- > 0;) {
    out.impulse[j] = along[j];
    for (std::size_t i = j + 1; i < directions; ++i) out.impulse[j] -= r[j][i] * out.impulse[i];
    out.impulse[j] /= r[j][j];
  }
  return out;
}

std::size_t directions_of(const FitData& data) { return data.dimension == Dimension::planar ? 2 : 3; }

std::optional<std::vector<double>> least_shares(const FitData& data, const Doubt& doubt) {
  std::vector<double> out;
  for (const MeasuredImpact& impact : data.impacts) {
    if (impact.measured.size() <= directions_of(data)) return std::nullopt;
    if (const auto best = best_impulse(impact, directions_of(data), change_of(impact, doubt)))
      out.push_back(best->share);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

// A column whose sign or unit, changed, makes the data ones of an impulse at the contact.
void remark_columns(const FitData& data, double least, std::vector<std::string>& remarks) {
  struct Mistake {
    double factor;
    const char* words;
  };
  static constexpr Mistake mistakes[] = {
      {-1, "with the other sign: its axis is mirrored, or those of the others are"},
      {std::numbers::pi / 180, "taken as degrees"},
      {1.0 / 1000, "taken as thousandths"},
  };
  double best = tolerances::doubtful_share * least;
  std::string words;
  for (std::size_t column = 0; column < data.columns.size(); ++column) {
    if (data.columns[column].rfind("after.velocity", 0) != 0) continue;
    for (const Mistake& mistake : mistakes) {
      const auto shares = least_shares(data, {column, mistake.factor});
      if (!shares || !(mean_share(*shares) < best)) continue;
      best = mean_share(*shares);
      words = fmt::format(
          "{} {}. Then the best impulse at the contact leaves {:.1f} % of the change; as given it leaves {:.1f} %",
          data.columns[column], mistake.words, 100 * best, 100 * least);
    }
  }
  if (!words.empty()) remarks.push_back("these data look wrong: " + words);
}

// Rows beyond the upper quartile as a box plot draws it, on a scale of logarithms.
void remark_rows(const FitData& data, std::vector<std::string>& remarks) {
  std::vector<std::pair<double, std::size_t>> shares;
  for (std::size_t row = 0; row < data.impacts.size(); ++row)
    if (const auto best =
            best_impulse(data.impacts[row], directions_of(data), change_of(data.impacts[row], {no_column})))
      shares.emplace_back(best->share, row);
  std::sort(shares.begin(), shares.end());
  const double lower = shares[shares.size() / 4].first, upper = shares[3 * shares.size() / 4].first;
  if (!(lower > tolerances::exact_share)) return;
  const double fence = upper * (upper / lower) * std::sqrt(upper / lower);
  std::string names;
  std::size_t count = 0;
  for (auto it = shares.rbegin(); it != shares.rend() && it->first > fence; ++it)
    if (++count <= tolerances::named_rows)
      names += fmt::format("{}{} ({:.0f} %)", names.empty() ? "" : ", ", it->second + 1, 100 * it->first);
  if (count > 0)
    remarks.push_back(
        fmt::format("no impulse at the contact explains the change of {} of {} impacts as well as the "
                    "rest; rows {}{}",
                    count, data.impacts.size(), names, count > tolerances::named_rows ? ", …" : ""));
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> out(values.size());
  for (std::size_t begin = 0; begin < order.size();) {  // equal values share their mean rank
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t k = begin; k < end; ++k) out[order[k]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return out;
}

// Spearman's.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double mean = static_cast<double>(x.size() - 1) / 2;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean) * (x[k] - mean);
    yy += (y[k] - mean) * (y[k] - mean);
    xy += (x[k] - mean) * (y[k] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

// How far the rebound of each impact is from that of the law, over the approach, and with what was known before it
// goes.
void remark_restitution(const FitData& data, const std::vector<double>& residuals, std::vector<std::string>& remarks) {
  std::vector<double> e, slip, approach;
  std::vector<std::vector<double>> before(data.columns.size());
  auto next = residuals.begin();
  for (const MeasuredImpact& impact : data.impacts) {
    const auto end = next + static_cast<std::ptrdiff_t>(impact.measured.size());
    const ContactVector& v = impact.problem.velocity;
    const auto best = best_impulse(impact, directions_of(data), {next, end});
    next = end;
    if (!best || !(v.n < 0)) continue;
    const ContactInertia& d = impact.problem.inertia;
    e.push_back((d.a * best->impulse[0] + d.c1 * best->impulse[1] + d.c2 * best->impulse[2]) / -v.n);
    slip.push_back(elementary::hypot(v.t1, v.t2) / -v.n);
    approach.push_back(-v.n);
    for (const Measurement& m : impact.measured) before[m.column].push_back(m.offset);
  }
  if (e.size() < tolerances::trend_impacts) return;
  double mean = 0, squares = 0;
  for (const double each : e) mean += each / static_cast<double>(e.size());
  for (const double each : e) squares += (each - mean) * (each - mean);
  std::vector<std::pair<double, std::string>> trends = {
      {rank_correlation(e, slip), "the slip before, over the approach"},
      {rank_correlation(e, approach), "the speed of approach"}};
  for (std::size_t k = 0; k < data.columns.size(); ++k)
    if (data.columns[k].rfind("after.velocity", 0) == 0 && before[k].size() == e.size())
      trends.emplace_back(rank_correlation(e, before[k]), data.columns[k].substr(6) + " before");
  std::stable_sort(trends.begin(), trends.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  const double told = std::max(tolerances::trend_told, 4 / std::sqrt(static_cast<double>(e.size())));
  std::string words;
  for (const auto& [r, what] : trends)
    if (std::abs(r) > told) words += fmt::format("{}{} ({:.2f})", words.empty() ? "" : ", ", what, r);
  if (!words.empty())
    remarks.push_back(
        fmt::format("restitution scatters by {:.3f} about what the best law says, and goes with {} (rank correlation): "
                    "the law does "
                    "not know that",
                    std::sqrt(squares / static_cast<double>(e.size() - 1)), words));
}

}  // namespace

std::vector<double> unexplained_shares(const FitData& data, const std::vector<double>& residuals) {
  std::vector<double> out;
  std::size_t place = 0;
  for (const MeasuredImpact& impact : data.impacts) {
    double left = 0, change = 0;
    for (const Measurement& m : impact.measured) {
      const double all = (m.value - m.offset) / m.deviation;
      change += all * all;
      left += residuals[place] * residuals[place];
      ++place;
    }
    if (change > 0) out.push_back(std::sqrt(left / change));
  }
  return out;
}

double mean_share(const std::vector<double>& shares) {
  double sum = 0;
  for (const double each : shares) sum += each;
  return shares.empty() ? 0 : sum / static_cast<double>(shares.size());
}

std::optional<std::vector<double>> least_shares(const FitData& data) { return least_shares(data, {no_column}); }

std::vector<std::string> impact_remarks(const FitData& data, const std::vector<double>& residuals) {
  std::vector<std::string> out;
  const auto least = least_shares(data);
  if (!least) return out;
  if (mean_share(*least) > tolerances::exact_share) remark_columns(data, mean_share(*least), out);
  remark_rows(data, out);
  remark_restitution(data, residuals, out);
  return out;
}

}  // namespace routh::internal

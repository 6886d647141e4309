// What measured impacts say without any law: how much of each change an impulse at the contact can explain at all,
// columns whose sign or unit is wrong, rows unlike the rest, and with what restitution goes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/study/fit_data.h"

namespace routh::internal {

// ‖residuals‖/‖change‖ of each impact in the norm of the deviations, nothing where nothing changed.
std::vector<double> unexplained_shares(const FitData& data, const std::vector<double>& residuals);
// The mean of them; 0 of none.
double mean_share(const std::vector<double>& shares);

// The least share that any impulse leaves, by impact; none where there are no more measurements than impulses.
std::optional<std::vector<double>> least_shares(const FitData& data);

// Sentences about columns, rows, and what the best law, whose residuals these are, leaves of restitution.
std::vector<std::string> impact_remarks(const FitData& data, const std::vector<double>& residuals);

}  // namespace routh::internal

// `routh predict`: the distribution of recorded throws' paths.
#pragma once

#include "routh/recording/predict.h"
#include "throws_command.h"

namespace routh {

struct PredictCommandOptions {
  ThrowsOptions throws;
  std::optional<Law> law;
  std::string estimate;  // what identify -o wrote
  std::vector<std::string> regions;
  int draws = 64;
  std::uint64_t seed = 0;
  double widen = 1;
  std::optional<double> duration;
  std::string csv, html;
};
ExitCode run_predict(const PredictCommandOptions& options, const Terminal& terminal);

std::string predict_table(const Terminal& terminal, const PredictReport& report);

}  // namespace routh

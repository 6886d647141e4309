// `routh map`: a verdict or a number of a contact over a plane of two variables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exit_code.h"
#include "options.h"
#include "page_output.h"
#include "picture_output.h"
#include "routh/impact/surface.h"
#include "routh/map/verdict_map.h"
#include "scene_source.h"
#include "terminal.h"

namespace routh {

// As typed; what it means depends on the file.
struct MapCommandOptions {
  SourceFile file;
  std::string x, y;                 // NAME=LOW:HIGH
  std::string show;                 // a quantity; empty: chosen by the question
  std::string points = "400";       // N or NxM
  std::string contact;              // of a scene; empty: the first that touches
  std::vector<std::string> adjust;  // degrees of freedom; empty: all
  std::vector<std::string> set;     // NAME=VALUE
  PictureFiles pictures;
  std::string csv;  // file to write
  PageOptions page;
  std::optional<Law> law;
  int threads = 0;  // 0: as many as the machine has
  MapRefinement refinement = MapRefinement::adaptive;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_map(const MapCommandOptions& options, const Terminal& terminal);

}  // namespace routh

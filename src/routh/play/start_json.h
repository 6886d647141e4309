// What a page computes with: a machine, a start and the settings of its run, as JSON that gives every number back to
// the bit. It says what readers of files have made of a scene, so whoever reads it needs neither YAML nor meshes'
// files.
#pragma once

#include <string>

#include "routh/simulation/simulator.h"

namespace routh::internal {

struct PlayStart {
  ModelDescription description;
  State state;
  SimulationOptions options;
};

// {"description", "state", "options", "hulls"}: members as in C++, enumerations by name, infinity as text. Places in
// files are left out.
std::string start_json(const PlayStart& start);
// Throws InputError for what such a text does not say.
PlayStart start_from_json(const std::string& text);

// The text with other values: `changes` is an object of values by JSON pointer [RFC 6901], as in
// {"/description/surfaces/0/properties/friction/kinetic": 0.3}. Throws InputError for what the text does not have.
std::string changed_start(const std::string& text, const std::string& changes);

}  // namespace routh::internal

// The problem files of tests/data/problems.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "routh/text/document.h"

namespace testing_support {

inline std::string problems_folder(const std::string& name) { return ROUTH_TEST_DATA "/problems/" + name; }

// Paths of the files in good/ or bad/, sorted.
inline std::vector<std::string> sample_paths(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(problems_folder(folder)))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::string content(const std::string& path) { return routh::read_text_file(path, 1 << 20); }

// A planar problem with one value replaced or, when its key is new, added.
inline std::string planar_with(const std::string& key, const std::string& value) {
  std::vector<std::pair<std::string, std::string>> entries = {
      {"delassus", "[[1,0.2],[0.2,3]]"}, {"contact_velocity", "[-1,0.5]"}, {"friction", "0.3"}, {"restitution", "0.5"}};
  const auto same = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
  if (same != entries.end())
    same->second = value;
  else
    entries.emplace_back(key, value);
  std::string text = "{";
  for (const auto& [name, entry] : entries) text += (text.size() > 1 ? ",\"" : "\"") + name + "\":" + entry;
  return text + "}";
}

}  // namespace testing_support

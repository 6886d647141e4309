// Where the files that a robot names stand.
#include <fmt/format.h>

#include <filesystem>

#include "routh/robot/robot_reading.h"

namespace routh::internal {

namespace {

namespace fs = std::filesystem;

std::string if_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) ? path.lexically_normal().string() : std::string();
}

}  // namespace

// Below a folder that the user named, or below a folder above the robot's file, which may itself have the package's
// name.
const std::vector<std::string>& RobotPaths::folders_of(const std::string& package, const std::string& file) {
  const auto [entry, added] = folders_.try_emplace(package);
  std::vector<std::string>& folders = entry->second;
  if (!added) return folders;
  std::error_code error;
  const auto add = [&](const fs::path& folder) {
    if (fs::is_directory(folder, error)) folders.push_back(folder.string());
  };
  for (const std::string& named : packages_) add(fs::path(named) / package);
  fs::path above = fs::absolute(file, error).lexically_normal().parent_path();
  for (int level = 0; level < 64 && !above.empty(); ++level, above = above.parent_path()) {
    if (above.filename() == package) folders.push_back(above.string());
    add(above / package);
    if (!above.has_relative_path()) break;
  }
  return folders;
}

std::vector<std::string> RobotPaths::candidates(const std::string& uri, const std::string& file) {
  for (const std::string_view scheme : {"package://", "model://"})
    if (uri.starts_with(scheme)) {
      const std::size_t slash = uri.find('/', scheme.size());
      if (slash == std::string::npos || slash == scheme.size()) return {};
      std::vector<std::string> paths;
      for (const std::string& folder : folders_of(uri.substr(scheme.size(), slash - scheme.size()), file))
        paths.push_back((fs::path(folder) / fs::path(uri.substr(slash)).relative_path()).lexically_normal().string());
      return paths;
    }
  constexpr std::string_view file_scheme = "file://";
  const fs::path path = uri.starts_with(file_scheme) ? uri.substr(file_scheme.size()) : uri;
  if (path.empty()) return {};
  return {(path.is_absolute() ? path : fs::path(file).parent_path() / path).lexically_normal().string()};
}

std::string RobotPaths::find(const std::string& uri, const std::string& file) {
  for (const std::string& path : candidates(uri, file))
    if (std::string found = if_file(path); !found.empty()) return found;
  return {};
}

std::vector<std::string> RobotPaths::searched(const std::string& uri, const std::string& file) {
  std::vector<std::string> paths = candidates(uri, file);
  if (!paths.empty()) return paths;
  const std::size_t name = uri.find("//") == std::string::npos ? 0 : uri.find("//") + 2;
  return {fmt::format("a folder '{}' beside or above the file and in the folders given as packages",
                      printable(uri.substr(name, uri.find('/', name) - name)))};
}

std::string find_file(const std::string& uri, const std::string& file, const RobotOptions& options) {
  return RobotPaths(options).find(uri, file);
}

}  // namespace routh::internal

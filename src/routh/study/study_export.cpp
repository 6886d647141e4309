#include "routh/study/study_export.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "routh/file/temporary_file.h"
#include "routh/record/csv.h"
#include "routh/record/npz.h"
#include "routh/record/sealed_reader.h"
#include "routh/study/writer.h"

namespace routh::internal {

namespace {

struct StudyTable {
  std::vector<std::string> columns;             // parameters, then measures
  std::vector<std::vector<std::string>> words;  // of each the names of its codes; none of numbers
  std::vector<double> values;                   // row by row
  std::vector<std::string> faults;              // of each row; empty: none
};

struct StudyContent {
  std::string summary_json, summary_csv;
  std::optional<StudyTable> table;
};

bool is_study(const hdf::Node& root) {
  try {
    return root.text("format") == "routh study";
  } catch (const hdf::Failure&) {
    return false;
  }
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

StudyTable read_table(const hdf::Node& root) {
  StudyTable table;
  const hdf::Node group = root.group("table");
  table.columns = group.texts_of("values", "columns");
  for (const std::string& words : group.texts_of("values", "words")) table.words.push_back(split(words));
  table.values = group.read<double>("values", static_cast<long long>(table.columns.size()));
  const std::vector<std::string> names = root.group("failures").texts("fault_names");
  for (const std::int32_t code : group.read<std::int32_t>("faults"))
    table.faults.push_back(code <= 0 ? "" : names.at(static_cast<std::size_t>(code)));
  if (table.words.size() != table.columns.size() || table.values.size() != table.faults.size() * table.columns.size())
    throw hdf::Failure("the table's columns differ in length");
  return table;
}

StudyContent read_content(const std::string& path) {
  StudyContent content;
  const auto check = [](const hdf::Node& root, const Location& where) {
    if (!is_study(root))
      throw InputError(where, "this HDF5 file is not the result of a study",
                       "give one that `routh sweep -o` has written");
    if (root.integer("schema") < study_file_schema)
      throw InputError(where, "the file is of an older Routh, without what an export needs", "run the study again");
  };
  const auto read = [&](const hdf::Node& root) {
    content.summary_json = root.read_text("summary_json");
    content.summary_csv = root.read_text("summary_csv");
    if (root.has("table")) content.table = read_table(root);
  };
  read_sealed_file(path, Seal::wanted, {"result of a study", "routh sweep", check, read});
  return content;
}

std::string table_csv(const StudyTable& table) {
  std::string text = "sample,fault";
  for (const std::string& column : table.columns) text += "," + csv_field(column);
  text += "\n";
  const std::span<const double> values = table.values;
  for (std::size_t row = 0; row < table.faults.size(); ++row)
    append_sample(row, table.faults[row], values.subspan(row * table.columns.size(), table.columns.size()), table.words,
                  text);
  return text;
}

void write_csv(const StudyContent& content, const std::string& output) {
  if (is_special_file(output)) return write_whole_file(output, content.summary_csv);
  TemporaryFile summary(output);
  summary.write(content.summary_csv);
  if (content.table) {
    TemporaryFile table(samples_path(output));
    table.write(table_csv(*content.table));
    table.move_to_target();
  }
  summary.move_to_target();
}

void add_column(const StudyTable& table, std::size_t column, NpzArchive& archive) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  const std::vector<std::string>& words = table.words[column];
  for (std::size_t row = 0; row < table.faults.size(); ++row) {
    const double value = table.values[row * table.columns.size() + column];
    numbers.push_back(value);
    const bool known = std::isfinite(value) && value >= 0 && value < static_cast<double>(words.size());
    texts.push_back(known ? words[static_cast<std::size_t>(value)] : "");
  }
  if (words.empty())
    archive.add(table.columns[column], numbers);
  else
    archive.add(table.columns[column], texts);
}

// `MEASURE.mean`, and lists as `MEASURE.quantiles`, each with its share, and `MEASURE.bins`, each with its name.
void add_summary(const nlohmann::json& measures, NpzArchive& archive) {
  const auto number = [](const nlohmann::json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  for (const auto& [measure, statistics] : measures.items())
    for (const auto& [name, value] : statistics.items()) {
      const std::string key = "summary." + measure + "." + name;
      if (value.is_number()) {
        archive.add(key, std::vector<double>{value.get<double>()});
      } else if (value.is_array()) {
        std::vector<double> numbers, shares;
        std::vector<std::string> labels;
        for (const auto& entry : value) {
          numbers.push_back(number(entry.at(1)));
          if (entry.at(0).is_number())
            shares.push_back(entry.at(0).get<double>());
          else
            labels.push_back(entry.at(0).get<std::string>());
        }
        archive.add(key, numbers);
        if (labels.empty())
          archive.add(key + ".shares", shares);
        else
          archive.add(key + ".labels", labels);
      }
    }
}

std::string content_npz(const StudyContent& content) {
  NpzArchive archive;
  if (content.table) {
    archive.add("fault", content.table->faults);
    for (std::size_t k = 0; k < content.table->columns.size(); ++k) add_column(*content.table, k, archive);
  }
  add_summary(nlohmann::json::parse(content.summary_json).at("measures"), archive);
  return archive.finish();
}

}  // namespace

bool is_study_file(const std::string& path) { return is_sealed_file(path, is_study); }

void export_study(const std::string& file, ExportFormat format, const std::string& output) {
  const StudyContent content = read_content(file);
  switch (format) {
    case ExportFormat::csv:
      return write_csv(content, output);
    case ExportFormat::json:
      return write_whole_file(output, content.summary_json + "\n");
    case ExportFormat::npz:
      return write_whole_file(output, content_npz(content));
  }
}

}  // namespace routh::internal

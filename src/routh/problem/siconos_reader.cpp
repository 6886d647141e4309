#include "routh/problem/siconos_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <utility>

#include "routh/base/error.h"
#include "routh/base/number.h"
#include "routh/problem/block_assembler.h"

namespace routh::internal {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

// The words of a text with their places.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool at_end() {
    skip();
    return at_ == text_.size();
  }

  std::string_view next(const std::string& what) {
    skip();
    word_line_ = line_;
    word_column_ = static_cast<int>(at_ - line_begin_) + 1;
    if (at_ == text_.size())
      fail(fmt::format("the file ends where {} is expected", what), "it is cut off, or its counts are wrong");
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(blanks, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  int integer(const std::string& what, int low, int high) {
    const std::string_view word = next(what);
    long long value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size())
      fail(fmt::format("{}: found '{}' where an integer is expected", what, printable(std::string(word))));
    if (value < low || value > high)
      fail(fmt::format("{} = {}", what, value),
           low == high ? fmt::format("{} is expected here", low) : fmt::format("{} to {} are allowed", low, high));
    return static_cast<int>(value);
  }

  double number(const std::string& what) {
    const std::string_view word = next(what);
    const ParsedNumber parsed = parse_number(word);
    if (parsed.fault != NumberFault::none)
      fail(fmt::format("{}: '{}' {}", what, printable(std::string(word)), explain(parsed.fault)));
    return parsed.value;
  }

  // Refuses counts that the text is too short for, before memory is asked for: a word and a blank are two bytes.
  void expect_room(long long values, const std::string& what) {
    if (values > static_cast<long long>(text_.size() - at_))
      fail(fmt::format("{} are announced, but the file is too short for them", what),
           "it is cut off, or its counts are wrong");
  }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  [[noreturn]] void fail(const std::string& message, const std::string& remedy = {}) const {
    throw InputError({name_, word_line_, word_column_}, message, remedy);
  }

 private:
  void skip() {
    while (at_ < text_.size() && blanks.find(text_[at_]) != std::string_view::npos) {
      if (text_[at_++] != '\n') continue;
      ++line_;
      line_begin_ = at_;
    }
  }

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1, word_line_ = 1, word_column_ = 1;
};

constexpr int largest_count = std::numeric_limits<int>::max() / 4;

enum Storage { dense, blocks, sparse };

class SiconosReader {
 public:
  SiconosReader(std::string_view text, const std::string& name) : words_(text, name) {}

  FrictionContactProblem read() {
    const int d = words_.integer("the dimension", 2, 3);
    problem_.dimension = d == 2 ? Dimension::planar : Dimension::spatial;
    contacts_ = words_.integer("the number of contacts", 1, largest_count);
    words_.expect_room(contacts_, fmt::format("{} contacts", contacts_));
    const int storage = words_.integer("the storage of W (0 dense, 1 blocks, 2 sparse)", dense, sparse);
    rows_ = d * contacts_;
    const std::string why = fmt::format(" ({} contacts of {} rows)", contacts_, d);
    words_.integer("the rows of W" + why, rows_, rows_);
    words_.integer("the columns of W" + why, rows_, rows_);
    if (storage == dense) read_dense();
    if (storage == blocks) read_blocks();
    if (storage == sparse) read_sparse();
    read_vectors();
    return std::move(problem_);
  }

 private:
  void read_dense() {
    words_.integer("the rows of W, again", rows_, rows_);
    words_.integer("the columns of W, again", rows_, rows_);
    words_.expect_room(static_cast<long long>(rows_) * rows_, fmt::format("{0}×{0} values of W", rows_));
    Eigen::MatrixXd W(rows_, rows_);
    for (int column = 0; column < rows_; ++column)
      for (int row = 0; row < rows_; ++row) W(row, column) = words_.number("W");
    problem_.inertia = std::move(W);
  }

  // Where each block row or column ends; the ends rise to `rows_`.
  std::vector<int> read_ends(int count, const std::string& what) {
    std::vector<int> ends{0};
    for (int k = 0; k < count; ++k) ends.push_back(words_.integer(what, ends.back() + 1, rows_));
    if (ends.back() != rows_)
      words_.fail(fmt::format("{}: the last is {}", what, ends.back()), fmt::format("it must be {}", rows_));
    return ends;
  }

  void read_blocks() {
    const int count = words_.integer("the number of blocks", 0, largest_count);
    words_.expect_room(count, fmt::format("{} blocks", count));
    const int block_rows = words_.integer("the number of block rows", 1, rows_);
    const int block_columns = words_.integer("the number of block columns", 1, rows_);
    const std::vector<int> row_end = read_ends(block_rows, "the end of a block row");
    const std::vector<int> column_end = read_ends(block_columns, "the end of a block column");
    const int filled1 = words_.integer("filled1 (block rows and one)", 1, block_rows + 1);
    words_.integer("filled2 (the number of blocks)", count, count);
    std::vector<int> start;
    for (int k = 0; k < filled1; ++k)
      start.push_back(words_.integer("the first block of a row", k == 0 ? 0 : start.back(), k == 0 ? 0 : count));
    if (start.back() != count)
      words_.fail(fmt::format("the rows hold {} blocks of {}", start.back(), count), "the last number must be all");
    std::vector<int> columns;
    for (int k = 0; k < count; ++k) columns.push_back(words_.integer("the column of a block", 0, block_columns - 1));
    BlockAssembler W(problem_.rows_per_contact(), rows_);
    std::vector<int> last_in(static_cast<std::size_t>(block_columns), -1);  // the row that had a block there
    for (int r = 0; r + 1 < filled1; ++r)
      for (int k = start[static_cast<std::size_t>(r)]; k < start[static_cast<std::size_t>(r) + 1]; ++k) {
        words_.integer("the number of a block", k, k);
        const auto row = static_cast<std::size_t>(r),
                   column = static_cast<std::size_t>(columns[static_cast<std::size_t>(k)]);
        if (std::exchange(last_in[column], r) == r)
          words_.fail(fmt::format("block {} stands in row {}, column {}, where there is one already", k, r, column));
        for (int j = column_end[column]; j < column_end[column + 1]; ++j)
          for (int i = row_end[row]; i < row_end[row + 1]; ++i) W.add(i, j, words_.number("W"));
      }
    problem_.inertia = W.take();
  }

  // `    row column : value`, or under `    col j : locations a to b` lines `      row : value`.
  void read_sparse() {
    const int origin = words_.integer("the form of the sparse matrix (1 triplets, 2 columns)", 1, 2);
    if (words_.next("CSparse's heading") != "CSparse") words_.fail("CSparse's heading is missing");
    words_.skip_line();
    if (origin == 1 && words_.next("'triplet:'") != "triplet:") words_.fail("'triplet:' is missing");
    if (words_.next("the size") != fmt::format("{0}-by-{0},", rows_))
      words_.fail(fmt::format("{0}-by-{0}, is expected", rows_));
    if (words_.next("'nzmax:'") != "nzmax:") words_.fail("'nzmax:' is missing");
    words_.integer("nzmax", 0, largest_count);
    if (words_.next("'nnz:'") != "nnz:") words_.fail("'nnz:' is missing");
    std::string_view word = words_.next("the number of entries");
    if (word.ends_with(',')) word.remove_suffix(1);
    int count = -1;
    std::from_chars(word.data(), word.data() + word.size(), count);
    if (count < 0) words_.fail(fmt::format("'{}' is no number of entries", printable(std::string(word))));
    words_.skip_line();
    words_.expect_room(count, fmt::format("{} entries of W", count));
    BlockAssembler W(problem_.rows_per_contact(), rows_);
    if (origin == 1)
      read_triplets(count, W);
    else
      read_columns(count, W);
    problem_.inertia = W.take();
  }

  void read_colon() {
    if (words_.next("':'") != ":") words_.fail("':' is missing");
  }

  void read_triplets(int count, BlockAssembler& W) {
    for (int k = 0; k < count; ++k) {
      const int row = words_.integer("a row", 0, rows_ - 1), column = words_.integer("a column", 0, rows_ - 1);
      read_colon();
      W.add(row, column, words_.number("W"));
    }
  }

  void read_columns(int count, BlockAssembler& W) {
    for (int column = 0, entry = 0; column < rows_; ++column) {
      if (words_.next("'col'") != "col") words_.fail("'col' is missing");
      words_.integer("the column", column, column);
      read_colon();
      if (words_.next("'locations'") != "locations") words_.fail("'locations' is missing");
      words_.integer("the first location", entry, entry);
      if (words_.next("'to'") != "to") words_.fail("'to' is missing");
      const int last = words_.integer("the last location", entry - 1, count - 1);
      for (; entry <= last; ++entry) {
        const int row = words_.integer("a row", 0, rows_ - 1);
        read_colon();
        W.add(row, column, words_.number("W"));
      }
      if (column + 1 == rows_ && entry != count)
        words_.fail(fmt::format("the columns hold {} entries of {}", entry, count));
    }
  }

  void read_vectors() {
    problem_.velocity.resize(rows_);
    for (int k = 0; k < rows_; ++k) problem_.velocity[k] = words_.number(fmt::format("q[{}]", k));
    for (int k = 0; k < contacts_; ++k) {
      const double mu = words_.number(fmt::format("mu[{}]", k));
      if (!(mu >= 0)) words_.fail(fmt::format("mu[{}] = {} must be zero or positive", k, mu));
      problem_.friction.push_back(mu);
    }
    if (words_.at_end()) return;
    words_.integer("an integer after mu", std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    if (words_.at_end()) return;
    words_.next("the end");
    words_.fail("the file goes on after its end", "its counts are wrong, or it holds more than one problem");
  }

  Words words_;
  FrictionContactProblem problem_;
  int contacts_ = 0, rows_ = 0;
};

}  // namespace

bool is_siconos_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  return first != std::string_view::npos && text[first] >= '0' && text[first] <= '9';
}

FrictionContactProblem read_siconos_text(std::string_view text, const std::string& name) {
  return SiconosReader(text, name).read();
}

}  // namespace routh::internal

#include "routh/problem/block_assembler.h"

#include <algorithm>

namespace routh::internal {

std::size_t BlockAssembler::block_at(int row, int column) {
  if (last_ < blocks_.size() && blocks_[last_].row == row && blocks_[last_].column == column) return last_;
  const auto key = (static_cast<std::uint64_t>(row) << 32) | static_cast<std::uint32_t>(column);
  const auto [place, fresh] = found_.try_emplace(key, blocks_.size());
  if (fresh) {
    blocks_.push_back({row, column, values_.size()});
    values_.resize(values_.size() + static_cast<std::size_t>(size_ * size_), 0.0);
  }
  return place->second;
}

void BlockAssembler::add(int row, int column, double value) {
  last_ = block_at(row / size_, column / size_);
  values_[blocks_[last_].values + static_cast<std::size_t>(row % size_ * size_ + column % size_)] += value;
}

BlockMatrix BlockAssembler::take() {
  std::sort(blocks_.begin(), blocks_.end(),
            [](const Block& a, const Block& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  BlockMatrix matrix;
  matrix.row_start.assign(static_cast<std::size_t>(block_rows_) + 1, 0);
  matrix.values.reserve(values_.size());
  for (const Block& block : blocks_) {
    ++matrix.row_start[static_cast<std::size_t>(block.row) + 1];
    matrix.column.push_back(block.column);
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(block.values);
    matrix.values.insert(matrix.values.end(), from, from + size_ * size_);
  }
  for (std::size_t r = 1; r < matrix.row_start.size(); ++r) matrix.row_start[r] += matrix.row_start[r - 1];
  return matrix;
}

}  // namespace routh::internal

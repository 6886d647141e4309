// Entries of D in any order, gathered into blocks.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "routh/contacts/friction_contact.h"

namespace routh::internal {

class BlockAssembler {
 public:
  // `size` rows a block; the last block row is filled up with zeros.
  BlockAssembler(int size, int rows) : size_(size), block_rows_((rows + size - 1) / size) {}

  // Entries of the same place add up.
  void add(int row, int column, double value);
  BlockMatrix take();

 private:
  struct Block {
    int row, column;
    std::size_t values;  // where they begin
  };
  std::size_t block_at(int row, int column);

  int size_, block_rows_;
  std::vector<Block> blocks_;
  std::vector<double> values_;
  std::unordered_map<std::uint64_t, std::size_t> found_;
  std::size_t last_ = 0;  // the block of the last entry: entries of one block come together
};

}  // namespace routh::internal

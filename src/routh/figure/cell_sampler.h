// The colours of a chequered area, pixel by pixel.
#pragma once

#include <vector>

#include "routh/figure/colour.h"
#include "routh/figure/drawing.h"

namespace routh::internal {

// The mean colour of the cells under a pixel, from four by four samples.
class CellSampler {
 public:
  // `scale` pixels for a unit of the grid's lines. Keeps a reference to the grid.
  CellSampler(const CellGrid& grid, double scale, int width, int height);

  struct Mean {
    Colour colour;
    double covered = 0;  // the share of the pixel that the cells with a colour cover
  };
  Mean mean(int x, int y) const;

 private:
  // The colour of the cell under a sample; nothing where there is none.
  const Colour* sample(int column, int row) const;

  const CellGrid& grid_;
  std::vector<Colour> colours_;
  std::vector<bool> drawn_;
  std::vector<int> columns_, rows_;  // of cells, for each sample; −1 outside
};

}  // namespace routh::internal

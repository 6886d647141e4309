// The text format of Siconos' FrictionContactProblem, as its function frictionContact_printInFile writes it:
//
//   dimension, number of contacts, storage of W, rows, columns
//   storage 0, dense     rows and columns again, the values column by column
//   storage 1, blocks    number of blocks, block rows, block columns; where each block row ends, and each column;
//                        filled1, filled2; where each row begins in the list of blocks (filled1); the block column of
//                        each (filled2); of each block its number and its values, column by column
//   storage 2, sparse    what CSparse prints of a matrix by triplets or by columns (six digits: that is all it prints)
//   q, and μ of each contact; some versions write one more integer
//
// v⁺ = W p + q, the normal first. W is taken as it stands, also where it is not quite symmetric.
#pragma once

#include <string>
#include <string_view>

#include "routh/contacts/friction_contact.h"

namespace routh::internal {

// Whether a text can be such a file: it begins with a digit.
bool is_siconos_text(std::string_view text);
// Throws InputError with the line of whatever is wrong; `name` stands for the file in messages.
FrictionContactProblem read_siconos_text(std::string_view text, const std::string& name);

}  // namespace routh::internal

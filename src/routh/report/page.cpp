#include "routh/report/page.h"

#include <fmt/format.h>

#include "routh/base/error.h"

namespace routh::internal {

std::string make_page(std::string_view page_template, std::string_view document) {
  std::size_t place = std::string_view::npos;
  int found = 0;
  for (std::size_t begin = 0; begin < page_template.size();) {
    const std::size_t end = std::min(page_template.find('\n', begin), page_template.size());
    const std::string_view line = page_template.substr(begin, end - begin);
    const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first != std::string_view::npos && line.substr(first, last - first + 1) == page_placeholder) {
      place = begin + first;
      ++found;
    }
    begin = end + 1;
  }
  if (found != 1)
    throw RuntimeFailure(
        fmt::format("the page has {} lines '{}' in place of one: it is no page of Routh's", found, page_placeholder));
  std::string page;
  page.reserve(page_template.size() + document.size());
  page += page_template.substr(0, place);
  page += document;
  page += page_template.substr(place + page_placeholder.size());
  return page;
}

}  // namespace routh::internal

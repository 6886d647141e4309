// Pages: the document of a command put into the page of the program, or into another one.
#pragma once

#include <string>

#include "browser.h"

namespace routh {

enum class ShowPage { no, in_browser };

struct PageOptions {
  std::string html;           // file to write; empty: none
  std::string template_file;  // in place of the page in the program
  ShowPage show = ShowPage::no;

  bool wanted() const { return !html.empty(); }
};

// The page that documents are put into. Loaded before a long computation, so that it does not fail after one.
class PageTemplate {
 public:
  // Throws RuntimeFailure when the file cannot be read, or when the program was built without the page.
  explicit PageTemplate(const PageOptions& options);

  // A whole page. Throws RuntimeFailure when the template is no page of Routh's.
  std::string with(const std::string& document) const;

 private:
  std::string text_;
};

// Writes the page to `options.html`, and opens it if that is asked for.
void write_page(const PageOptions& options, const PageTemplate& page, const std::string& document);

}  // namespace routh

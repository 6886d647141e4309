#include "page_output.h"

#include "embedded.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/report/page.h"
#include "routh/text/document.h"

namespace routh {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

}  // namespace

PageTemplate::PageTemplate(const PageOptions& options)
    : text_(options.template_file.empty() ? embedded_page() : read_text_file(options.template_file, most_bytes)) {
  if (text_.empty() && options.template_file.empty())
    throw RuntimeFailure(
        "this program was built without the page of reports: Node.js (18 or newer) with npm was missing, or npm "
        "failed. "
        "Install the packages nodejs and npm and build again (./run does both), or give a page built elsewhere with "
        "--page");
}

std::string PageTemplate::with(const std::string& document) const { return make_page(text_, document); }

void write_page(const PageOptions& options, const PageTemplate& page, const std::string& document) {
  write_file(options.html, page.with(document));
  if (options.show == ShowPage::in_browser) open_page(options.html);
}

}  // namespace routh

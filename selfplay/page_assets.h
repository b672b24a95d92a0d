// The files that a report page is made of, compiled in by selfplay/report/embed.cmake.
#pragma once

#include <string_view>
#include <vector>

namespace cannonade {

struct PageAsset {
  std::string_view name;    // "page.css"
  std::string_view bytes;   // UTF-8
  std::string_view sha256;  // of the bytes, in base64, as a content security policy writes it
};

// Templates, style sheet, and the scripts in the order in which they run.
[[nodiscard]] const std::vector<PageAsset>& page_assets();

}  // namespace cannonade

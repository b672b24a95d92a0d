// Which source this program was built from.
#pragma once

#include <string>

namespace cannonade {

// "0.1.0+1a2b3c4d5e6f": version and commit, "-dirty" behind it when files differed from the commit;
// the version alone outside a git tree.
[[nodiscard]] std::string revision();

}  // namespace cannonade

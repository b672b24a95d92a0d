// libFuzzer's way into the target that the build names.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cannonade::fuzz::CANNONADE_FUZZ_TARGET(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

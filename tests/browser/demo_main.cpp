// Writes the demonstration page: report_demo OUT.html
#include <cstdio>
#include <exception>

#include "core/base/files.h"
#include "tests/browser/demo_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: report_demo OUT.html\n");
    return 2;
  }
  try {
    cannonade::write_file_atomically(argv[1], cannonade::render(cannonade::demo_page()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "report_demo: %s\n", error.what());
    return 3;
  }
  return 0;
}

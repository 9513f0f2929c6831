#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--update") == 0) setenv("ESPALIER_UPDATE", "1", 1);
  doctest::Context context(argc, argv);
  return context.run();
}

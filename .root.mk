# Rules of Espalier's own repository; Makefile.gen includes this file where it stands beside it.

build_packages := g++ cmake ninja-build ccache libfmt-dev nlohmann-json3-dev libcli11-dev doctest-dev \
  libkainjow-mustache-dev clang libomp-dev libclang-14-dev llvm-14-dev
test_packages := g++-aarch64-linux-gnu g++-s390x-linux-gnu qemu-user

all: build

help:
	@echo "make -f Makefile.gen demo        emits, compiles and runs an example on real trees"
	@echo "make -f Makefile.gen test        builds and runs every test but the slow ones"
	@echo "make -f Makefile.gen test-slow   runs the slow ones"
	@echo "make -f Makefile.gen build       leaves the compiler at build/espalier"
	@echo "make -f Makefile.gen update      accepts the texts found in place of those expected"
	@echo "make -f Makefile.gen clean       removes build/"

configure = mkdir -p build; generator=$$([ -f build/CMakeCache.txt ] || ! command -v ninja >/dev/null || echo -GNinja); \
  cmake -S . -B build $$generator --log-level=NOTICE >build/configure.log || \
    { cat build/configure.log; exit 1; }

jobs := $(shell nproc 2>/dev/null || echo 2)

build:
	@sh .ci/install $(build_packages)
	@$(configure)
	@echo "building the compiler (the first time takes some minutes)"
	@cmake --build build -j $(jobs) --target espalier

demo: build
	@sh examples/demo/demo.sh

build-tests:
	@sh .ci/install $(build_packages) $(test_packages)
	@$(configure)
	@echo "building the compiler and its tests (the first time takes some minutes)"
	@cmake --build build -j $(jobs)

run_tests = ctest --test-dir build -j $(jobs) --output-on-failure --no-tests=error $(1); \
  status=$$?; sh tests/skipped.sh build/Testing/Temporary/LastTest.log; exit $$status

test: build-tests
	@$(call run_tests,-LE slow)

# The slow tests, then the quick ones with Address- and UndefinedBehaviorSanitizer in the compiler.
test-slow: build-tests
	@$(call run_tests,-L slow)
	@cmake -S . -B build/sanitize -DESPALIER_SANITIZE=ON --log-level=NOTICE >build/configure.log
	@cmake --build build/sanitize -j $(jobs)
	@ctest --test-dir build/sanitize -j $(jobs) --output-on-failure -R '^(unit|errors)_' -LE slow

update: build-tests
	@ESPALIER_UPDATE=1 ctest --test-dir build -j $(jobs) -Q -LE slow

clean:
	rm -rf build

.PHONY: all help build demo build-tests test test-slow update clean

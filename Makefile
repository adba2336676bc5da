# SPDX-License-Identifier: Apache-2.0
# Each kind of build has a folder of its own, so that switching between them rebuilds nothing.

# Warnings are errors here; see Package.swift.
export SWIVEL_STRICT = 1

RIVALS = --traits NIO,OpenCombine
BENCH = swift run -c release --package-path Benchmarks swivel-bench
BENCH_ALL = swift run -c release --package-path Benchmarks --scratch-path Benchmarks/.build-all $(RIVALS) swivel-bench
ARGS ?=

.NOTPARALLEL:
.PHONY: help setup run test test-portable chaos soak tsan tsan-races asan model model-types mutants coverage lint format
.PHONY: check-c layers analyze check bench bench-test bench-check bench-slowed docs api figures pictures snippets readme
.PHONY: examples examples-servers integrations schedules schedules-load runtime runtime-bench clean

help: ## List the targets
	@echo 'make TARGET [ARGS="..."]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

setup: ## Install libuv and make if they are missing
	@./setup

run: setup ## Compare Swivel with pure Dispatch (four minutes after the build)
	$(BENCH) run --quick $(ARGS)

test: setup ## Run the tests (ARGS="--filter Wheel" for some)
	@scripts/test .build $(ARGS)

test-portable: setup ## Run the tests on the portable park
	@scripts/test .build-portable -Xcc -DSWIVEL_PORTABLE_PARK=1 $(ARGS)

chaos: setup ## Run the tests with random pauses at every atomic operation
	@scripts/test .build-chaos -Xcc -DSWIVEL_CHAOS=1 $(ARGS)

TSAN = die_after_fork=0:suppressions=$(CURDIR)/scripts/races.txt
# Tests fork and start loops in the child, which ThreadSanitizer forbids unless it is told otherwise.
tsan: setup ## Run the tests under ThreadSanitizer, debug and release
	@TSAN_OPTIONS='$(TSAN)' scripts/test .build-tsan --sanitize=thread $(ARGS)
	@TSAN_OPTIONS='$(TSAN)' scripts/test .build-tsan-release -c release -Xswiftc -enable-testing --sanitize=thread $(ARGS)

tsan-races: setup ## Run the C core's tests and the races under ThreadSanitizer, debug
	@TSAN_OPTIONS='$(TSAN)' scripts/test .build-tsan --sanitize=thread --filter 'CSwivelTests|RaceTests' $(ARGS)

soak: setup ## Run a mixed load, with an audit every ten seconds (MINUTES=60)
	@SWIVEL_SOAK_MINUTES=$(or $(MINUTES),60) TEST_LIMIT=$$((($(or $(MINUTES),60) + 30) * 60)) scripts/test .build-soak -c release \
	    -Xswiftc -enable-testing --filter SwivelSoakTests $(ARGS)

# --sanitize=undefined is not available on Linux; this form gives all three in one build.
asan: setup ## Run the tests under AddressSanitizer, UBSan and LeakSanitizer
	@UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	    LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leaks.txt:print_suppressions=0 \
	    scripts/test .build-asan --sanitize=address -Xcc -fsanitize=undefined $(ARGS)

model: ## Check every interleaving of the lock-free parts
	@scripts/limited 900 Tests/Model/run.sh $(ARGS)

model-types: ## See that the models of Swift sources compile, and that their seeded bugs change something
	@scripts/limited 300 Tests/Model/run.sh --types

mutants: setup ## See deliberate bugs killed by the tests (an hour; ARGS names some)
	@scripts/mutate $(ARGS)

coverage: setup ## Run the tests and print what they cover, Swift and C
	@scripts/coverage

lint: ## Check the rules that need no build, and that each of them can fail
	@scripts/lint/selftest.sh
	@scripts/lint/run

format: ## Lay out the sources
	@scripts/format

check-c: setup ## Compile the C core alone, with gcc and clang and more warnings, and run it
	@scripts/check-c
	@Tests/Platforms/run.sh
	@Tests/Scripts/layers.sh
	@scripts/layers

layers: ## Print the C core's layers, and fail on an upward call
	@scripts/layers

analyze: setup ## Run gcc's static analyzer over the C core
	@scripts/analyze

check: lint model-types check-c docs test snippets ## What a commit must pass

bench: setup ## Run all benchmarks, NIO, OpenCombine, libev and tokio included (ARGS="--scenario churn" for one)
	@scripts/build-children
	$(BENCH_ALL) run $(ARGS)

bench-test: setup ## Test the benchmark program itself
	@scripts/test Benchmarks/.build-test --package-path Benchmarks $(RIVALS) $(ARGS)
	@Tests/Scripts/page Benchmarks/.build-test/debug/swivel-bench

bench-check: setup ## Hold the benchmarks to Budgets.json
	swift build -c release --package-path Benchmarks --scratch-path Benchmarks/.build-all $(RIVALS) --product swivel-bench
	@scripts/gates Benchmarks/.build-all/release/swivel-bench $(ARGS)

bench-slowed: setup ## See the checks fail on a Swivel that is slowed on purpose
	swift build -c release --package-path Benchmarks --scratch-path Benchmarks/.build-all $(RIVALS) --product swivel-bench
	@scripts/slowed Benchmarks/.build-all/release/swivel-bench

docs: setup ## Build the documentation, and compare the public declarations with docs/api
	@scripts/docs
	@scripts/api --check

api: setup ## Write the public declarations to docs/api
	@scripts/docs
	@scripts/api

figures: setup ## Make a quick run with NIO, and write the figures of the documentation from it
	$(BENCH_ALL) run --quick --json .build/figures.json
	$(BENCH_ALL) page .build/figures.json --readme README.md --performance docs/PERFORMANCE.md --picture docs/comparison

pictures: ## Draw the pictures of the documentation
	@scripts/pictures

snippets: setup ## Run the samples of the README and the articles
	@scripts/snippets

readme: setup ## Paste the programs of the README into an empty package, and run them
	@scripts/readme

examples: setup ## Build the examples, and run them with small settings
	@Examples/check

examples-servers: setup ## The same for the examples with NIO, hummingbird and GRDB
	@Examples/check Servers

integrations: setup ## Test Swivel with its neighbours (NIO, ServiceLifecycle and others), and packages that take it by URL
	@$(if $(ARGS),,Tests/Scripts/clients.sh Integrations/.build-clients)
	@scripts/test Integrations/.build --package-path Integrations $(ARGS)

schedules: setup ## Test SwivelSchedules on a PostgreSQL of its own, and torture it with three seeds (five minutes)
	@Schedules/check $(ARGS)

schedules-load: setup ## Print how many ticks SwivelSchedules fires, and what an idle process costs
	@Schedules/load

runtime: setup ## See unchanged programs run on SwivelRuntime (half an hour; ARGS="suites server client trial tsan")
	@Tests/Runtime/run $(or $(ARGS),suites server client trial)

runtime-bench: setup ## Compare the costs of Swift concurrency with and without SwivelRuntime (ten minutes)
	@Tests/Runtime/run bench server

clean: ## Remove everything that was built
	rm -rf .build .build-* Benchmarks/.build* Examples/.build* Examples/Servers/.build* Integrations/.build* Schedules/.build*

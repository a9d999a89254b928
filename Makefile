# make run       the main job on real keys      make check     what a change must pass
# make quick     the root module, in seconds
# make test      all modules, on this machine   make test-all  the same on others, and what takes long
# make fuzz      each target for FUZZTIME
# make compare   beside other filters           make accuracy  measures false-positive rates
# make generate  writes the kernels and the API   make mca     estimates for arm64 again
# make experiments  Speedb's, on Pebble stores     make pages  tables and plots, of what was measured
# make tidy      "go mod tidy" in every module  make stress    kills Pebble stores for STRESSTIME
# make mutants PACKAGES="filterfile table"  plants mistakes that tests should find, one in each line: all take hours
# make release VERSION=v0.2.0  prints what is left to do for a release, and the tags; WRITE=1 does what needs no decision
# make golden VERSION=v0.2.0   stores what later versions must read: part of a release
#
# Only Go is required. Tests that need more say so when they are skipped (scripts/needs);
# with CI set, skipping is a failure.

MODULES := $(sort $(patsubst %/go.mod,%,$(shell find . -name go.mod)))
API     := api/v0.1.0.txt
SIMD    := go1.27.4
OLDEST  := go$(shell sed -n 's/^go //p' go.mod)

# Tools, pinned. They run from the module cache and touch no go.mod.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     := mvdan.cc/gofumpt@v0.12.0

# Only the race detector, RocksDB and DuckDB need cgo; scripts/needs switches it on for them.
export CGO_ENABLED := 0

# What is tested where. "make check" has vetted. SHORTER leaves out tests of rates, which take
# longest in an emulator and do not depend on the processor, and samples some others. LEVELLED are the
# packages in which the instruction set matters, and KERNELS the least of these. DIGESTS has digests of what
# each kernel writes and answers, which is enough where other lines have tested the same Go code. The race
# detector sees what kernels read and write: asm/accesses_race.go.
RATES      := Rate|Limit|Contract/rate|Contract/Paired/rate
SHORTER    := -vet=off -short '-skip=$(RATES)|BatchesAreDecided|BatchesBySize|Contract/Paired32'
LEVELLED   := -vet=off -short '-skip=$(RATES)' . ./asm ./blobloom ./bloom ./filterblock ./fuzz ./internal/test/digests ./legacy ./paired ./ribbon ./splitblock
KERNELS    := -vet=off -short '-skip=$(RATES)' ./asm ./cpu ./internal/test/digests
DIGESTS    := $(SHORTER) ./cpu ./internal/test/digests

# What the race detector and arm64's emulator leave out: packages without goroutines, and packages that neither
# have kernels nor depend on the processor. SKIP_LONG leaves out asm's longest tests, where digests are enough.
NO_GOROUTINES := asm|cpu|dcso|examples/levels|fallback|fuzz|keyhash|internal/test/(digests|naive|opened)
NO_KERNELS    := examples/[a-z]*|fallback|internal/test/naive|ranges
SKIP_LONG     := '-skip=Every|Exhaustively|Long|Mixes|OneBit|StacksMayMove'

# The root and its front doors, without what takes longest and has a shorter test beside it.
QUICK      := . ./blobloom ./bloom ./legacy ./leveldb ./linear ./paired ./policy ./ribbon ./splitblock
QUICK_SKIP := '-skip=Rate|Limit|BatchesAreDecided|BatchesBySize|BytesAndAnswersAreRocksDBs|Contract/(rate|signed|Paired32|every|Paired128/rate)'

PEBBLE     := github.com/simdbloom/simdbloom/adapters/pebble
FUZZTIME   := 5m
STRESSTIME := 10m
SAMPLE     := 1
TARGETS  := $(shell sed -n 's/^func \(Fuzz[A-Za-z0-9]*\).*/\1/p' fuzz/*_test.go)

# "make test" leaves long tests to test-long, but with CI set it has them.
SHORT := $(if $(CI),,-short)
# Beside each other, those that take longest begin first.
REST  := test-race test-cross $(if $(CI),,test-long) test-arm64 test-levels test-readme test-stress test-oldest test-power test-pebblev1 test-rocksdb test-duckdb test-iceberg test-sliced test-badger test-s3 test-bitsandblooms test-blobloom test-dcso test-calculator test-beam test-mutate test-older test-simd
.PHONY: test-long run release golden compare pages experiments accuracy mca generate tidy check vet fuzz stress mutants quick test test-modules test-all $(REST)

quick: # what a change is tested with most often
	go build ./...
	go vet $(QUICK)
	go test -vet=off -short $(QUICK_SKIP) $(QUICK)
test:
	@scripts/progress $(MAKE) --no-print-directory test-modules
# Two modules at a time: many have one long test, which uses one processor. Before that, what both would compile. Bench
# has the most to compile, Pebble too: once, so adapters/pebble is tested with the versions that bench requires. Fewer
# garbage collections take a tenth of the time away, for a little memory, which long tests measure.
test-modules: export GOGC := $(if $(SHORT),400,100)
test-modules:
	go build ./... testing net/http/httptest runtime/pprof
	{ printf '%s ./...\n' . 'bench $(PEBBLE)' $(filter-out . ./bench %/modules %/beam %/pebble %/pebblev1,$(MODULES)); \
		echo internal/test/modules ./goleveldbtable ./bitsandblooms ./blobloom ./dcso ./metrics $(if $(CI),./pebbletable); } | \
		xargs -P 2 -L 1 sh -c 'go -C "$$0" test -vet=off $(SHORT) -timeout=1h "$$@"'
	go -C adapters/pebblev1 run copy.go -check
	go test -tags purego $(DIGESTS)
	SIMDBLOOM_CPU=generic go test -vet=off -short -run 'LegacyKey|MayContain|Partition' ./asm # which -short leaves out
test-all: $(REST)
test-long: # what "make test" leaves out by -short, and Pebble with the versions that its adapter requires
	go test -vet=off -timeout=1h $$(grep -rlE 'testing[.]Short|contract[.]Test' --include='*_test.go' . | \
		grep -vE '^./(adapters|bench|cmd|table|internal/gen|internal/test/modules)/' | xargs -n1 dirname | sort -u)
	for folder in bench/filter_bench table adapters/goleveldb adapters/pebble internal/test/modules/pebbletable; do \
		go -C $$folder test -vet=off -timeout=1h ./... || exit 1; done
test-oldest: # the oldest Go; go.mod has the oldest dependencies, too
	scripts/needs $(OLDEST) go vet ./...
	scripts/needs $(OLDEST) go test $(KERNELS) . ./bloom
	GOARCH=arm64 scripts/needs $(OLDEST) go build ./asm ./cpu
test-levels: # a cached result would be that of another level; without AVX-512, "make test" was AVX2's run
	@set -e; [ "$$(go env GOARCH)" = amd64 ] || exit 0; \
	lower="SIMDBLOOM_CPU=avx2 GODEBUG=cpu.avx512f=off"; \
	[ ! -r /proc/cpuinfo ] || grep -qw avx512f /proc/cpuinfo || lower=; \
	for lowered in $$lower SIMDBLOOM_CPU=generic; do \
		echo "== go test with $$lowered"; env "$$lowered" go test -count=1 $(LEVELLED) ./linear ./policy; done
	go test -tags purego $(KERNELS) . ./bloom ./fallback ./filterblock ./internal/test/buildtest ./keyhash ./linear
test-readme: # not cached: Go does not see that it reads the pages
	go -C internal/test/modules test -count=1 -timeout=1h ./consumer
test-pebblev1: # those of adapters/pebble, which "make test" runs
	go -C adapters/pebblev1 run copy.go -test -vet=off .
test-rocksdb: # with STORES=1000, some thousand tables of random stores
	scripts/needs librocksdb go -C internal/test/modules test -tags librocksdb ./rocksdb ./rocksdb/adapters
	scripts/needs librocksdb go -C internal/test/modules test -timeout=2h -tags librocksdb ./rocksdb/stores -stores=$(or $(STORES),60)
	go -C internal/test/modules test -timeout=2h ./goleveldbtable -stores=$(or $(STORES),60)
	scripts/needs librocksdb scripts/needs libleveldb go -C internal/test/modules test -tags 'librocksdb libleveldb' ./rocksdb/orders
test-duckdb: # the first time, it downloads DuckDB's library, 600 MB for all platforms
	scripts/needs g++ go -C internal/test/modules/duckdb test -tags duckdb .
test-iceberg: # iceberg-go's own pruning, beside which ours is measured, leaves the same row groups
	go -C bench/parquet run -tags iceberg ./measure -rounds 1
	go -C bench/migrations vet -tags published .
test-power: # all states that few calls leave, and many more of the others than "make test" has
	scripts/needs strace go test -vet=off -count=1 -timeout=1h ./internal/test/powercut -whole
	for module in adapters/beam adapters/parquet cmd/simdbloom; do scripts/needs strace go -C $$module test -vet=off -count=1 -run PowerCut . -whole || exit 1; done
test-sliced: # "make test" compares a fortieth of the answers
	go test ./sliced -run AsOneByOne -answers=10000000
test-badger: # compiling Badger takes most of the time
	go -C internal/test/modules/badger test -tags badger .
test-s3: # a set in a store that speaks S3
	go -C internal/test/modules/s3 test -tags s3 .
test-bitsandblooms: # the sample of "make test" is 500 filters
	go -C internal/test/modules test ./bitsandblooms -filters=20000
test-blobloom: # "make test" has 400
	go -C internal/test/modules test ./blobloom -filters=20000
test-dcso: # "make test" has 500
	go -C internal/test/modules test ./dcso -filters=20000
test-mutate: # the tool of "make mutants"
	go test ./internal/test/mutate -run Together -apart
test-calculator: # what the page shows in a browser, and what the command prints
	scripts/needs chromium go -C cmd/simdbloom test -tags chromium ./internal/calculator
test-beam: # on Prism, Beam's runner for one machine
	go -C adapters/beam test .
test-race: # the adapter for Pebble takes minutes: go -C adapters/pebble test -race, by hand
	scripts/needs race go test -race $(SHORTER) $$(go list ./... | grep -vE '/($(NO_GOROUTINES))$$')
	scripts/needs race go test -race -vet=off -run 'RacesAreFound|HiddenIsTheSame' ./asm
	scripts/needs race go -C adapters/goleveldb test -vet=off -race -short ./...
test-arm64:
	scripts/test-on arm64 $(SHORTER) $$(go list ./... | grep -vE '/($(NO_KERNELS))$$')
	SIMDBLOOM_CPU=generic scripts/test-on arm64 -count=1 $(DIGESTS)
	scripts/needs llvm-mca-19 go -C bench test -vet=off -tags mca ./mca
test-cross:
	scripts/test-on s390x $(SHORTER) $$(go list ./... | grep -vE '/(asm|examples/levels|ranges)$$')
	scripts/test-on s390x -vet=off -short $(SKIP_LONG) ./asm
	scripts/test-on 386 $(SHORTER) ./...
	scripts/test-on arm $(DIGESTS) . ./bloom # 386 has the rest of 32 bits
	scripts/test-on arm -vet=off -run StacksMayMove ./asm # there Go calls a function for unsafe.Slice
	scripts/test-on riscv64 $(DIGESTS)
	scripts/test-on ppc64le $(DIGESTS)
	scripts/test-on wasm $(SHORTER) ./bloom ./linear ./splitblock
test-older:
	scripts/test-on Haswell-v4 -vet=off -short $(SKIP_LONG) ./asm
	scripts/test-on Haswell-v4 $(DIGESTS)
	scripts/test-on Nehalem-v1 $(DIGESTS)
test-simd: # Go's SIMD intrinsics, which are an experiment: asm/lookup_simd_*.go
	GOEXPERIMENT=simd scripts/needs $(SIMD) go vet . ./asm
	GOEXPERIMENT=simd scripts/needs $(SIMD) go test -vet=off -short -run 'Lookup|AppendFilters|Digests|OneKey' . ./asm ./internal/test/digests
	GOEXPERIMENT=simd scripts/needs $(SIMD) go test -gcflags=-d=checkptr -vet=off -short -run 'Lookup' ./asm
	GOEXPERIMENT=simd scripts/needs $(SIMD) go test -vet=off -short ./filterfile ./filterset ./internal/test/differential
	GOEXPERIMENT=simd GODEBUG=cpu.avx512f=off scripts/needs $(SIMD) go test -vet=off -short -run 'Lookup|OneKey' ./asm
	GOEXPERIMENT=simd scripts/needs $(SIMD) scripts/test-on arm64 -vet=off -short -run 'Lookup|Digests' ./asm ./internal/test/digests
	GOEXPERIMENT=simd scripts/needs $(SIMD) scripts/test-on Nehalem-v1 -vet=off -short -run 'Lookup' ./asm
test-stress: # other choices each time, which is how a rare error is found; it prints the seed
	$(MAKE) stress STRESSTIME=1m
	SIMDBLOOM_TEST_KILLS=50 go test -vet=off -count=1 -run TestKilled ./filterfile ./filterset

run: # -v names the packages while they compile
	@echo "== compiling filter_bench, a minute the first time; then 20 seconds"
	@go -C bench run -v ./filter_bench -table -m_queries=30

release:
	@go run ./internal/test/release -version=$(VERSION) $(if $(WRITE),-write)
golden: VERSION := $(or $(VERSION),none)
golden: # all that write, and after them those that list
	go test ./internal/test/golden -run Golden -update-golden=$(VERSION)
	go -C adapters/pebblev1 run copy.go -test . -run Golden -update-golden=$(VERSION)
	@set -e; for module in adapters/pebble adapters/goleveldb adapters/parquet/parquetgo table adapters/parquet; do \
		go -C $$module test . -run Golden -update-golden=$(VERSION); done
compare: # a quarter of an hour, 4 GB of memory
	go -C bench run ./compare -o "$(CURDIR)/bench/compare.json" $(COMPARE)
pages: # all tables and plots, from the files in bench; the calculator's numbers take a minute
	go -C cmd/simdbloom run ./internal/calculator -o "$(CURDIR)/docs/calculator/index.html"
	go -C bench run ./compare -pages "$(CURDIR)"
	go -C bench run ./accuracy -pages "$(CURDIR)"
	go -C bench run ./linear -pages "$(CURDIR)"
	go -C bench run ./sliced -pages "$(CURDIR)"
	go -C bench run ./cold -pages "$(CURDIR)"
	go -C bench run ./db_bench experiments -pages "$(CURDIR)"
	go -C bench/parquet run ./pages "$(CURDIR)"
	go -C bench/migrations run . -pages "$(CURDIR)"
experiments: # hours; docs/measured.md has smaller EXPERIMENTS
	go -C bench run ./db_bench experiments -o "$(CURDIR)/bench/db_bench.json" $(EXPERIMENTS)
stress:; go -C bench run ./db_stress -duration=$(STRESSTIME)
mutants: # a mistake may take all memory
	ulimit -v 8388608 2>/dev/null; nice -n 19 go run ./internal/test/mutate -every $(SAMPLE) $(if $(ALL),-all) $(if $(LONG),-long) $(if $(TOGETHER),-together) $(if $(ESTIMATE),-estimate) $(PACKAGES)
accuracy:; go -C bench run ./accuracy -o "$(CURDIR)/bench/accuracy.json" # five minutes
mca:; go -C bench run ./mca
generate:; go -C internal/gen run . && go -C internal/gen run ./api -file=$(API)
tidy:; @set -e; for module in $(MODULES); do (cd $$module; "$(CURDIR)/scripts/tidy"); done

check: vet
	go -C internal/gen run . -check && go -C internal/gen run ./api -file=$(API) -check
	@set -e; for module in $(MODULES); do echo "== staticcheck, go mod tidy and gofumpt, module $$module"; \
		(cd $$module; go run $(STATICCHECK) ./...; "$(CURDIR)/scripts/tidy" -diff; files=$$(go run $(GOFUMPT) -l .); \
		[ -z "$$files" ] || { echo "not formatted by gofumpt: $$files"; exit 1; }); done
vet: # only the root module has files for arm64
	@set -e; for module in $(MODULES); do echo "== go vet, module $$module"; go -C $$module vet ./...; done
	@set -e; for target in linux/amd64 linux/arm64 windows/arm64; do \
		echo "== go vet for $$target"; GOOS=$${target%/*} GOARCH=$${target#*/} go vet ./...; done
	@set -e; own=$$(for dir in $$(go list -f '{{.Dir}}' ./...); do \
		! grep -qsE '"syscall"|^//go:build.*(unix|linux|windows|darwin)' $$dir/*.go || echo $$dir; done); \
	for system in darwin freebsd; do echo "== go vet for $$system, packages with files or calls of systems"; \
		GOOS=$$system GOARCH=arm64 go vet $$own; done
	go vet -tags purego ./...
fuzz: # minimizing the seeds of FuzzReport would take all the time
	go -C cmd/simdbloom test ./internal/sst -run '^$$' -fuzz '^FuzzReport$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 10x
	go -C cmd/simdbloom test ./internal/keys -run '^$$' -fuzz '^FuzzReader$$' -fuzztime $(FUZZTIME)
	go -C cmd/simdbloom test ./internal/decode -run '^$$' -fuzz '^FuzzReader$$' -fuzztime $(FUZZTIME)
	go -C adapters/parquet test . -run '^$$' -fuzz '^FuzzFile$$' -fuzztime $(FUZZTIME)
	go -C table test . -run '^$$' -fuzz '^FuzzVerify$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 10x
	go test ./examples/sortedtable -run '^$$' -fuzz '^FuzzTable$$' -fuzztime $(FUZZTIME)
	@set -e; for target in $(TARGETS); do \
		echo "== $$target for $(FUZZTIME)"; go test ./fuzz -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME); done

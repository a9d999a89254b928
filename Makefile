# make run       the main job on real keys      make check     what a change must pass
# make test      every test this machine can    make fuzz      each target for FUZZTIME
# make compare   beside other filters           make accuracy  measures bench/accuracy.md again
# make generate  writes the kernels again       make mca       writes bench/mca.md again
# make test-arm64, which is part of make test: all of it at the NEON level, and in plain Go
#
# Go is all that is needed. What a test needs beyond it is named when it is
# skipped; with CI set, nothing may be skipped.

MODULES := . internal/gen bench adapters/pebble adapters/goleveldb cmd/sstfilter internal/rocksdb

# Nothing needs cgo but the race detector, and what is compared with RocksDB itself.
export CGO_ENABLED := 0

# Tools, pinned. They run from the module cache and touch no go.mod.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     := mvdan.cc/gofumpt@v0.12.0

# SHORTER is without the tests that take longest in an emulator and would find nothing
# else there: rates, and limits, at which rates are compared. These have the race detector
# at work for as long, and no goroutines.
SHORTER := -skip=Rate|Limit|Contract/batches/rate

# Architectures that are tested beside this machine's own and arm64, with what starts
# their programs here, qemu or, for 386 on amd64, nothing, and with which tests. OLDER are
# processors of amd64: one that ends at AVX2, one without AVX.
CROSS := s390x:qemu-s390x-static:MOST arm:qemu-arm-static:MOST 386::ALL \
	riscv64:qemu-riscv64-static:FEW ppc64le:qemu-ppc64le-static:FEW
OLDER := Haswell-v4 Nehalem-v1

# FEW are of the packages that write and read filters, for plain Go that s390x and arm have
# gone through. LEVELLED are of those that a level makes a difference to.
ALL      := ./...
MOST     := $(SHORTER) ./...
FEW      := -short $(SHORTER) ./asm ./bloom ./fallback ./internal/digests ./keyhash ./paired
LEVELLED := $(SHORTER) ./asm ./bloom ./fuzz ./internal/digests ./paired

# CONCURRENT are those with goroutines. What these read and write in assembly, the race
# detector does not see.
CONCURRENT := ./bloom ./paired ./policy ./internal/answers ./internal/building ./internal/buildtest ./internal/hashlog

# What takes the levels of amd64 away one by one. A cached result would be that of
# another level: what a process reads as it starts is not in the cache's key.
LOWER := SIMDBLOOM_CPU=avx2 SIMDBLOOM_CPU=generic GODEBUG=cpu.avx512f=off

FUZZTIME := 5m
TARGETS  := $(shell sed -n 's/^func \(Fuzz[A-Za-z0-9]*\).*/\1/p' fuzz/*_test.go)

.PHONY: run compare accuracy mca generate check vet fuzz
.PHONY: test test-go test-levels test-readme test-rocksdb test-race test-arm64 test-cross test-older
.DEFAULT_GOAL := test

run:
	go -C bench run ./filter_bench -table -m_queries=100

accuracy:
	go -C bench run ./accuracy -o accuracy.md

mca:
	go -C bench run ./mca -o mca.md

test: test-go test-levels test-readme test-rocksdb test-race test-arm64 test-cross test-older

test-go:
	@set -e; for module in $(MODULES); do \
		echo "== go test, module $$module"; go -C $$module test ./...; done
	@echo "== go test, plain Go only"; go test -tags purego ./...

test-levels:
	@set -e; if [ "$$(go env GOARCH)" != amd64 ]; then exit; fi; \
	for lowered in $(LOWER); do \
		echo "== go test with $$lowered"; env "$$lowered" go test -count=1 ./...; done

# The programs of the README and of the pages on databases, each in a module of somebody who
# follows them: what they say of go.mod is checked, too. ADDED is what of ours may be in a
# go.sum beyond what the database alone would put there.
ADDED := ^github.com/(klauspost/cpuid|cespare/xxhash)/v2 |^golang.org/x/sys 

test-readme:
	@set -e; work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; clone="$(CURDIR)"; \
	for page in README.md docs/pebble.md docs/goleveldb.md; do \
		echo "== the program in $$page, in a module of its own"; \
		mkdir -p "$$work/with" "$$work/without"; cd "$$work/with"; \
		awk '/^```go$$/ {inside = 1; next} inside && /^```$$/ {exit} inside' "$$clone/$$page" >main.go; \
		go mod init example.com/with 2>/dev/null; \
		for module in $$(sed -n 's/.*-require=\(github.com[^@]*\)@.*/\1/p' "$$clone/$$page"); do \
			go mod edit "-require=$$module@v0.0.0" \
				"-replace=$$module=$$clone$${module#github.com/simdbloom/simdbloom}"; \
		done; \
		go mod tidy >tidy.log 2>&1 || { cat tidy.log; exit 1; }; go vet .; go run . 2>run.log || { cat run.log; exit 1; }; \
		cd "$$work/without"; echo 'package main' >main.go; \
		sed -n 's/^\t.*"\(github.com[^"]*\)".*/import _ "\1"/p' ../with/main.go | grep -v simdbloom/ >>main.go || true; \
		echo 'func main() {}' >>main.go; cp ../with/go.mod .; \
		for module in $$(sed -n 's/^\tgithub.com\/simdbloom\/\([^ ]*\) .*/\1/p' go.mod); do \
			go mod edit "-droprequire=github.com/simdbloom/$$module" "-dropreplace=github.com/simdbloom/$$module"; done; \
		go mod tidy >tidy.log 2>&1 || { cat tidy.log; exit 1; }; touch go.sum; \
		if grep -vxFf go.sum ../with/go.sum | grep -vE '$(ADDED)'; then \
			echo "FAILED: these lines of go.sum are not due to the database, and users would see them"; exit 1; fi; \
		cd "$$clone"; rm -r "$$work/with" "$$work/without"; \
	done

# skip prints what was left out, which is a failure where CI is set.
define skip
if [ -n "$$CI" ]; then echo "FAILED: $(1)"; exit 1; else echo "SKIPPED: $(1)"; fi
endef

# RocksDB itself writes tables, by its C library, whose filters are compared with ours.
test-rocksdb:
	@export CGO_ENABLED=1; if printf '#include <rocksdb/c.h>\nint main(void) { rocksdb_options_destroy(rocksdb_options_create()); }\n' | \
		$$(go env CC) -x c - -lrocksdb -o /dev/null 2>/dev/null; then \
		echo "== go test, tables that RocksDB writes"; go -C internal/rocksdb test -tags librocksdb ./...; \
	else $(call skip,RocksDB's tables need its library and a C compiler (Debian: apt-get install librocksdb-dev gcc libc6-dev)); fi

# Pebble checks itself where the race detector is, which takes minutes: its adapter is for
# "go -C adapters/pebble test -race", by hand.
test-race:
	@export CGO_ENABLED=1; if go test -race -c -o /dev/null ./cpu >/dev/null 2>&1; then \
		set -e; \
		echo "== go test -race, $(MOST)"; go test -vet=off -race "$(SHORTER)" ./...; \
		echo "== go test -race -tags purego, $(SHORTER) $(CONCURRENT)"; go test -vet=off -race -tags purego "$(SHORTER)" $(CONCURRENT); \
		echo "== go test -race -short, module adapters/goleveldb"; go -C adapters/goleveldb test -vet=off -race -short ./...; \
	else $(call skip,the race detector needs 64 bits and a C compiler (Debian: apt-get install gcc libc6-dev)); fi

test-arm64:
	@set -e; emulator=; if [ "$$(go env GOARCH)" != arm64 ]; then \
		emulator=qemu-aarch64-static; \
		if [ "$$(go env GOOS)" != linux ]; then $(call skip,arm64 is tested on arm64 and on linux only); exit; fi; \
		if ! command -v $$emulator >/dev/null; then \
			$(call skip,arm64 needs $$emulator (Debian: apt-get install qemu-user-static)); exit; fi; \
	fi; \
	export GOARCH=arm64 SIMDBLOOM_TEST_EXEC="$$emulator"; \
	echo "== go test on arm64"; go test -vet=off -exec "$$emulator" $(ALL); \
	tests="$(LEVELLED)"; echo "== go test on arm64 with SIMDBLOOM_CPU=generic, $$tests"; \
	SIMDBLOOM_CPU=generic go test -vet=off -count=1 -exec "$$emulator" $$tests

test-cross:
	@set -e; if [ "$$(go env GOOS)" != linux ]; then \
		$(call skip,other architectures are tested on linux only); exit; fi; \
	for each in $(CROSS); do \
		arch=$${each%%:*}; emulator=$${each#*:}; emulator=$${emulator%:*}; \
		case $$each in *:ALL) tests="$(ALL)";; *:MOST) tests="$(MOST)";; *:FEW) tests="$(FEW)";; esac; \
		if [ "$$arch" = "$$(go env GOARCH)" ]; then continue; fi; \
		if [ "$$arch" = 386 ] && [ "$$(go env GOARCH)" != amd64 ]; then emulator=qemu-i386-static; fi; \
		if [ -n "$$emulator" ] && ! command -v $$emulator >/dev/null; then \
			$(call skip,$$arch needs $$emulator (Debian: apt-get install qemu-user-static)); continue; fi; \
		echo "== go test on $$arch, $$tests"; \
		GOARCH=$$arch SIMDBLOOM_TEST_EXEC="$$emulator" go test -exec "$$emulator" $$tests; \
	done

test-older:
	@set -e; if [ "$$(go env GOOS)-$$(go env GOARCH)" != linux-amd64 ]; then \
		$(call skip,older processors are tested on linux and amd64 only); exit; fi; \
	if ! command -v qemu-x86_64-static >/dev/null; then \
		$(call skip,older processors need qemu-x86_64-static (Debian: apt-get install qemu-user-static)); exit; fi; \
	for processor in $(OLDER); do \
		emulator="qemu-x86_64-static -cpu $$processor"; \
		tests="$(LEVELLED)"; echo "== go test on $$processor, $$tests"; \
		GOAMD64=v1 SIMDBLOOM_TEST_EXEC="$$emulator" go test -exec "$$emulator" $$tests; \
	done

# The tables of the README, and more. It takes long, and at last 1 GiB for each of four
# filters; see -help for less.
compare:
	go -C bench run ./compare -sizes=16KiB,1MiB,32MiB,1GiB -present=0,0.5,1 -bits_per_key=10,23.4
	go -C bench run ./compare -build -sizes=16KiB,1MiB,32MiB,1GiB -bits_per_key=10,23.4 -pages=huge -concurrency=1,2

generate:
	go -C internal/gen run .

check: vet
	go -C internal/gen run . -check
	@set -e; for module in $(MODULES); do \
		echo "== staticcheck and gofumpt, module $$module"; \
		(cd $$module && go run $(STATICCHECK) ./... && files=$$(go run $(GOFUMPT) -l .) && \
		if [ -n "$$files" ]; then echo "not as gofumpt would have it: $$files"; exit 1; fi && \
		go mod tidy -diff); done

vet:
	@set -e; for module in $(MODULES); do echo "== go vet, module $$module"; go -C $$module vet ./...; done
	@echo "== go vet for arm64, where there is anything of its own"; \
		GOARCH=arm64 go -C internal/gen vet ./... && GOARCH=arm64 go -C bench vet ./internal/...
	@set -e; for target in linux/amd64 linux/arm64 darwin/arm64 windows/arm64 freebsd/arm64; do \
		echo "== go vet for $$target"; GOOS=$${target%/*} GOARCH=$${target#*/} go vet ./...; done
	@echo "== go vet, plain Go only"; go vet -tags purego ./...

fuzz:
	@echo "== FuzzReport for $(FUZZTIME)"; go -C cmd/sstfilter test . -run '^$$' -fuzz '^FuzzReport$$' \
		-fuzztime $(FUZZTIME) -fuzzminimizetime 10x # else minimizing the seeds takes all the time
	@set -e; for target in $(TARGETS); do \
		echo "== $$target for $(FUZZTIME)"; go test ./fuzz -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME); done

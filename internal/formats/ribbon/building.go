package ribbon

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// seeds is the number of ordinal seeds.
const seeds = 256

// scheme builds filters of one plan. The first hash matters for the bytes, so all stay in order.
type scheme struct {
	building.InOrder
	plan plan
}

// Size returns the size of the filter that RocksDB plans.
func (s *scheme) Size(log *hashlog.Log) (bytes uint64, allowed bool) {
	if log.Len() == 0 {
		return 0, true
	}
	if s.plan.limit.Exact() {
		return s.plan.exactlyRibbon(uint64(log.Len())).bytes() // to find out which of both filters it is costs more
	}
	return s.planned(log).bytes()
}

func (s *scheme) planned(log *hashlog.Log) size { return s.plan.size(uint64(log.Len()), first(log)) }

// bytes returns the filter's size, trailer included, and whether it fits.
func (s size) bytes() (bytes uint64, allowed bool) { return s.body + rocksdb.TrailerBytes, s.fits() }

// first returns the first hash of a log, and 0 of one that only counts.
func first(log *hashlog.Log) uint64 {
	for hashes := range log.All() {
		return hashes[0]
	}
	return 0
}

// Build solves the keys' equations, and asks for memory when they can be solved.
func (s *scheme) Build(log *hashlog.Log, goroutines int, memory building.Memory) ([]byte, error) {
	if log.Len() == 0 {
		return memory(0, true)
	}
	planned := s.planned(log)
	if _, allowed := planned.bytes(); !allowed || planned.blocks == 0 {
		return planned.buildFastLocal(log, memory)
	}
	sys := systems.Get().(*system)
	defer sys.release()
	goroutines = sys.take(log, goroutines)
	seed, ok := sys.solvable(planned.blocks, first(log), goroutines)
	if !ok {
		return s.plan.fastLocal(uint64(log.Len())).buildFastLocal(log, memory)
	}
	data, err := memory(planned.bytes())
	if err != nil {
		return nil, err
	}
	sys.solve(data[:planned.body], planned.blocks, goroutines)
	PutTrailer(data[planned.body:], planned.blocks, seed)
	return data, nil
}

// buildFastLocal builds the filter that RocksDB writes in place of a Ribbon filter.
func (s size) buildFastLocal(log *hashlog.Log, memory building.Memory) ([]byte, error) {
	data, err := memory(s.bytes())
	if err != nil {
		return nil, err
	}
	for hashes := range log.All() {
		asm.FastLocalAdd(data[:s.body], s.probes, hashes)
	}
	fastlocal.PutTrailer(data[s.body:], s.probes)
	return data, nil
}

// solvable puts the keys' equations into the system, with the first seed that makes them solvable.
// RocksDB begins with the first hash's low byte.
func (s *system) solvable(blocks uint32, first uint64, goroutines int) (seed byte, ok bool) {
	seed = byte(first)
	for range seeds {
		if s.add(blocks, seed, goroutines) {
			return seed, true
		}
		seed++
	}
	return 0, false
}

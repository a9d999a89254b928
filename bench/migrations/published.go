//go:build published

package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/FastFilter/xorfilter"
	victoria "github.com/VictoriaMetrics/VictoriaMetrics/lib/bloomfilter"
	"github.com/bluesky-social/jetstream/segment"
	"github.com/ethereum/go-ethereum/core/state/pruner"
	bloomfilter "github.com/holiman/bloomfilter/v2"
	"github.com/jcalabro/gloom"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func measure(r *run) error {
	for _, f := range []func(*run) error{limiters, stateBlooms, indexes, archives} {
		for range r.Rounds {
			if err := f(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// note adds a number of a round, before or after the migration.
func (r *run) note(project, what, unit string, after bool, value float64) {
	at := -1
	for i, w := range r.Rows {
		if w.Project == project && w.What == what {
			at = i
		}
	}
	if at < 0 {
		at = len(r.Rows)
		r.Rows = append(r.Rows, row{Project: project, What: what, Unit: unit})
	}
	if w := &r.Rows[at]; after {
		w.After = append(w.After, value)
	} else {
		w.Before = append(w.Before, value)
	}
}

// timed returns the nanoseconds of f's each of n steps.
func timed(n int, f func()) float64 {
	runtime.GC() // garbage of the one before it
	start := time.Now()
	f()
	return float64(time.Since(start)) / float64(n)
}

type limiter interface {
	Add(h uint64) bool
	CurrentItems() int
	MustStop()
}

func limiters(r *run) error {
	const items, project = 1_000_000, "VictoriaMetrics v1.136.23, Limiter of 1,000,000"
	hashes := vectors.Hashes(rand.Uint64(), items-1)
	for after, l := range []limiter{victoria.NewLimiter(items, time.Hour), NewLimiter(items, time.Hour)} {
		add := func() {
			for _, h := range hashes {
				l.Add(h)
			}
		}
		r.note(project, "Add of a new hash", "ns", after == 1, timed(len(hashes), add))
		r.note(project, "new hashes that are taken for old ones", "%", after == 1, 100*float64(len(hashes)-l.CurrentItems())/float64(len(hashes)))
		r.note(project, "Add of an old hash", "ns", after == 1, timed(len(hashes), add))
		l.MustStop()
	}
	return nil
}

// stateBlooms measures filters of 64 MiB with 28.6 bits a key, as 600 million keys have in 2 GiB.
func stateBlooms(r *run) error {
	const size, keys, project = 64, 18_750_000, "go-ethereum v1.17.10, stateBloom of 64 MiB"
	folder, err := os.MkdirTemp("", "migrations")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "bloom")
	empty, err := bloomfilter.New(size<<23, 4)
	if err != nil {
		return err
	}
	if _, err := empty.WriteFile(name); err != nil {
		return err
	}
	theirs, err := pruner.NewStateBloomFromDisk(name)
	if err != nil {
		return err
	}
	ours, err := NewStateBloom(keys, size)
	if err != nil {
		return err
	}
	contents := make([]byte, 32*keys+32*1_000_000)
	for i := range len(contents) / 8 {
		binary.LittleEndian.PutUint64(contents[8*i:], rand.Uint64())
	}
	key := func(i int) []byte { return contents[32*i:][:32] }
	for after, put := range []func(key []byte){func(key []byte) { _ = theirs.Put(key, nil) }, ours.Put} {
		r.note(project, "Put", "ns", after == 1, timed(keys, func() {
			for i := range keys {
				put(key(i))
			}
		}))
	}
	for after, contain := range []func(key []byte) bool{theirs.Contain, ours.Contain} {
		r.note(project, "Contain of a node of the state", "ns", after == 1, timed(1_000_000, func() {
			for i := range 1_000_000 {
				contain(key(i * 18))
			}
		}))
		found := 0
		r.note(project, "Contain of another node", "ns", after == 1, timed(1_000_000, func() {
			for i := range 1_000_000 {
				if contain(key(keys + i)) {
					found++
				}
			}
		}))
		r.note(project, "other nodes that stay", "in 10,000", after == 1, float64(found)/100)
	}
	for after, commit := range []func() error{
		func() error { return theirs.Commit(name, name+".tmp") },
		func() error { return ours.Commit(name) },
	} {
		var err error
		r.note(project, "Commit", "ms", after == 1, timed(1_000_000, func() { err = commit() }))
		if err != nil {
			return err
		}
		r.note(project, "open the file", "ms", after == 1, timed(1_000_000, func() {
			if after == 0 {
				_, err = pruner.NewStateBloomFromDisk(name)
				return
			}
			file, failed := OpenStateBloom(name)
			if err = failed; err == nil {
				err = file.Close()
			}
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

func indexes(r *run) error {
	const keys, project = 10_000_000, "xorfilter 20260120, BinaryFuse8 of 10,000,000"
	hashes, absent := vectors.Hashes(rand.Uint64(), keys), vectors.Hashes(rand.Uint64(), 1<<20)
	var theirs bytes.Buffer
	var ours []byte
	var err error
	r.note(project, "build and store", "ns a key", false, timed(keys, func() {
		var f *xorfilter.BinaryFuse8
		if f, err = xorfilter.PopulateBinaryFuse8(append([]uint64(nil), hashes...)); err == nil {
			err = f.Save(&theirs)
		}
	}))
	if err != nil {
		return err
	}
	r.note(project, "build and store", "ns a key", true, timed(keys, func() { ours, err = AppendIndex(nil, nil, hashes) }))
	if err != nil {
		return err
	}
	r.note(project, "stored", "bits a key", false, 8*float64(theirs.Len())/keys)
	r.note(project, "stored", "bits a key", true, 8*float64(len(ours))/keys)
	var loaded *xorfilter.BinaryFuse8
	r.note(project, "open", "µs", false, timed(1000, func() { loaded, err = xorfilter.LoadBinaryFuse8(&theirs) }))
	if err != nil {
		return err
	}
	opened, err := OpenIndex(ours)
	r.note(project, "open", "µs", true, timed(1000, func() { opened, err = OpenIndex(ours) }))
	if err != nil {
		return err
	}
	many := func(contains func(uint64) bool) func(asked []uint64) {
		return func(asked []uint64) {
			for _, h := range asked {
				contains(h)
			}
		}
	}
	hits := make([]bool, len(absent))
	for _, c := range []struct {
		what          string
		asked         []uint64
		before, after func(asked []uint64)
	}{
		{"Contains, found", hashes[:len(absent)], many(loaded.Contains), many(opened.ContainsHash)},
		{"Contains, absent", absent, many(loaded.Contains), many(opened.ContainsHash)},
		{"Contains in a loop, ContainsHashes", absent, many(loaded.Contains), func(asked []uint64) { opened.ContainsHashes(asked, hits) }},
	} {
		r.note(project, c.what, "ns", false, timed(len(absent), func() { c.before(c.asked) }))
		r.note(project, c.what, "ns", true, timed(len(absent), func() { c.after(c.asked) }))
	}
	return nil
}

// archives measures what jetstream's manifest does for an account: the blocks of each segment that may have it. Its
// blocks' filters are all as large as the one of the most accounts.
func archives(r *run) error {
	const segments, blocks, project = 100, 1024, "jetstream v0.2.0, 100 segments of 1,024 blocks"
	type theirs struct {
		all    *gloom.Filter
		blocks []*gloom.Filter
	}
	var before []theirs
	var after Archive
	size := 0
	for _, in := range accountsOf(segments, blocks) {
		if err := after.Add(in); err != nil {
			return err
		}
		distinct, most := make(map[string]bool), 0
		for _, accounts := range in {
			most = max(most, len(accounts))
			for _, did := range accounts {
				distinct[did] = true
			}
		}
		s := theirs{all: gloom.New(uint64(len(distinct)), 0.001)}
		for did := range distinct {
			s.all.AddString(did)
		}
		size += int(s.all.Cap()) / 8
		sized := gloom.New(uint64(most), 0.001)
		for _, accounts := range in {
			f := gloom.NewWithParams(sized.NumBlocks(), sized.K()) // finding them takes 300 µs
			for _, did := range accounts {
				f.AddString(did)
			}
			s.blocks = append(s.blocks, f)
			size += int(f.Cap()) / 8
		}
		before = append(before, s)
	}
	r.note(project, "filters", "MB", false, float64(size)/1e6)
	r.note(project, "filters", "MB", true, float64(after.SizeBytes())/1e6)
	selects := []func(did string) int{
		func(did string) (n int) {
			for _, s := range before {
				n += len(segment.SelectBlocksForDID(s.all, s.blocks, did))
			}
			return n
		},
		func(did string) (n int) {
			for _, s := range after.Select(did) {
				n += len(s.Blocks)
			}
			return n
		},
	}
	const lookups = 10_000
	for _, c := range []struct {
		what  string
		first int
	}{{"an account's blocks", 0}, {"those of an unknown account", accounts}} {
		dids := make([]string, lookups)
		for i := range dids {
			dids[i] = account(c.first + i)
		}
		for way, blocksOf := range selects {
			blocks := 0
			r.note(project, c.what, "µs", way == 1, timed(1000*lookups, func() {
				for _, did := range dids {
					blocks += blocksOf(did)
				}
			}))
			if c.first == accounts {
				r.note(project, "wrong blocks of it", "in 1,000 lookups", way == 1, 1000*float64(blocks)/lookups)
			}
		}
	}
	return nil
}

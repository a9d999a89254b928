package filterset_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// TestPartsAreBuiltFromTheirHashesAlone compares a builder's files, whose hashes were on disk, with BuildPart's, in
// another order, and with repeated ones.
func TestPartsAreBuiltFromTheirHashesAlone(t *testing.T) {
	const parts = 4
	for _, p := range contract.Policies() {
		for _, distinct := range []bool{false, true} {
			hashes := someHashes(3, 150_000)
			options := []filterset.Option{filterset.WithParts(parts)}
			if distinct {
				options = append(options, filterset.WithDistinct())
				hashes = append(hashes, hashes[:30_000]...)
			}
			dir := filepath.Join(t.TempDir(), "set")
			buildSet(t, dir, p, hashes, options...)
			layer := infoOf(t, dir).Layers[0]
			if layer.Keys() != 150_000 || layer.BitsPerKey != p.BitsPerKey() {
				t.Errorf("%s: %d keys, %v bits per key", p.Name(), layer.Keys(), layer.BitsPerKey)
			}
			rand.Shuffle(len(hashes), func(i, k int) { hashes[i], hashes[k] = hashes[k], hashes[i] })
			for part := range parts {
				own := slices.DeleteFunc(slices.Clone(hashes), func(h uint64) bool { return filterset.PartOf(h, parts) != part })
				if !distinct { // also what a builder without WithDistinct would count twice
					own = append(own, own[:len(own)/2]...)
				}
				data, made, err := filterset.BuildPart(p, own, options...)
				if err != nil {
					t.Fatal(err)
				}
				there := must(os.ReadFile(filepath.Join(dir, layer.Folder(), filterset.PartFile(part))))
				if string(there) != string(data) || made != layer.Parts[part] {
					t.Errorf("%s, distinct %v, part %d: other bytes, or %v is not %v", p.Name(), distinct, part, made, layer.Parts[part])
				}
			}
		}
	}
}

// TestEveryWayToAdd adds the same keys in every way.
func TestEveryWayToAdd(t *testing.T) {
	keys, values := vectors.Keys("user8", 0, 10_000), someHashes(1, 10_000)
	p := policy.Linear(12)
	dir := t.TempDir()
	b := must(filterset.NewBuilder(filepath.Join(dir, "set"), p, 0, setMemory))
	defer b.Close()
	hash := p.Hash()
	b.AddKeys(keys[:5000])
	for _, key := range keys[5000:7000] {
		b.Add(key)
	}
	for _, key := range keys[7000:8000] {
		b.AddString(string(key))
	}
	b.AddHashes(hash.AppendHashes(nil, keys[8000:]))
	b.AddColumn(keyhash.Values(values[:9000]))
	for _, value := range values[9000:] {
		b.AddUint64(value)
	}
	if b.Len() != 20_000 || b.Err() != nil {
		t.Error(b.Len(), b.Err())
	}
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := openSet(t, filepath.Join(dir, "set"))
	hits := make([]bool, 10_000)
	s.ContainsKeys(keys, hits)
	for i, hit := range hits {
		if !hit || !s.Contains(keys[i]) || !s.ContainsString(string(keys[i])) {
			t.Fatal("key", i)
		}
	}
	clear(hits)
	s.ContainsUint64s(values, hits)
	for i, hit := range hits {
		if !hit || !s.ContainsUint64(values[i]) {
			t.Fatal("value", i)
		}
	}
	if s.Info().NumParts() != 1 || len(s.Info().Layers) != 1 {
		t.Error(s.Info().NumParts(), len(s.Info().Layers))
	}
}

func TestLargeBatches(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	hashes := someHashes(1, 150_000)
	buildSet(t, dir, policy.FastLocal(8), hashes[:20_000], filterset.WithParts(8))
	s := openSet(t, dir)
	hits := make([]bool, len(hashes))
	s.ContainsHashes(hashes, hits)
	for i, hit := range hits {
		if hit != s.ContainsHash(hashes[i]) {
			t.Fatal(i)
		}
	}
	if n := testing.AllocsPerRun(5, func() { s.ContainsHashes(hashes, hits) }); n > 1 && !program.Raced {
		t.Errorf("%v allocations", n)
	}
}

// TestUnmappedParts: what is not mapped is read into memory, also if it was replaced meanwhile.
func TestUnmappedParts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	hashes := someHashes(1, 20_000)
	buildSet(t, dir, policy.Linear(12), hashes, filterset.WithParts(8))
	restore := filterset.UnmapParts()
	s, closed := openSet(t, dir), openSet(t, dir, filterfile.WithLazyCheck())
	restore()
	buildSet(t, dir, policy.Linear(12), hashes[:1], filterset.WithParts(8))
	if n := len(s.AppendHits(nil, hashes)); n != len(hashes) || s.Err() != nil || s.Verify(context.Background(), nil) != nil {
		t.Error(n, s.Err())
	}
	closed.Close()
}

// TestUnfinishedBuilders leave nothing, and what was there is unchanged.
func TestUnfinishedBuilders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "set")
	p := policy.FastLocal(10)
	hashes := someHashes(1, 100_000)
	for _, there := range []int{0, 2} {
		if there > 0 {
			buildSet(t, dir, p, hashes[:100])
		}
		second := must(filterset.NewBuilder(dir, p, 1, setMemory)) // makes the folder, and ends last
		second.AddHashes(hashes)
		b := must(filterset.NewBuilder(dir, p, 1, setMemory))
		b.AddHashes(hashes) // some on disk
		if n := len(must(os.ReadDir(dir))); n != there+2 {
			t.Errorf("%d entries with two builders", n)
		}
		b.Close()
		if err := b.Finish(context.Background()); err == nil {
			t.Error("Finish after Close")
		}
		for i, add := range []func(){func() { b.AddUint64(1) }, func() { b.AddHashes(hashes[:1]) }, func() { b.AddKeys([][]byte{{1}}) }} {
			func() {
				defer func() {
					if text, _ := recover().(string); !strings.Contains(text, "finished or closed") {
						t.Errorf("way %d to add a key after Close: %q", i, text)
					}
				}()
				add()
			}()
		}
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		if err := second.Finish(cancelled); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		b.Close()
		if open, _ := testmem.OpenFiles(dir); open != 0 || b.Err() != nil || second.Err() != nil {
			t.Errorf("%d files are open after Close, %v, %v", open, b.Err(), second.Err())
		}
		entries, err := os.ReadDir(dir)
		if len(entries) != there || there == 0 && !errors.Is(err, fs.ErrNotExist) {
			t.Error(entries, err)
		}
		if there > 0 && infoOf(t, dir).Keys() != 100 {
			t.Error("the old set is gone")
		}
	}
}

// TestDiskErrorsEndBuilding: what Err and Finish say if the hashes cannot be written, or a part.
func TestDiskErrorsEndBuilding(t *testing.T) {
	hashes := someHashes(1, 100_000)
	for _, n := range []int{1000, len(hashes)} { // in memory, and on disk
		dir := filepath.Join(t.TempDir(), "set")
		buildSet(t, dir, policy.FastLocal(10), hashes[:10])
		old := infoOf(t, dir).Layers[0].ID
		b := must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory))
		defer b.Close()
		for _, entry := range must(os.ReadDir(dir)) {
			if name := entry.Name(); strings.HasPrefix(name, "layer-") && name != "layer-"+old {
				if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
					t.Skip("the system does not remove a folder in use: ", err)
				}
			}
		}
		b.AddHashes(hashes[:n])
		if onDisk := n == len(hashes); onDisk != (b.Err() != nil) {
			t.Errorf("%d hashes: %v", n, b.Err())
		}
		if err := b.Finish(context.Background()); !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), "filterset") != 1 {
			t.Error(err)
		}
		if id := infoOf(t, dir).Layers[0].ID; id != old {
			t.Error("the old set is gone")
		}
	}
}

func TestSetOptionsAreChecked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	for name, err := range map[string]error{
		"parts":       second(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithParts(3), nil)),
		"more parts":  second(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithParts(2*1<<14))),
		"concurrency": second(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithConcurrency(0))),
		"keys":        second(filterset.NewBuilder(dir, policy.FastLocal(10), -1, setMemory)),
		"memory":      second(filterset.NewBuilder(dir, policy.FastLocal(10), 1, 1<<20)),
		"32 bits":     second(filterset.NewBuilder(dir, policy.Legacy(10), 1, setMemory)),
		"no bits":     second(filterset.NewBuilder(dir, policy.FastLocal(0), 1, setMemory)),
		"no policy":   second(filterset.NewBuilder(dir, nil, 1, setMemory)),
		"input":       second(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithInput("a\nb"))),
		"pieces":      second(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithPieceBytes(5000))),
		"of a part":   errorOfPart(filterset.BuildPart(nil, nil)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("a folder was made")
	}
	if _, err := filterset.Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	buildSet(t, dir, policy.FastLocal(10), someHashes(1, 10))
	if _, err := filterset.Open(dir, filterfile.WithHash(keyhash.XXPH3)); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Error(err)
	}
	s := must(filterset.Open(dir, nil))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Verify(cancelled, func(done, _ int64) { t.Errorf("%d bytes were verified", done) }); !errors.Is(err, context.Canceled) {
		t.Errorf("Verify after nothing was read: %v", err)
	}
	s.Close()
	if !errors.Is(s.Err(), fs.ErrClosed) || s.Close() != nil || !errors.Is(s.Verify(context.Background(), nil), fs.ErrClosed) {
		t.Error("after Close")
	}
}

func errorOfPart(_ []byte, _ filterset.Part, err error) error { return err }

// TestFewKeys: each phase ends with a report of all keys, the set's files can be read by whom other files can, and the
// hashes by this user alone.
func TestFewKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	var seen []filterset.Progress
	b := must(filterset.NewBuilder(dir, policy.FastLocal(0.5), 0, setMemory, filterset.WithInput("-lower"), filterset.WithDistinct(),
		filterset.WithProgress(func(p filterset.Progress) { seen = append(seen, p) })))
	defer b.Close()
	b.AddHashes(slices.Repeat([]uint64{1}, 3000)) // one list, which goes to the disk
	if runtime.GOOS != "windows" {
		if mode := must(os.Stat(hashesFile(t, dir))).Mode(); mode&0o777 != 0o600 {
			t.Errorf("hashes are readable by %v", mode)
		}
	}
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if want := []filterset.Progress{{Phase: "adding keys", Done: 3000, Total: 3000}, {Phase: "building parts", Done: 3000, Total: 3000}}; !slices.Equal(seen, want) {
		t.Errorf("reports %v, want %v", seen, want)
	}
	layer := infoOf(t, dir).Layers[0]
	if layer.Input != "-lower" || layer.Keys() != 1 {
		t.Errorf("input %q, %d keys", layer.Input, layer.Keys())
	}
	buildSet(t, dir, policy.FastLocal(10), []uint64{1}) // nothing of the old set stays
	if entries := must(os.ReadDir(dir)); len(entries) != 2 {
		t.Errorf("%v", entries)
	}
	layer = infoOf(t, dir).Layers[0]
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := must(os.Stat(filepath.Join(dir, layer.Folder(), filterset.PartFile(0)))).Mode(), must(os.Stat(other)).Mode(); got != want {
		t.Errorf("a part is readable by %v, and other files by %v", got, want)
	}
}

func second[T any](_ T, err error) error { return err }

// TestSetsAtOnce looks up in a set while others replace it and add layers: the set that is open stays what it is.
func TestSetsAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	hashes := someHashes(1, 3000)
	p := policy.Paired(16)
	buildSet(t, dir, p, hashes, filterset.WithParts(32))
	opened := openSet(t, dir, filterfile.WithLazyCheck())
	var builders, readers sync.WaitGroup
	for i := range 3 {
		builders.Add(1)
		go func() {
			defer builders.Done()
			for range 4 {
				options := []filterset.Option{filterset.WithParts(8 << i)}
				if i == 2 {
					options = append(options, filterset.WithLayer())
				}
				buildSet(t, dir, p, hashes, options...)
			}
		}()
	}
	done := make(chan bool)
	for range 2 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			for {
				select {
				case <-done:
					return
				default:
				}
				s, err := filterset.Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if n := len(s.AppendHits(nil, hashes)); n != len(hashes) || s.Err() != nil {
					t.Error(n, s.Err())
				}
				s.Close()
			}
		}()
	}
	builders.Wait()
	close(done)
	readers.Wait()
	if n := len(opened.AppendHits(nil, hashes)); n != len(hashes) || opened.Err() != nil {
		t.Error("the set that was open:", n, opened.Err())
	}
}

func TestProgressOfSets(t *testing.T) {
	var seen []filterset.Progress
	const n = 5 << 20
	b := must(filterset.NewBuilder(filepath.Join(t.TempDir(), "set"), policy.FastLocal(1), n, 64<<20,
		filterset.WithProgress(func(p filterset.Progress) { seen = append(seen, p) })))
	defer b.Close()
	values := make([]uint64, 1<<16)
	for range n >> 16 {
		b.AddColumn(keyhash.Values(values))
	}
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i, p := range seen[1:] {
		if before := seen[i]; p.Phase == before.Phase && p.Done < before.Done || p.Total != n {
			t.Error(before, p)
		}
	}
	if last := seen[len(seen)-1]; last != (filterset.Progress{Phase: "building parts", Done: n, Total: n}) || len(seen) < 6 {
		t.Error(seen)
	}
}

package filterset_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// hashesFile returns the file of hashes of the only builder in a set's folder.
func hashesFile(t *testing.T, dir string) string {
	t.Helper()
	files := must(filepath.Glob(filepath.Join(dir, "layer-*", "hashes")))
	if len(files) != 1 {
		t.Fatalf("files of hashes: %q", files)
	}
	return files[0]
}

// TestHashesThatAreNotWritten: Err has the disk's error while keys are added, and Finish returns it.
func TestHashesThatAreNotWritten(t *testing.T) {
	b := must(filterset.NewBuilder(filepath.Join(t.TempDir(), "set"), policy.FastLocal(10), 1, setMemory, filterset.WithParts(2)))
	defer b.Close()
	hashes := someHashes(1, 100_000)
	b.AddHashes(hashes)
	if b.Err() != nil {
		t.Fatal(b.Err())
	}
	filterset.CloseHashes(b) // writes fail from now on
	for range 1000 {
		if b.AddHashes(hashes); b.Err() != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := b.Err(); err == nil || b.Finish(context.Background()) != err {
		t.Errorf("Err is %v, and Finish returns another", err)
	}
}

// TestHashesThatAreLost: Finish returns an error if it cannot read the hashes that were written, and leaves the set as
// it was.
func TestHashesThatAreLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), []uint64{1})
	b := must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithParts(2), filterset.WithProgress(func(p filterset.Progress) {
		if p.Done == p.Total {
			os.Truncate(hashesFile(t, dir), 0) // all are written, and none is read
		}
	})))
	b.AddHashes(someHashes(1, 100_000))
	if err := b.Finish(context.Background()); !errors.Is(err, io.EOF) {
		t.Errorf("%v, want %v", err, io.EOF)
	}
	if keys := infoOf(t, dir).Keys(); keys != 1 {
		t.Errorf("the set has %d keys", keys)
	}
}

// TestProgressOfHashesInAFile: no more keys are done than there are.
func TestProgressOfHashesInAFile(t *testing.T) {
	hashes := someHashes(1, 1_100_000)
	last := filterset.Progress{}
	buildSet(t, filepath.Join(t.TempDir(), "set"), policy.FastLocal(10), hashes, filterset.WithParts(2), filterset.WithProgress(func(p filterset.Progress) {
		if last = p; p.Done > p.Total || p.Total != int64(len(hashes)) {
			t.Errorf("%s: %d of %d", p.Phase, p.Done, p.Total)
		}
	}))
	if last.Done != last.Total {
		t.Errorf("the last are %d of %d", last.Done, last.Total)
	}
}

// TestLayersStayWhileTheManifestIsUnreadable: it may list them. So a set that was finished or merged keeps its files
// until somebody can read which.
func TestLayersStayWhileTheManifestIsUnreadable(t *testing.T) {
	t.Chdir(t.TempDir())
	buildSet(t, "source", policy.FastLocal(10), []uint64{1})
	defer filterset.SyncFolders(func(name string) error {
		if filepath.Clean(name) == "set" { // the last thing before the manifest is written
			return os.Mkdir(filepath.Join("set", filterset.Manifest), 0o777)
		}
		return nil
	})()
	for how, write := range map[string]func() error{
		"built":  func() error { return build("set") },
		"merged": func() error { return filterset.Merge("set", "source") },
	} {
		err := write()
		if layers := must(filepath.Glob("set/layer-*/" + filterset.PartFile(0))); err == nil || len(layers) != 1 {
			t.Errorf("%s: %v, parts %q", how, err, layers)
		}
		os.RemoveAll("set")
	}
}

// TestWaysToAddToASet in turn: no way drops what another one has added.
func TestWaysToAddToASet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	b := must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory))
	var want []uint64
	next := func() uint64 { want = append(want, uint64(len(want))); return want[len(want)-1] }
	for range 3 {
		b.AddUint64(next())
		b.AddKeys([][]byte{binary.LittleEndian.AppendUint64(nil, next()), binary.LittleEndian.AppendUint64(nil, next())})
		b.AddUint64(next())
		b.AddColumn(keyhash.Values([]uint64{next(), next()}))
		b.AddUint64(next())
		b.AddHashes([]uint64{keyhash.XX64.SumUint64(next())})
	}
	if b.Len() != int64(len(want)) {
		t.Errorf("%d keys, want %d", b.Len(), len(want))
	}
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := openSet(t, dir)
	defer s.Close()
	for _, value := range want {
		if !s.ContainsUint64(value) {
			t.Errorf("value %d is missing", value)
		}
	}
}

// TestLongColumns are looked up in pieces.
func TestLongColumns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	values := someHashes(1, 600_000)
	b := must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithParts(2)))
	b.AddColumn(keyhash.Values(values[300_000:]))
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := openSet(t, dir)
	defer s.Close()
	var want []int32
	for i, value := range values {
		if s.ContainsUint64(value) {
			want = append(want, int32(i))
		}
	}
	if got := s.AppendColumnHits(nil, keyhash.Values(values)); !slices.Equal(got, want) {
		t.Errorf("%d hits, want %d", len(got), len(want))
	}
}

// TestVerifyReportsBytes: all of them in the end.
func TestVerifyReportsBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), someHashes(1, 10_000), filterset.WithParts(4))
	s := openSet(t, dir)
	defer s.Close()
	s.EstimatedFPR()
	calls, last := 0, int64(0)
	if err := s.Verify(context.Background(), func(done, total int64) {
		if calls++; done <= last || total != s.Info().SizeBytes() {
			t.Errorf("%d bytes of %d after %d", done, total, last)
		}
		last = done
	}); err != nil {
		t.Error(err)
	}
	if calls != 4 || last != s.Info().SizeBytes() {
		t.Errorf("%d calls, the last with %d bytes", calls, last)
	}
	if n := runtime.GOMAXPROCS(0); n != 3 {
		t.Errorf("%d processors, and not 3", n)
	}
}

// TestVerifyReadsEverything: a wrong byte is found where no lookup has read it.
func TestVerifyReadsEverything(t *testing.T) {
	for _, unmapped := range []bool{false, true} {
		if unmapped {
			defer filterset.UnmapParts()()
		}
		dir := filepath.Join(t.TempDir(), "set")
		buildSet(t, dir, policy.FastLocal(10), someHashes(1, 200_000), filterset.WithParts(1))
		path := filepath.Join(dir, infoOf(t, dir).Layers[0].Folder(), filterset.PartFile(0))
		data := must(os.ReadFile(path))
		data[len(data)/2] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openSet(t, dir, filterfile.WithLazyCheck())
		if err := s.Verify(context.Background(), nil); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), path) {
			t.Error(err)
		}
	}
}

// TestPartOfPanics where there is no such number of parts.
func TestPartOfPanics(t *testing.T) {
	for _, parts := range []int{0, -1, 3, 6, math.MinInt} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d parts", parts)
				}
			}()
			filterset.PartOf(1, parts)
		}()
	}
}

// TestFirstLookupsAtOnce: goroutines need a part that is not mapped for the first time, and the set is closed
// meanwhile. All have the right answer, and no file stays open.
func TestFirstLookupsAtOnce(t *testing.T) {
	defer filterset.UnmapParts()()
	dir := filepath.Join(t.TempDir(), "set")
	hashes := someHashes(1, 20_000)
	buildSet(t, dir, policy.FastLocal(30), hashes, filterset.WithParts(1))
	const absent = 1
	for i := range 200 {
		s := must(filterset.Open(dir))
		contains := s.Underway()
		var lookups sync.WaitGroup
		for range 4 {
			lookups.Add(1)
			go func() {
				defer lookups.Done()
				if !contains(hashes[i]) || contains(absent) {
					t.Error("a lookup has the wrong answer")
				}
			}()
		}
		if i%2 == 0 {
			lookups.Wait()
			if on, _ := testmem.OpenFiles(dir); on != 0 {
				t.Errorf("%d files are open, and all parts are read", on)
			}
		}
		s.Close()
		lookups.Wait()
	}
}

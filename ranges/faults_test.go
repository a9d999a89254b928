package ranges_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// TestEveryRequestFailsOnce: lookups return errors, and "may contain", until every range was asked for twice. Then they
// are right.
func TestEveryRequestFailsOnce(t *testing.T) {
	present, absent := vectors.Hashes(1, 60_000), vectors.Hashes(2, 1000)
	for _, p := range contract.Policies()[:4] {
		s, set := setOf(t, p, present, filterset.WithParts(4), filterset.WithPieceBytes(4096))
		var seen sync.Map
		s.read = func(_ context.Context, _ int64, name string, data []byte, off int64) error {
			if _, again := seen.LoadOrStore(fmt.Sprint(name, off, len(data)), true); !again {
				copy(data, s.files[name][min(off, int64(len(s.files[name]))):][:min(len(data)/2, len(s.files[name]))])
				return errFails
			}
			return s.copy(name, data, off)
		}
		if _, err := filterset.OpenAt(ctx, s, ""); !errors.Is(err, errFails) {
			t.Fatalf("%v: %v", p, err)
		}
		r := contract.Must(filterset.OpenAt(ctx, s, "", filterfile.WithReadCost(0)))
		hashes := append(present[:1000:1000], absent...)
		hits := make([]bool, len(hashes))
		for try := 0; ; try++ {
			err := r.ContainsHashes(ctx, hashes, hits)
			for i, hash := range hashes {
				if want := set.ContainsHash(hash); hits[i] != want && (want || err == nil) {
					t.Fatalf("%v, try %d: hash %d: %v, %v", p, try, i, hits[i], err)
				}
			}
			if err == nil {
				break
			}
			if !errors.Is(err, errFails) || try > 20 {
				t.Fatalf("%v, try %d: %v", p, try, err)
			}
		}
		if n := r.Counters(); n.Errors == 0 {
			t.Errorf("%v: %+v", p, n)
		}
	}
}

// TestRandomFailures: of a million answers, with one in 100 requests failing in some way, no "no" is wrong, and answers
// without an error are right.
func TestRandomFailures(t *testing.T) {
	answers := 1_000_000
	if testing.Short() {
		answers = 100_000
	}
	present, absent := vectors.Hashes(1, 120_000), vectors.Hashes(2, 60_000)
	hashes := append(present[:60_000:60_000], absent...)
	random := rand.New(rand.NewPCG(1, 2))
	var wrong, failed atomic.Int64
	for _, p := range contract.Policies()[:4] {
		s, set := setOf(t, p, present, filterset.WithParts(8), filterset.WithPieceBytes(4096))
		want := make([]bool, len(hashes))
		set.ContainsHashes(hashes, want)
		s.read = func(_ context.Context, n int64, name string, data []byte, off int64) error {
			err := s.copy(name, data, off)
			if err == nil && n%100 == 99 && name != filterset.Manifest {
				switch n / 100 % 5 {
				case 0:
					return errFails
				case 1:
					clear(data)
				case 2:
					clear(data[len(data)/2:])
				case 3:
					data[int(n)%len(data)] ^= 1
				case 4:
					copy(data, s.files[filterset.Manifest])
				}
			}
			return err
		}
		for done := 0; done < answers/len(contract.Policies()[:4]); {
			r := contract.Must(filterset.OpenAt(ctx, s, "", filterfile.WithMemory(2<<20), filterfile.WithReadCost(0)))
			var calls sync.WaitGroup
			for range 4 {
				from, n := random.IntN(len(hashes)-3000), 1+random.IntN(3000)
				done += n
				calls.Add(1)
				go func() {
					defer calls.Done()
					hits := make([]bool, n)
					err := r.ContainsHashes(ctx, hashes[from:][:n], hits)
					if err != nil {
						failed.Add(1)
					}
					for i, hit := range hits {
						if hit != want[from+i] && (!hit || err == nil) {
							wrong.Add(1)
						}
					}
				}()
			}
			calls.Wait()
		}
	}
	if wrong.Load() > 0 || failed.Load() == 0 {
		t.Errorf("%d wrong answers, and %d calls failed", wrong.Load(), failed.Load())
	}
}

// TestWrongBytesAnywhere: whichever bit of a file is wrong, opening or lookups return an error that wraps ErrCorrupt,
// or answers are right. None is a wrong "no".
func TestWrongBytesAnywhere(t *testing.T) {
	present := vectors.Hashes(1, 20_000)
	for _, p := range contract.Policies() {
		b := p.NewBuilder()
		b.AddHashes(present)
		f := contract.Must(b.Filter())
		data := contract.Must(filterfile.Append(nil, f, filterfile.WithPieceBytes(4096)))
		s := &store{files: map[string][]byte{"f": data}}
		found := 0
		var places []int
		for at := 0; at < len(data)-len(f.Bytes()); at++ {
			if at < 64 || at%29 == 0 {
				places = append(places, at)
			}
		}
		for at := len(data) - len(f.Bytes()); at < len(data); at += 2039 {
			places = append(places, at)
		}
		for at := len(data) - 150; at < len(data); at += 3 {
			places = append(places, at)
		}
		for _, at := range places {
			data[at] ^= 0x20
			r, err := filterfile.OpenAt(ctx, s, "f", filterfile.WithReadCost(0))
			if err == nil {
				hits := make([]bool, len(present))
				err = r.ContainsHashes(ctx, present, hits)
				for i, hit := range hits {
					if !hit {
						t.Fatalf("%v, byte %d of %d: hash %d is lost", p, at, len(data), i)
					}
				}
			}
			if err != nil {
				found++
				isLength := at >= 16 && at < 22 // which is larger than the memory, or than the file
				if !errors.Is(err, simdbloom.ErrCorrupt) && !isLength {
					t.Fatalf("%v, byte %d of %d: %v", p, at, len(data), err)
				}
			}
			data[at] ^= 0x20
		}
		if found != len(places) {
			t.Errorf("%v: %d of %d wrong bytes were found", p, found, len(places))
		}
	}
}

// TestContextsEndRequests that never return, whether the store minds the context or not. Another call is not ended.
func TestContextsEndRequests(t *testing.T) {
	present := vectors.Hashes(1, 60_000)
	s, _ := setOf(t, policy.Linear(10), present, filterset.WithParts(2), filterset.WithPieceBytes(4096))
	release := make(chan struct{})
	var hang atomic.Bool
	s.read = func(_ context.Context, _ int64, name string, data []byte, off int64) error {
		if hang.Load() {
			<-release
		}
		return s.copy(name, data, off)
	}
	hang.Store(true)
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := filterset.OpenAt(short, s, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("opening: %v", err)
	}
	hang.Store(false)
	r := contract.Must(filterset.OpenAt(ctx, s, ""))
	hang.Store(true)
	second := make(chan error)
	short, cancel = context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	go func() {
		time.Sleep(5 * time.Millisecond) // it waits for what the first call reads
		_, err := r.ContainsHash(ctx, present[0])
		second <- err
	}()
	hits := make([]bool, 1000)
	if err := r.ContainsHashes(short, present[:1000], hits); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("lookups: %v", err)
	}
	for i, hit := range hits {
		if !hit {
			t.Fatalf("hash %d is lost", i)
		}
	}
	hang.Store(false)
	close(release)
	if err := <-second; err != nil {
		t.Errorf("the call beside the one that was ended: %v", err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if hit, err := r.ContainsHash(ended, 1); !hit || !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v, %v", hit, err)
	}
}

// TestPanicsOfStores are errors.
func TestPanicsOfStores(t *testing.T) {
	s, _ := setOf(t, policy.Linear(10), vectors.Hashes(1, 1000))
	if _, err := filterset.OpenAt(ctx, s, "", filterfile.WithHash(keyhash.XXPH3)); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Errorf("another hash: %v", err)
	}
	s.read = func(context.Context, int64, string, []byte, int64) error { panic("broken") }
	if _, err := filterset.OpenAt(ctx, s, ""); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
}

// TestReplacedSets: a set that is replaced while it is open is the old one, or its lookups are errors.
func TestReplacedSets(t *testing.T) {
	present, others := vectors.Hashes(1, 100_000), vectors.Hashes(2, 100_000)
	dir := filepath.Join(t.TempDir(), "set")
	addSet(t, dir, policy.Linear(10), present, filterset.WithParts(8), filterset.WithPieceBytes(4096))
	set := contract.Must(filterset.Open(dir))
	defer set.Close()
	want := make([]bool, len(others))
	set.ContainsHashes(others, want)
	s := storeOf(t, dir)
	r := contract.Must(filterset.OpenAt(ctx, s, "", filterfile.WithMemory(1<<20)))
	hits := make([]bool, 100)
	if err := r.ContainsHashes(ctx, present[:100], hits); err != nil {
		t.Fatal(err)
	}
	addSet(t, dir, policy.Linear(10), others, filterset.WithParts(8), filterset.WithPieceBytes(4096))
	s.files = storeOf(t, dir).files // the old layer is gone
	hits = make([]bool, len(present))
	if err := r.ContainsHashes(ctx, present, hits); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
	for i, hit := range hits {
		if !hit {
			t.Fatalf("hash %d is lost", i)
		}
	}
	// Files of the same names with other content, as no tool writes them.
	r = contract.Must(filterset.OpenAt(ctx, s, "", filterfile.WithMemory(1<<20)))
	for name, data := range s.files {
		if strings.HasSuffix(name, "3.filter") {
			s.files[name] = s.files[strings.Replace(name, "3.filter", "4.filter", 1)]
		}
		_ = data
	}
	if err := r.ContainsHashes(ctx, others, hits); !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the error is %v", err)
	}
	for i, hit := range hits {
		if !hit {
			t.Fatalf("hash %d is lost", i)
		}
	}
}

// TestReplacedFiles: a file that is replaced is an error, once its header was read again or a piece was.
func TestReplacedFiles(t *testing.T) {
	file := func(seed uint64) []byte {
		b := policy.Linear(10).NewBuilder()
		b.AddHashes(vectors.Hashes(seed, 60_000))
		return contract.Must(filterfile.Append(nil, contract.Must(b.Filter()), filterfile.WithPieceBytes(4096)))
	}
	s := &store{files: map[string][]byte{"f": file(1)}}
	r := contract.Must(filterfile.OpenAt(ctx, s, "f"))
	s.files["f"] = file(2)
	hits := make([]bool, 60_000)
	if err := r.ContainsHashes(ctx, vectors.Hashes(1, 60_000), hits); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("the error is %v", err)
	}
	for i, hit := range hits {
		if !hit {
			t.Fatalf("hash %d is lost", i)
		}
	}
}

// TestWrongOptions are errors, and so are files that are none.
func TestWrongOptions(t *testing.T) {
	s := &store{files: map[string][]byte{"f": []byte("not a filter"), "e": nil}}
	for _, option := range []filterfile.OpenOption{
		filterfile.WithMemory(0), filterfile.WithMemory(1<<20 - 1), filterfile.WithMemory(-1), filterfile.WithReadCost(-1),
		filterfile.WithConcurrency(0), filterfile.WithConcurrency(-1),
	} {
		if _, err := filterfile.OpenAt(ctx, s, "f", option); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Error(err)
		}
		if _, err := filterset.OpenAt(ctx, s, "f", option); err == nil {
			t.Error(err)
		}
	}
	if _, err := filterfile.OpenAt(ctx, nil, "f"); err == nil {
		t.Error("no ranges are no error")
	}
	for _, name := range []string{"f", "e"} {
		if _, err := filterfile.OpenAt(ctx, s, name); !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := filterfile.OpenAt(ctx, s, "gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := filterset.OpenAt(ctx, s, "gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

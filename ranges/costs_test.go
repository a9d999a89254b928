package ranges_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// TestRequests: opening takes at most three requests a file, and then a key one: at most 1.02 on average. Times are
// only logged: the server waits for 10 ms.
func TestRequests(t *testing.T) {
	const keys = 1_000_000
	present, absent := vectors.Hashes(1, keys), vectors.Hashes(2, 200_000)
	for _, p := range contract.Policies()[:4] {
		for _, pieceBytes := range []int{4 << 10, 64 << 10} {
			b := p.NewBuilder()
			b.AddHashes(present)
			f := contract.Must(b.Filter())
			data := contract.Must(filterfile.Append(nil, f, filterfile.WithPieceBytes(pieceBytes)))
			s := &store{files: map[string][]byte{"f": data}}
			server := serve(t, s, func(http.ResponseWriter, *http.Request) bool { time.Sleep(10 * time.Millisecond); return false })
			name := fmt.Sprintf("%s, %d bytes in pieces of %d", p, len(data), pieceBytes)

			r := contract.Must(filterfile.OpenAt(ctx, readerOf(server), "f"))
			opened := r.Counters()
			most := int64(len(data)-len(f.Bytes())) + 4096 + int64(pieceBytes)
			if p.Format() == simdbloom.Linear {
				most += int64(len(f.Bytes())/65) + 300
			} else {
				most += int64(pieceBytes)
			}
			t.Logf("%s: opened by %d requests, %.2f %% of the bytes", name, opened.Requests, 100*float64(opened.Bytes)/float64(len(data)))
			if opened.Requests > 3 || opened.Bytes > most {
				t.Errorf("%s: opened by %d requests, %d bytes, want at most %d", name, opened.Requests, opened.Bytes, most)
			}
			for _, n := range []int{1, 10, 1000, 100_000} {
				r := contract.Must(filterfile.OpenAt(ctx, readerOf(server), "f", filterfile.WithMemory(64<<20), filterfile.WithConcurrency(64), filterfile.WithReadCost(0)))
				before, calls := r.Counters(), max(1, 100/n)
				times := make([]time.Duration, calls)
				var wait sync.WaitGroup
				for i := range calls {
					wait.Add(1)
					go func() {
						defer wait.Done()
						hits := make([]bool, n)
						begin := time.Now()
						if err := r.ContainsHashes(ctx, absent[i*n:][:n], hits); err != nil {
							t.Error(err)
						}
						times[i] = time.Since(begin)
					}()
				}
				wait.Wait()
				after := r.Counters()
				slices.Sort(times)
				each := float64(after.Requests-before.Requests) / float64(n*calls)
				t.Logf("%s, %d calls of %d keys: %.3f requests and %.0f bytes a key, p50 %v, p99 %v", name, calls, n, each,
					float64(after.Bytes-before.Bytes)/float64(n*calls), times[calls/2].Round(time.Millisecond), times[calls*99/100].Round(time.Millisecond))
				if most := 1.02 + 0.3*float64(len(spans(p, pieceBytes))); each > most {
					t.Errorf("%s, %d keys a call: %.3f requests a key, want at most %.2f", name, n, each, most)
				}
			}
		}
	}
}

// spans says which filters have ranges in two pieces: batches of 8 KiB, and some equations.
func spans(p *policy.Policy, pieceBytes int) []bool {
	if pieceBytes == 4<<10 && p.Format() == simdbloom.Ribbon {
		return []bool{true}
	}
	return nil
}

// TestEveryPieceOnce: a call reads no byte of a filter twice, whatever the cache has room for, and pieces near each
// other by one request. A second call takes what is there from the cache.
func TestEveryPieceOnce(t *testing.T) {
	present, asked := vectors.Hashes(1, 1_000_000), vectors.Hashes(2, 300)
	for _, p := range []*policy.Policy{policy.Linear(10), policy.FastLocal(10)} {
		s, set := setOf(t, p, present, filterset.WithParts(4), filterset.WithPieceBytes(4096))
		type extent struct {
			name     string
			from, to int64
		}
		var mu sync.Mutex
		var read []extent
		apart := 0
		s.read = func(_ context.Context, _ int64, name string, data []byte, off int64) error {
			mu.Lock()
			defer mu.Unlock()
			read = append(read, extent{name, off, off + int64(len(data))})
			return s.copy(name, data, off)
		}
		for _, cost := range []int64{0, 4096, 64 << 10} {
			r := contract.Must(filterset.OpenAt(ctx, s, "", filterfile.WithMemory(4<<20), filterfile.WithReadCost(cost)))
			hits := make([]bool, len(asked))
			if err := r.ContainsHashes(ctx, asked[:100], hits); err != nil { // the headers
				t.Fatal(err)
			}
			for i := range asked[:100] {
				hits[i] = set.ContainsHash(asked[i])
			}
			read = nil
			if err := r.ContainsHashes(ctx, asked[100:], hits); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(read, func(a, b extent) int {
				if c := strings.Compare(a.name, b.name); c != 0 {
					return c
				}
				return int(a.from - b.from)
			})
			for i := 1; i < len(read); i++ {
				a, b := read[i-1], read[i]
				if a.name == b.name && b.from < a.to {
					t.Fatalf("%v: bytes %d to %d and %d to %d of %s", p, a.from, a.to, b.from, b.to, a.name)
				}
			}
			if cost == 0 {
				apart = len(read)
			} else if len(read) > apart/2 && cost > 4096 {
				t.Errorf("%v: %d requests if those that are %d bytes from each other are one, and %d else", p, len(read), cost, apart)
			}
		}
	}
}

// TestOneFlight: goroutines that need the same piece make one request.
func TestOneFlight(t *testing.T) {
	s, _ := setOf(t, policy.Linear(10), vectors.Hashes(1, 100_000), filterset.WithParts(1))
	s.read = func(_ context.Context, _ int64, name string, data []byte, off int64) error {
		time.Sleep(20 * time.Millisecond)
		return s.copy(name, data, off)
	}
	r := contract.Must(filterset.OpenAt(ctx, s, ""))
	var calls sync.WaitGroup
	for range 100 {
		calls.Add(1)
		go func() {
			defer calls.Done()
			if hit, err := r.ContainsHash(ctx, 12345); err != nil {
				t.Error(hit, err)
			}
		}()
	}
	calls.Wait()
	if n := s.requests.Load(); n > 4 { // the manifest, the header, its end, and the piece
		t.Errorf("%d requests", n)
	}
	before := r.Counters()
	if _, err := r.ContainsHash(ctx, 12345); err != nil || r.Counters().Requests != before.Requests || r.Counters().CacheHits <= before.CacheHits {
		t.Errorf("%+v, and then %+v: %v", before, r.Counters(), err)
	}
}

// TestRequestsAtOnce are at most the given number.
func TestRequestsAtOnce(t *testing.T) {
	s, _ := setOf(t, policy.FastLocal(10), vectors.Hashes(1, 500_000), filterset.WithParts(8), filterset.WithPieceBytes(4096))
	var now, most atomic.Int64
	s.read = func(_ context.Context, _ int64, name string, data []byte, off int64) error {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(time.Millisecond)
		now.Add(-1)
		return s.copy(name, data, off)
	}
	r := contract.Must(filterset.OpenAt(ctx, s, "", filterfile.WithConcurrency(7), filterfile.WithReadCost(0)))
	if err := r.ContainsHashes(ctx, vectors.Hashes(3, 500), make([]bool, 500)); err != nil || most.Load() != 7 {
		t.Errorf("%d requests at once: %v", most.Load(), err)
	}
}

// sparse is a set of 10^9 keys, in parts that are all the same file.
type sparse struct {
	manifest, part []byte
	names          sync.Map
	gate           sync.RWMutex // is closed while memory is measured: what is allocated during a collection counts as reachable
}

func newSparse(t testing.TB, p *policy.Policy, parts int, options ...filterset.Option) *sparse {
	data, part, err := filterset.BuildPart(p, vectors.Hashes(1, 1_000_000_000/256), options...)
	if err != nil {
		t.Fatal(err)
	}
	layer := filterset.Layer{ID: "0123456789abcdef", BitsPerKey: p.BitsPerKey(), Parts: slices.Repeat([]filterset.Part{part}, parts)}
	info := filterset.Info{Format: p.Name(), Hash: p.Hash().Name(), Layers: []filterset.Layer{layer}}
	return &sparse{manifest: contract.Must(info.MarshalText()), part: data}
}

func (s *sparse) ReadRange(_ context.Context, name string, p []byte, off int64) error {
	s.names.Store(name, true)
	s.gate.RLock()
	defer s.gate.RUnlock()
	data := s.part
	if name == filterset.Manifest {
		data = s.manifest
	}
	return (&store{files: map[string][]byte{name: data}}).copy(name, p, off)
}

// TestMemory: a set of 10^9 keys is looked up in with 64 MiB, by several goroutines, and asks for nothing but its own
// files.
func TestMemory(t *testing.T) {
	if testing.Short() || program.Raced {
		t.Skip("it takes seconds")
	}
	const memory = 64 << 20
	for _, p := range []*policy.Policy{policy.Linear(10), policy.FastLocal(10)} {
		s := newSparse(t, p, 256)
		base := heap()
		r := contract.Must(filterset.OpenAt(ctx, s, ""))
		done, most := make(chan bool), int64(0)
		go func() {
			var calls sync.WaitGroup
			for i := range 3 {
				calls.Add(1)
				go func() {
					defer calls.Done()
					hashes := vectors.Hashes(uint64(10+i), 1500)
					hits := make([]bool, len(hashes))
					if err := r.ContainsHashes(ctx, hashes, hits); err != nil {
						t.Error(err)
					}
					for _, hash := range hashes[:150] {
						if _, err := r.ContainsHash(ctx, hash); err != nil {
							t.Error(err)
						}
					}
				}()
			}
			calls.Wait()
			close(done)
		}()
		for running := true; running; {
			select {
			case <-done:
				running = false
			case <-time.After(20 * time.Millisecond):
			}
			s.gate.Lock()
			most = max(most, heap()-base)
			s.gate.Unlock()
		}
		t.Logf("%v: %d MB are used, %+v", p, most>>20, r.Counters())
		if most > memory {
			t.Errorf("%v: %d bytes of memory", p, most)
		}
		s.names.Range(func(name, _ any) bool {
			if name != filterset.Manifest && path.Dir(name.(string)) != "layer-0123456789abcdef" {
				t.Errorf("%v asks for %s", p, name)
			}
			return true
		})
		runtime.KeepAlive(r)
	}
}

// heap returns the bytes that are reachable.
func heap() int64 {
	runtime.GC()
	runtime.GC() // pools are empty after two
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestHostileHeaders allocate little, whatever they say: lengths of terabytes, in files of any length.
func TestHostileHeaders(t *testing.T) {
	b := policy.Linear(10).NewBuilder()
	b.AddHashes(vectors.Hashes(1, 100_000))
	data := contract.Must(filterfile.Append(nil, contract.Must(b.Filter()), filterfile.WithPieceBytes(4096)))
	endless := &store{read: func(_ context.Context, _ int64, _ string, p []byte, off int64) error {
		for i := range p {
			if p[i] = 0; off+int64(i) < int64(len(data)) {
				p[i] = data[off+int64(i)]
			}
		}
		return nil
	}}
	for _, length := range []uint64{0, 1, 1 << 16, 1 << 24, 1 << 30, 1 << 31, 1 << 40, 1<<46 - 1, 1 << 46, 1<<48 - 1} {
		for _, names := range []uint16{0, 1, 1024, 65535} {
			for _, log := range []uint16{12, 15} {
				binary.LittleEndian.PutUint64(data[16:], length|uint64(log)<<48)
				binary.LittleEndian.PutUint16(data[12:], names)
				before := allocated()
				if _, err := filterfile.OpenAt(ctx, endless, "f", filterfile.WithMemory(1<<20)); err == nil {
					t.Errorf("a filter of %d bytes is no error", length)
				}
				if bytes := allocated() - before; bytes > 1<<20 {
					t.Errorf("a filter of %d bytes, names of %d: %d bytes are allocated", length, names, bytes)
				}
			}
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestHostileManifests: a manifest that does not end, or lists parts of other sizes than their files', allocates at
// most the memory, and what its parts name is not read elsewhere.
func TestHostileManifests(t *testing.T) {
	p := policy.Linear(10)
	data, part, err := filterset.BuildPart(p, vectors.Hashes(1, 50_000))
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string][]byte{"no end": []byte(`{"set":1,"layers":[`), "lines": []byte("\n\n\n")}
	for name, text := range ends {
		s := &store{read: func(_ context.Context, _ int64, _ string, p []byte, off int64) error {
			for len(p) > 0 {
				p = p[copy(p, text):]
			}
			return nil
		}}
		before := allocated()
		if _, err := filterset.OpenAt(ctx, s, "", filterfile.WithMemory(4<<20)); err == nil {
			t.Errorf("%s is no error", name)
		}
		if bytes := allocated() - before; bytes > 4<<20 {
			t.Errorf("%s: %d bytes are allocated", name, bytes)
		}
	}
	for _, said := range []filterset.Part{
		{Keys: part.Keys, Bytes: math.MaxInt64 / 2, Sum: part.Sum},
		{Keys: part.Keys, Bytes: part.Bytes + 1, Sum: part.Sum},
		{Keys: part.Keys, Bytes: 39, Sum: part.Sum},
		{Keys: part.Keys, Bytes: 0, Sum: part.Sum},
		{Keys: part.Keys, Bytes: 50, Sum: part.Sum},
		{Keys: part.Keys + 1, Bytes: part.Bytes, Sum: part.Sum},
		{Keys: part.Keys, Bytes: part.Bytes, Sum: part.Sum + 1},
	} {
		info := filterset.Info{Format: p.Name(), Hash: "XX64", Layers: []filterset.Layer{{ID: "0123456789abcdef", BitsPerKey: 10, Parts: []filterset.Part{said}}}}
		s := &store{files: map[string][]byte{filterset.Manifest: contract.Must(info.MarshalText()), "layer-0123456789abcdef/00000.filter": data}}
		r := contract.Must(filterset.OpenAt(ctx, s, "", filterfile.WithMemory(4<<20)))
		before := allocated()
		hit, err := r.ContainsHash(ctx, 1)
		if !hit || err == nil {
			t.Errorf("%+v: %v, %v", said, hit, err)
		}
		if bytes := allocated() - before; bytes > 2<<20 {
			t.Errorf("%+v: %d bytes are allocated", said, bytes)
		}
	}
	// Layers are named by 16 digits: others are an error of the manifest.
	info := filterset.Info{Format: p.Name(), Hash: "XX64", Layers: []filterset.Layer{{ID: "0123456789abcdef", BitsPerKey: 10, Parts: []filterset.Part{part}}}}
	for _, id := range []string{"../../../etc/x..", "0123456789abcde/", "http://evil.exam"} {
		text := bytes.Replace(contract.Must(info.MarshalText()), []byte("0123456789abcdef"), []byte(id), 1)
		object, _, _ := bytes.Cut(text, []byte("\n"))
		object = append(object, '\n')
		text = fmt.Appendf(object, "xxh64 %016x\n", sum(object))
		s := &store{files: map[string][]byte{filterset.Manifest: text}}
		if _, err := filterset.OpenAt(ctx, s, ""); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("the layer %q: %v", id, err)
		}
	}
}

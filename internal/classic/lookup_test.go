package classic

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/mmap"
)

// TestLookupsAreNaive looks up groups of all kinds of sizes in bits in memory, near and far, and in a file, as if
// it were in memory and as if it were not.
func TestLookupsAreNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	words := make([]byte, 1<<16+24)
	for i := range words {
		words[i] = byte(r.Uint32() | r.Uint32())
	}
	near := BitsOf(words)
	far := near
	far.far = true
	all := map[string]*Bits{"near": &near, "far": &far}
	path := filepath.Join(t.TempDir(), "bits")
	if err := os.WriteFile(path, append([]byte("header"), words...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mapped", "asked", "asked for a time"} {
		file, err := mmap.OpenRegular(path)
		if err != nil {
			t.Fatal(err)
		}
		pages := Map(file)
		file.Close()
		if pages == nil {
			break // this system does not map files
		}
		defer pages.Unmap()
		bits := pages.Bits(6, 6+len(words))
		pages.asks.Store(map[string]int64{"asked": 1 << 60, "asked for a time": 700}[name])
		all[name] = &bits
	}
	for name, bits := range all {
		if got, want := bits.Ones(), Ones(words); got != want {
			t.Errorf("%s: %d ones, want %d", name, got, want)
		}
		for _, n := range []int{0, 1, 2, largeChunk - 1, largeChunk, largeChunk + 1, 3*largeChunk + 5, Group - 1, Group} {
			for _, probes := range []int{1, 2, 3, 7, 20} {
				places := make([][Group]uint64, probes)
				present := r.IntN(2) == 0
				for p := range places {
					for i := range places[p] {
						bit := r.Uint64N(8 * uint64(len(words)))
						for present && i%3 != 1 && words[bit/8]>>(bit%8)&1 == 0 {
							bit = r.Uint64N(8 * uint64(len(words)))
						}
						places[p][i] = bit
					}
				}
				first := r.Perm(Group)
				var l Lookup
				var want []uint8
				for j, i := range first[:n] {
					l.Keys[j] = uint8(i)
					if !slices.ContainsFunc(places, func(at [Group]uint64) bool { return words[at[i]/8]>>(at[i]%8)&1 == 0 }) {
						want = append(want, uint8(i))
					}
				}
				l.Begin(bits, n)
				for probe := 0; probe < probes && l.Next(); probe++ {
					for keys, at := l.Some(); len(keys) > 0; keys, at = l.Some() {
						for j, i := range keys {
							at[j] = places[probe][i]
						}
						l.Ahead(at)
					}
				}
				if got := l.Found(); !slices.Equal(got, want) {
					t.Fatalf("%s, %d keys, %d probes: %v, want %v", name, n, probes, got, want)
				}
			}
		}
	}
}

// TestLoads compares Load with the bytes, also of files.
func TestLoads(t *testing.T) {
	words := []byte("some bytes that have bits")
	path := filepath.Join(t.TempDir(), "bits")
	if err := os.WriteFile(path, words, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := mmap.OpenRegular(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := []Bits{BitsOf(words[5:])}
	if pages := Map(file); pages != nil {
		defer pages.Unmap()
		all = append(all, pages.Bits(5, len(words)))
		asked := &Pages{mapped: pages.mapped}
		asked.asks.Store(1000)
		all = append(all, asked.Bits(5, len(words)))
	}
	at := []uint64{0, 8, 7, 159, 100, 20, 31, 32, 33, 64, 65, 71}
	for i := range all {
		var loaded [Group]byte
		all[i].Load(loaded[:], at)
		for j, bit := range at {
			if loaded[j] != words[5+bit/8] {
				t.Errorf("%d: bit %d: %q", i, bit, loaded[j])
			}
		}
		all[i].WillRead(3, 1<<20)
	}
}

func TestNothingIsMapped(t *testing.T) {
	if Map(nil) != nil {
		t.Error("nothing was mapped")
	}
}

package redisbloom_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/redisbloom"
)

// key returns key i of the dumps: its digits, and up to 39 equal bytes, so that keys have all lengths.
func key(i int) []byte { return append(fmt.Append(nil, i), bytes.Repeat([]byte{byte(i)}, i%40)...) }

// dumps are those that RedisBloom's own sources wrote (sb.c and bloom.c, of the newest version unless named), and what
// these answered. The keys 0 to 999 are in all but two.
var dumps = []struct {
	name       string
	links      int
	keys       uint64
	present    int // of keys 1,000 to 19,999
	added      int
	scales     bool
	mayAddMore bool // places are looked up by two rules
}{
	{"noround", 4, 996, 146, 1000, true, false},
	{"rounded", 3, 997, 153, 1000, true, false},
	{"nonscaling", 1, 500, 23, 500, false, false},
	{"raw", 1, 1000, 10, 1000, true, false},
	{"narrow", 3, 994, 152, 1000, true, false},
	{"narrow-noround", 3, 994, 154, 1000, true, true},
	{"v1.1.0", 3, 994, 257, 1000, true, false},
	{"v1.1.0-noround", 4, 985, 304, 1000, true, true},
	{"v2.0.3", 3, 989, 245, 1000, true, false},
	{"v2.2.18", 3, 997, 153, 1000, true, false},
	{"empty", 1, 0, 0, 0, true, false},
}

func stored(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".dump"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, data []byte) *redisbloom.Filter {
	t.Helper()
	f, err := redisbloom.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDumpsAnswerAsTheOriginal(t *testing.T) {
	var keys [][]byte
	for i := range 20_000 {
		keys = append(keys, key(i))
	}
	for _, d := range dumps {
		data := stored(t, d.name)
		f := open(t, data)
		if f.Keys() != d.keys || len(f.Links()) != d.links || f.Scales() != d.scales || f.SizeBytes() != len(data) {
			t.Errorf("%s: %d keys, %+v", d.name, f.Keys(), f.Links())
		}
		if err := f.Verify(); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
		present := 0
		for i, key := range keys {
			hit := f.Contains(key)
			if i < d.added && !hit {
				t.Fatalf("%s: no key %d", d.name, i)
			}
			if hit != f.ContainsString(string(key)) || hit != redisbloom.MayContain(data, key) {
				t.Fatalf("%s: key %d: not %v", d.name, i, hit)
			}
			if i >= 1000 && hit {
				present++
			}
		}
		if present < d.present || present > d.present && !d.mayAddMore || present > 4*d.present {
			t.Errorf("%s: %d keys are present, want %d", d.name, present, d.present)
		}
		if rate := f.EstimatedFPR(); d.present > 100 && !d.mayAddMore && (rate < float64(present)/25_000 || rate > float64(present)/15_000) {
			t.Errorf("%s: rate %v, but %d of 19,000 are present", d.name, rate, present)
		}
	}
}

func TestBatchesAnswerAsLookups(t *testing.T) {
	for _, d := range dumps {
		f := open(t, stored(t, d.name))
		for _, n := range []int{0, 1, 255, 256, 257, 2000} {
			keys, hits := make([][]byte, n), make([]bool, n+1)
			for i := range keys {
				keys[i], hits[i] = key(i*7), i%2 == 0
			}
			hits[n] = true
			f.ContainsKeys(keys, hits)
			for i, key := range keys {
				if hits[i] != f.Contains(key) {
					t.Fatalf("%s: %d keys: key %d: %v", d.name, n, i, hits[i])
				}
			}
			if !hits[n] {
				t.Fatal("a hit beyond the keys was changed")
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("fewer hits than keys: no panic")
		}
	}()
	open(t, stored(t, "empty")).ContainsKeys(make([][]byte, 2), make([]bool, 1))
}

func TestLinks(t *testing.T) {
	want := []redisbloom.Link{
		{Bits: 1152, Probes: 8, Keys: 100, Capacity: 100, FPR: 0.005},
		{Bits: 2560, Probes: 9, Keys: 200, Capacity: 200, FPR: 0.0025},
		{Bits: 5056, Probes: 10, Keys: 400, Capacity: 400, FPR: 0.00125},
		{Bits: 12736, Probes: 11, Keys: 296, Capacity: 800, FPR: 0.000625},
	}
	for i, l := range open(t, stored(t, "noround")).Links() {
		if l.Probes != want[i].Probes || l.Keys != want[i].Keys || l.Capacity != want[i].Capacity || l.FPR != want[i].FPR {
			t.Errorf("link %d: %+v, want %+v", i, l, want[i])
		}
	}
}

// TestLinksAreBegunWhenOthersAreFull, in the layouts of all versions.
func TestLinksAreBegunWhenOthersAreFull(t *testing.T) {
	for _, d := range dumps {
		for i, l := range open(t, stored(t, d.name)).Links() {
			if full := l.Keys == l.Capacity; l.Keys > l.Capacity || !full && i < d.links-1 {
				t.Errorf("%s: link %d of %d: %+v", d.name, i, d.links, l)
			}
		}
	}
}

// TestFewerHitsThanKeys: nothing is written before the panic.
func TestFewerHitsThanKeys(t *testing.T) {
	keys, hits := make([][]byte, 600), make([]bool, 599)
	for i := range keys {
		keys[i] = key(i)
	}
	defer func() {
		if recover() == nil || slices.Contains(hits, true) {
			t.Error("no panic, or hits before it")
		}
	}()
	open(t, stored(t, "noround")).ContainsKeys(keys, hits)
}

func TestLookupsAllocateNothing(t *testing.T) {
	data := stored(t, "rounded")
	f, keys, hits := open(t, data), [][]byte{key(1), key(2), key(5000)}, make([]bool, 3)
	if n := testing.AllocsPerRun(100, func() {
		f.ContainsKeys(keys, hits)
		f.ContainsString("a")
		redisbloom.MayContain(data, keys[2])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCorruptBytes(t *testing.T) {
	changed := func(at int, value ...byte) []byte {
		data := append([]byte(nil), stored(t, "noround")...)
		copy(data[at:], value)
		return data
	}
	ones := bytes.Repeat([]byte{255}, 8)
	for _, c := range []struct {
		data []byte
		says string
	}{
		{nil, "0 bytes: too short for a header"},
		{make([]byte, 19), "the number of links is 0"},
		{changed(8, 0, 0, 0, 0), "the number of links is 0"},
		{changed(8, ones[:4]...), "too short for the links' headers"},
		{changed(8, 5), "corrupt"},
		{changed(12, 21), "unknown options"},
		{changed(20, ones...), "too short for the links' bits"},
		{changed(20, 0), "a link's number of bits is 0, or more than its bytes have"},
		{changed(28, make([]byte, 8)...), "a link's number of bits is 0"},
		{changed(28, ones...), "a link's number of bits is 0, or more than its bytes have"},
		{changed(44, make([]byte, 8)...), "a link's rate is not above 0 and below 1"},
		{changed(44, ones...), "a link's rate is not above 0 and below 1"},
		{changed(60, 0), "a link's number of probes is 0, or more than 65536"},
		{changed(60, 1, 0, 1), "a link's number of probes"},
		{changed(72, 64), "a link's number of bits is 0"},
		{changed(72, 63), "a link's number of bits is 0, or more"},
		{stored(t, "v2.2.0"), "corrupt"},
		{append(changed(0), 0), "longer than the links' bits"},
	} {
		f, err := redisbloom.Open(c.data)
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) || f != nil {
			t.Errorf("%x: %v, want %q", c.data[:min(len(c.data), 80)], err, c.says)
		}
		if !redisbloom.MayContain(c.data, []byte("a")) {
			t.Errorf("%s: no", c.says)
		}
	}
	for _, d := range dumps {
		data := stored(t, d.name)
		for n := range data {
			if _, err := redisbloom.Open(data[:n]); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%s: %d of %d bytes: %v", d.name, n, len(data), err)
			}
		}
	}
}

// TestChangedHeaders flips every bit of a header: nothing panics, and what opens and passes Verify differs in the
// growth, options, capacities, low bits of rates or numbers of bits only.
func TestChangedHeaders(t *testing.T) {
	whole := stored(t, "noround")
	for at := range 20 + 53 {
		for bit := range 8 {
			data := append([]byte(nil), whole...)
			data[at] ^= 1 << bit
			f, err := redisbloom.Open(data)
			if err != nil {
				continue
			}
			f.Contains(key(0))
			link := at - 20
			if f.Verify() == nil && !(at >= 12 && at < 20 || link >= 8 && link < 16 || link >= 24 && link < 40 || link >= 44) {
				t.Errorf("flipped: %d/%d", at, bit)
			}
		}
	}
}

// TestMostProbes opens filters of the most probes, and none of more.
func TestMostProbes(t *testing.T) {
	data := append([]byte(nil), stored(t, "noround")...)
	for probes, opens := range map[uint32]bool{0: false, 1: true, 1 << 16: true, 1<<16 + 1: false} {
		binary.LittleEndian.PutUint32(data[20+40:], probes)
		if _, err := redisbloom.Open(data); opens != (err == nil) || !opens && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d probes: %v", probes, err)
		}
	}
}

package paired_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// Speedb 2.1.0 and 2.1.1 have batches of 128 blocks under the name and with the trailer of the later versions' 32.

var whole = flag.Bool("whole", false, "look up a million keys, and decide on 100,000 filters of each kind")

// speedbNames are what Speedb's policy is called, and what its tables record.
var speedbNames = []string{"speedb.PairedBloomFilter:10", "speedb_paired_bloom_filter:10"}

// asSpeedb21 makes the trailer of a filter in batches of 128 that of Speedb 2.1.
func asSpeedb21(data []byte) []byte {
	data[len(data)-2] = 0
	return data
}

// built returns Speedb's filter of keys: of 2.1, or of 2.8.
func built(t *testing.T, keys [][]byte, bitsPerKey float64, batch int) []byte {
	t.Helper()
	b, err := paired.NewBuilder(bitsPerKey, keyhash.XXPH3, paired.WithBatchBlocks(batch), building.WithRoundDown)
	if err != nil {
		t.Fatal(err)
	}
	b.AddKeys(keys)
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return asSpeedb21(data)
}

// readings are the ways to look keys up in Speedb's bytes.
func readings(t *testing.T, data []byte) map[string]func(key []byte) bool {
	t.Helper()
	opened, err := paired.Open(data, keyhash.XXPH3)
	if err != nil {
		t.Fatal(err)
	}
	file, err := opened.MarshalBinary()
	var stored simdbloom.Filter
	if err == nil {
		err = stored.UnmarshalBinary(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := policy.ForName(opened.Name())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]func(key []byte) bool{
		"Open": opened.Contains, "CopyAligned": opened.CopyAligned().Contains, "UnmarshalBinary": stored.Contains,
		"MayContainHash":         func(key []byte) bool { return paired.MayContainHash(data, keyhash.XXPH3.Sum64(key)) },
		"by the Filter's name":   func(key []byte) bool { return recorded.MayContain(data, key) },
		"hash by Filter's name":  func(key []byte) bool { return recorded.MayContainHash(data, keyhash.XXPH3.Sum64(key)) },
		"Open by Filter's name":  openedBy(t, recorded, data),
		"batch of Open's Filter": func(key []byte) bool { hit := []bool{false}; opened.ContainsKeys([][]byte{key}, hit); return hit[0] },
	}
	for _, name := range speedbNames {
		p, err := policy.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		read, err := filterblock.Open(p, data, filterblock.ReadOptions{WholeKeys: true})
		if err != nil {
			t.Fatal(err)
		}
		all[name] = func(key []byte) bool { return p.MayContain(data, key) }
		all[name+", hash"] = func(key []byte) bool { return p.MayContainHash(data, keyhash.XXPH3.Sum64(key)) }
		all[name+", Open"] = openedBy(t, p, data)
		all[name+", filter block"] = read.MayContain
	}
	p, err := policy.ForName("speedb_paired_bloom_filter")
	if err != nil || p.String() != speedbNames[1] {
		t.Fatal(p, err)
	}
	all["ForName"] = func(key []byte) bool { return p.MayContain(data, key) }
	return all
}

func openedBy(t *testing.T, p *policy.Policy, data []byte) func(key []byte) bool {
	t.Helper()
	f, err := p.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f.Contains
}

// TestSpeedb21 has the bytes of Speedb 2.1.1's builder, and its reader's answers.
func TestSpeedb21(t *testing.T) {
	absentOf := make(map[string][]uint64)
	for _, v := range vectors.Paired21Keys() {
		name := fmt.Sprintf("%d %s keys at %v bits/key", v.N, v.Keys, v.BitsPerKey)
		keys := vectors.Keys(v.Keys, 0, v.N)
		data := built(t, keys, v.BitsPerKey, 128)
		if digest := sha256.Sum256(data); !bytes.Equal(digest[:], v.SHA256) || len(data) != v.TotalLen || !bytes.HasSuffix(data, v.Trailer) {
			t.Fatalf("%s: other bytes than Speedb's", name)
		}
		f, err := paired.Open(data, keyhash.XXPH3)
		if err != nil || paired.Verify(f) != nil {
			t.Fatalf("%s: %v", name, errors.Join(err, paired.Verify(f)))
		}
		if absentOf[v.Keys] == nil {
			absentOf[v.Keys] = keyhash.XXPH3.AppendHashes(nil, vectors.Keys(v.Keys, vectors.FirstNegativeKey, vectors.FirstNegativeKey+vectors.Negatives))
		}
		batch, found := geometry.Of(f).BatchBlocks, len(f.AppendHits(nil, absentOf[v.Keys]))
		if batch != 128 && (batch != 0 || v.N > 2) || found < v.FalsePositives || batch == 128 && found > v.FalsePositives || f.NumProbes() != v.NumProbes {
			t.Errorf("%s: batches of %d, %d probes, %d false positives, want %d", name, batch, f.NumProbes(), found, v.FalsePositives)
		}
		if batch == 0 && found > v.FalsePositives+10 {
			t.Errorf("%s: %d false positives by both sizes of batches", name, found)
		}
		for way, mayContain := range readings(t, data) {
			for i, key := range keys[:min(len(keys), 2000)] {
				if !mayContain(key) {
					t.Fatalf("%s: key %d is lost by %s", name, i, way)
				}
			}
		}
	}
}

// TestSpeedbsKeys: no key of either kind of filters is lost at 20 settings.
func TestSpeedbsKeys(t *testing.T) {
	most := 20_000
	if *whole {
		most = 1_000_000
	}
	all := vectors.Keys("le64", 0, most)
	for setting := range 20 {
		bitsPerKey := []float64{4, 5.5, 8, 10, 12.75, 14, 16, 20, 23.4, 30}[setting%10]
		for _, batch := range []int{32, 128} {
			keys := all
			if setting >= 10 { // whole batches of 128 in both, where 32 would be in doubt
				keys = all[:min(most, int(float64(8*8192*(setting*most/20_000))/bitsPerKey)+1)]
			}
			data := built(t, keys, bitsPerKey, batch)
			for way, mayContain := range readings(t, data) {
				lost := 0
				for _, key := range keys {
					if !mayContain(key) {
						lost++
					}
				}
				if lost > 0 {
					t.Errorf("%d keys at %v bits/key in batches of %d: %d lost by %s", len(keys), bitsPerKey, batch, lost, way)
				}
			}
		}
	}
}

// TestBatchesAreDecided: of filters of either kind and 1 to 20 batches, the pair indexes tell which.
func TestBatchesAreDecided(t *testing.T) {
	filters := 2000
	if *whole {
		filters = 100_000
	}
	r := rand.New(rand.NewPCG(21, 28))
	hashes := make([]uint64, 0, 1<<14)
	doubtful, both := make(map[int]int), make(map[int]int)
	for range filters {
		for _, batch := range []int{32, 128} {
			batches, bitsPerKey := 1+r.IntN(20), 4+60*r.Float64()
			n := int(float64(batches*batch*512) / bitsPerKey)
			if batches == 1 {
				n = 1 + r.IntN(n)
			}
			hashes = hashes[:0]
			for range n {
				hashes = append(hashes, r.Uint64())
			}
			b := formats[batch].Builder(t, bitsPerKey, simdbloom.WithSizeBytes(64*batches*batch+4))
			b.AddHashes(hashes)
			data := asSpeedb21(formats[batch].Finish(t, b))
			f, err := paired.Open(data, keyhash.XXPH3)
			if err != nil {
				t.Fatal(err)
			}
			if batches*batch%128 == 0 {
				doubtful[batch]++
			}
			if got := geometry.Of(f).BatchBlocks; got == 0 && f.Format() == simdbloom.Paired {
				both[batch]++
			} else if got != batch {
				t.Fatalf("%d keys in %d batches of %d: read as %d", n, batches, batch, got)
			}
			for _, hash := range hashes[:min(n, 50)] {
				if !f.ContainsHash(hash) || !paired.MayContainHash(data, hash) {
					t.Fatalf("%d keys in %d batches of %d: a key is lost", n, batches, batch)
				}
			}
		}
	}
	t.Logf("in doubt: %v; both sizes fit: %v", doubtful, both)
	if both[32] > 0 || both[128] > filters/200 {
		t.Errorf("both sizes fit %v filters", both)
	}
}

// TestBothBatches: where both sizes fit, a key is present if it is by one of them, by every call.
func TestBothBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	within := func(batch int, swapped bool) []byte { // pairs in batches of 32 that are pairs of 128, too
		data := naive.PairedOf(3*128/batch, nil, 8, batch)
		for n := 0; n < 3*128; n++ {
			pair := n&^31 | (31 - n&31)
			if swapped && n&31 < 4 {
				pair = n ^ 1
			} else if swapped {
				pair = n&^31 | (4 + (31 - n&31))
			}
			data[n*64] = data[n*64]&^127 | byte(pair&127)
		}
		for i := range data[:len(data)-4] {
			if i%64 > 0 {
				data[i] |= byte(r.Uint32() | r.Uint32())
			}
		}
		return asSpeedb21(data)
	}
	for what, data := range map[string][]byte{
		"no keys": asSpeedb21(naive.PairedOf(1, nil, 8, 128)), "pairs within 32": within(128, false), "other pairs within 32": within(32, true),
	} {
		f, err := paired.Open(data, keyhash.XXPH3)
		if err != nil || f.Format() != simdbloom.Paired || geometry.Of(f).BatchBlocks != 0 || paired.Verify(f) != nil {
			t.Fatalf("%s: %v, batches of %d, %v", what, f.Format(), geometry.Of(f).BatchBlocks, errors.Join(err, paired.Verify(f)))
		}
		hashes := vectors.Hashes(7, 3000)
		found, hits, bits := 0, make([]bool, len(hashes)), make([]uint64, (len(hashes)+63)/64)
		f.ContainsHashes(hashes, hits)
		f.ContainsHashBits(hashes, bits)
		indexes := f.AppendHits(nil, hashes)
		var among []int
		for i, hash := range hashes {
			body, k := data[:len(data)-4], int(data[len(data)-3])
			want := naive.PairedContains(body, 32, k, hash) || naive.PairedContains(body, 128, k, hash)
			if f.ContainsHash(hash) != want || f.Lookup()(hash) != want || hits[i] != want || bits[i/64]>>(i%64)&1 != 0 != want || paired.MayContainHash(data, hash) != want {
				t.Fatalf("%s: hash %d: not %v", what, i, want)
			}
			among = simdbloom.AppendFilters(among[:0], []*simdbloom.Filter{f, f}, hash)
			if (len(among) == 2) != want {
				t.Fatalf("%s: hash %d among filters: not %v", what, i, want)
			}
			if want {
				found++
			}
		}
		if rate := f.EstimatedFPR(); len(indexes) != found || rate < float64(found)/3000/3 || rate > float64(found)/3000*3+1e-9 {
			t.Errorf("%s: %d and %d hits, estimated rate %v", what, found, len(indexes), rate)
		}
	}
}

// TestNoBatches: pair indexes that fit neither size. Every way answers "may contain", and Verify says why.
func TestNoBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	keys := vectors.Keys("user8", 0, 3000)
	for _, batch := range []int{32, 128} {
		for _, damage := range []func(data []byte){
			func(data []byte) { clear(data[:8192]) },
			func(data []byte) { data[3*64] ^= 1 },
			func(data []byte) { data[0] ^= 31 },
			func(data []byte) {
				for i := range data[:len(data)-4] {
					data[i] = byte(r.Uint32())
				}
			},
		} {
			data := built(t, keys, 8*8192*3/3000.-.01, batch)
			data = append(data[:8192*2:8192*2], data[len(data)-4:]...)
			damage(data)
			for way, mayContain := range readings(t, data) {
				for _, key := range vectors.Keys("le64", 0, 300) {
					if !mayContain(key) {
						t.Fatalf("batches of %d: no by %s", batch, way)
					}
				}
			}
			f, err := paired.Open(data, keyhash.XXPH3)
			if err != nil || f.Format() != simdbloom.Reserved || geometry.Of(f).BatchBlocks != 0 {
				t.Fatal(f.Format(), err)
			}
			err = paired.Verify(f)
			if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "neither 32 blocks (block ") {
				t.Error(err)
			}
		}
	}
}

// TestOwnNamesAreNotInDoubt: filters that are recorded under this library's name for batches of 32 have these, whatever
// the bytes are.
func TestOwnNamesAreNotInDoubt(t *testing.T) {
	data := built(t, vectors.Keys("user8", 0, 3000), 23.4, 128) // of Speedb 2.1
	body, k := data[:len(data)-4], int(data[len(data)-3])
	f, err := simdbloom.OpenNamed("simdbloom.Paired32.XXPH3", data, keyhash.XXPH3)
	if err != nil || geometry.Of(f).BatchBlocks != 32 || f.Name() != "simdbloom.Paired32.XXPH3" || paired.Verify(f) == nil {
		t.Fatal(err, geometry.Of(f).BatchBlocks, f.Name())
	}
	p, err := policy.ForName("simdbloom.Paired32.XXPH3")
	if err != nil {
		t.Fatal(err)
	}
	copied := f.CopyAligned()
	for _, hash := range vectors.Hashes(3, 1000) {
		want := naive.PairedContains(body, 32, k, hash)
		if f.ContainsHash(hash) != want || copied.ContainsHash(hash) != want || p.MayContainHash(data, hash) != want {
			t.Fatalf("hash %#x: not %v", hash, want)
		}
	}
	b := contract.Paired32.Builder(t, 10, simdbloom.WithSizeBytes(8196))
	b.AddHashes([]uint64{1, 2, 3})
	own, err := b.Filter()
	if err != nil || geometry.Of(own).BatchBlocks != 32 || own.SizeBytes() != 8196 || own.Name() != "simdbloom.Paired32.XX64" {
		t.Fatal(err, geometry.Of(own).BatchBlocks, own.SizeBytes(), own.Name())
	}
	for _, batch := range []int{32, 128} { // bytes of another key hash than Speedb's, whatever their pair indexes are
		data := naive.PairedOf(2*128/batch, vectors.Hashes(4, 1000), 8, batch)
		for range 2 {
			testOwnBatches(t, data, batch)
			copy(data, naive.PairedOf(2*128/(160-batch), vectors.Hashes(4, 1000), 8, 160-batch)[:16384]) // pairs of the other size
		}
		clear(data[:len(data)-4])
		testOwnBatches(t, data, batch)
	}
}

// testOwnBatches looks keys up in bytes by the names of another key hash than Speedb's, and without a name.
func testOwnBatches(t *testing.T, data []byte, batch int) {
	t.Helper()
	p, err := policy.Parse("simdbloom.Paired:20")
	if err != nil {
		t.Fatal(err)
	}
	var filters []*simdbloom.Filter
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.New("somebody's", keyhash.XX64.Sum64)} {
		opened, err := paired.Open(data, hash)
		if err != nil || geometry.Of(opened).BatchBlocks != batch {
			t.Fatal(err, geometry.Of(opened).BatchBlocks, batch)
		}
		named, err := simdbloom.OpenNamed("simdbloom.Paired128."+hash.Name(), data, hash)
		if err != nil {
			t.Fatal(err)
		}
		filters = append(filters, opened, named, opened.CopyAligned())
	}
	byPolicy, err := p.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	filters = append(filters, byPolicy)
	key := make([]byte, 8)
	for i := range uint64(2000) {
		binary.LittleEndian.PutUint64(key, i)
		sum := keyhash.XX64.Sum64(key)
		want := naive.PairedContains(data[:len(data)-4], batch, 8, sum)
		if p.MayContain(data, key) != want || p.MayContainHash(data, sum) != want {
			t.Fatalf("batches of %d: key %d by %s: not %v", batch, i, p.Name(), want)
		}
		for _, f := range filters {
			if f.Contains(key) != want || f.ContainsHash(sum) != want {
				t.Fatalf("batches of %d: key %d by %s: not %v", batch, i, f.Name(), want)
			}
		}
	}
}

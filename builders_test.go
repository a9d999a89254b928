package simdbloom_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestFiltersThatAreTooLarge are errors, also of Filter, and Reset drops the keys.
func TestFiltersThatAreTooLarge(t *testing.T) {
	b := contract.LevelDB.Builder(t, 1<<33)
	b.AddHash(1)
	contract.TestTooLarge(t, b)
}

// TestBuildersOfPolicies build what policies ask for, and not the format's filters.
func TestBuildersOfPolicies(t *testing.T) {
	own := building.Own{
		SizeBytes: func(keys int) int { return keys }, Build: func(hashes []uint64) ([]byte, error) { return make([]byte, len(hashes)), nil },
	}
	for want, option := range map[string]simdbloom.Option{
		"\x00\x00\x00\x00\x00\x00": func(o *building.Options) { o.AlwaysTrue = true },
		"\x00\x00":                 func(o *building.Options) { o.Own = &own },
	} {
		b := contract.Must(simdbloom.NewBuilder(simdbloom.SplitBlock, 10, keyhash.XX64, option))
		b.AddHashes([]uint64{1, 2})
		if data, err := b.Finish(); string(data) != want || err != nil {
			t.Errorf("% x, %v, want % x", data, err, want)
		}
	}
	if _, err := simdbloom.NewBuilder(simdbloom.Linear, 10, keyhash.XX64, simdbloom.WithSizeBytes(1000), simdbloom.WithMaxBytes(1000)); err != nil {
		t.Errorf("the last option does not count: %v", err)
	}
	b := contract.Must(simdbloom.NewBuilder(simdbloom.Linear, 10, keyhash.XX64, func(o *building.Options) { o.AlwaysTrue = true }))
	b.AddHash(1)
	if f, err := b.Filter(); err != nil || !f.ContainsHash(7) {
		t.Errorf("zeros are no filter that may contain every key: %v", err)
	}
}

// TestRefusedBuilders: there is no builder of bits per key or of a hash that the format does not have.
func TestRefusedBuilders(t *testing.T) {
	for _, c := range []struct {
		bitsPerKey float64
		hash       keyhash.Hash
	}{{0, keyhash.XX64}, {10, keyhash.Hash{}}, {10, keyhash.RocksDB32}} {
		if b, err := simdbloom.NewBuilder(simdbloom.SplitBlock, c.bitsPerKey, c.hash); b != nil || err == nil {
			t.Errorf("%v bits per key, hash %q: %v", c.bitsPerKey, c.hash.Name(), err)
		}
	}
}

// TestCopiesOfPaired: filters of few keys and those of Speedb 2.1, in batches of 128 lines, stay what they are, and
// have the name by which they are read so.
func TestCopiesOfPaired(t *testing.T) {
	for _, c := range []struct {
		keys  int
		batch byte // in the trailer
		name  string
	}{{20, 0, "simdbloom.Paired128.XXPH3"}, {5000, 0, "simdbloom.Paired128.XXPH3"}, {5000, 7, "simdbloom.Paired128.XXPH3"}} {
		hashes := vectors.Hashes(9, c.keys)
		b := contract.Paired128.With(keyhash.XXPH3).Builder(t, 23.4)
		if c.keys < 100 {
			b = contract.Must(simdbloom.NewBuilder(simdbloom.Paired, 23.4, keyhash.XXPH3))
		}
		b.AddHashes(hashes)
		data := contract.Must(b.Finish())
		if c.keys > 100 {
			data[len(data)-2] = c.batch
		}
		f := contract.Must(simdbloom.Open(simdbloom.Paired, data, keyhash.XXPH3))
		for _, f := range []*simdbloom.Filter{f, f.CopyAligned(), contract.Must(simdbloom.OpenNamed(f.Name(), data, keyhash.XXPH3))} {
			if f.Name() != c.name || len(f.AppendHits(nil, hashes)) != c.keys || !bytes.Equal(f.Bytes(), data) {
				t.Errorf("%d keys, batch %d: %s, or keys are missing", c.keys, c.batch, f.Name())
			}
		}
	}
}

// TestCopiesOfPaired32: filters whose lines fit batches of neither size stay those of their name.
func TestCopiesOfPaired32(t *testing.T) {
	data := append(make([]byte, 8192), 1, 16, 0, 0)
	f := contract.Must(simdbloom.OpenNamed("simdbloom.Paired32.XXPH3", data, keyhash.XXPH3))
	if copied := f.CopyAligned(); f.ContainsHash(1) || copied.ContainsHash(1) || copied.Name() != f.Name() {
		t.Errorf("%s contains a hash, or its copy %s does", f.Name(), copied.Name())
	}
}

// TestLongColumns: every value of a column of many blocks has its own bit, and hits without room are not written.
func TestLongColumns(t *testing.T) {
	const n = 9000
	values := vectors.Hashes(5, n)
	m := contract.Must(simdbloom.NewMutable(simdbloom.FastLocal, n/2, 10, keyhash.XX64))
	c := contract.Must(simdbloom.NewConcurrent(simdbloom.FastLocal, n/2, 10, keyhash.XX64))
	m.AddColumn(keyhash.Values(values[:n/2]))
	c.AddColumn(keyhash.Values(values[:n/2]))
	if !bytes.Equal(m.Bytes(), c.Bytes()) {
		t.Error("a Concurrent has other bytes than a Mutable")
	}
	bits, hits := make([]uint64, (n+63)/64), make([]bool, n)
	m.ContainsColumn(keyhash.Values(values), bits)
	m.ContainsUint64s(values, hits)
	for i, hit := range hits {
		if want := m.ContainsUint64(values[i]); hit != want || bits[i/64]>>(i%64)&1 != 0 != want || i < n/2 && !want {
			t.Fatalf("value %d is not %v", i, want)
		}
	}
	clear(bits)
	clear(hits)
	for _, short := range []func(){
		func() { m.ContainsColumn(keyhash.Values(values), bits[:len(bits)-1]) },
		func() { m.ContainsUint64s(values, hits[:n-1]) },
	} {
		if contract.Panic(short) == "" || bits[0] != 0 || hits[0] || hits[1] {
			t.Error("no panic, or answers before it")
		}
	}
}

// TestWrongBytesAreNotWritten: those of a filter that is checked only where it is read.
func TestWrongBytesAreNotWritten(t *testing.T) {
	data := contract.Must(contract.FastLocal.Opened(t, contract.FastLocal.Build(t, 10, vectors.Hashes(1, 120_000))).MarshalBinary())
	clear(data[len(data)/2:][:64])
	f := contract.Must(filterfile.OpenBytes(data, filterfile.WithLazyCheck()))
	var written bytes.Buffer
	if n, err := f.WriteTo(&written); n != 0 || written.Len() != 0 || !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("WriteTo: %d bytes, %v", written.Len(), err)
	}
	if _, err := f.MarshalBinary(); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("MarshalBinary: %v", err)
	}
}

// TestFailedReads leave a filter as it was. A filter that is from a file hands that over, and nothing is written.
func TestFailedReads(t *testing.T) {
	f := contract.FastLocal.Opened(t, contract.FastLocal.Build(t, 10, vectors.Hashes(1, 100)))
	broken := errors.New("broken")
	if n, err := f.ReadFrom(io.MultiReader(bytes.NewReader([]byte("start")), iotest.ErrReader(broken))); n != 5 || !errors.Is(err, broken) || !f.ContainsHash(vectors.Hashes(1, 1)[0]) {
		t.Errorf("%d bytes, %v", n, err)
	}
	file := contract.Must(f.MarshalBinary())
	for from, want := range map[bool]bool{false: false, true: true} {
		g := f
		if from {
			g = new(simdbloom.Filter)
			if err := g.UnmarshalBinary(file); err != nil {
				t.Fatal(err)
			}
		}
		peek, hand := stored.Handover{Peek: true}, stored.Handover{}
		n, err := g.WriteTo(&peek)
		m, err2 := g.WriteTo(&hand)
		if n != 0 || m != 0 || err != nil || err2 != nil || (peek.File != nil) != want || hand.File == nil {
			t.Errorf("from a file %v: %v, %v, %v, %v", from, peek.File, hand.File, err, err2)
		}
	}
}

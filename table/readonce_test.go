package table

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
)

// failingOnce is a file whose nth read fails, after half of the bytes or none.
type failingOnce struct {
	data []byte
	n    int
	err  error
	half bool
}

func (o *failingOnce) ReadAt(p []byte, off int64) (int, error) {
	o.n--
	if o.n == 0 {
		if o.half {
			return copy(p[:len(p)/2], o.data[off:]), o.err
		}
		return 0, o.err
	}
	return bytes.NewReader(o.data).ReadAt(p, off)
}

// TestReadsThatFailOnce: each read of a table fails once. The call returns that error, or "may contain", and finds no
// sound table corrupt or
// short of keys; later calls are right.
func TestReadsThatFailOnce(t *testing.T) {
	broken := errors.New("broken")
	for _, pat := range []string{"testdata/*.sst", "testdata/*.ldb", "testdata/pebble/*.sst", "testdata/orders/*.*"} {
		names, _ := filepath.Glob(pat)
		for _, name := range names {
			rel, _ := filepath.Rel("testdata", name)
			data := testTable(t, rel)
			ref, err := open(data)
			if err != nil {
				continue
			}
			keys := [][]byte{[]byte("key00001"), []byte("key00050"), []byte("nope")}
			want := make([]bool, 3)
			ref.MayContainKeys(keys, want)
			refv, refe := ref.Verify(context.Background(), VerifyOptions{})
			for _, half := range []bool{false, true} {
				for k := 1; k < 60; k++ {
					f := &failingOnce{data, k, broken, half}
					tb, err := Open(f, int64(len(data)))
					if err != nil {
						if errors.Is(err, simdbloom.ErrCorrupt) || !errors.Is(err, broken) {
							t.Errorf("%s %d: open %v", name, k, err)
						}
						continue
					}
					for try := range 2 {
						hits := make([]bool, 3)
						err := tb.MayContainKeys(keys, hits)
						for i := range hits {
							if want[i] && !hits[i] || err == nil && hits[i] != want[i] {
								t.Errorf("%s %d try %d: %v %v %v", name, k, try, hits, want, err)
							}
						}
					}
					r, err := tb.Reader(filterblock.ReadOptions{})
					if err == nil {
						for range 2 {
							for i := range keys {
								if ref.given == nil && want[i] && !r.MayContain(keys[i]) {
									t.Errorf("%s %d: reader", name, k)
								}
							}
						}
					}
					for try := range 2 {
						v, err := tb.Verify(context.Background(), VerifyOptions{})
						if err != nil && refe == nil && !errors.Is(err, broken) {
							t.Errorf("%s %d %v", name, k, err)
						}
						if err == nil && refe == nil && v.Missing > refv.Missing {
							t.Errorf("%s %d try %d: %+v", name, k, try, v)
						}
						if try == 1 && f.n < 0 && !errors.Is(err, broken) && (err == nil) != (refe == nil) {
							t.Errorf("%s %d: sticky %v", name, k, err)
						}
					}
				}
			}
		}
	}
}

package leveldb_test

import (
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/leveldb"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/contract"
)

// TestFewBytes: a number of probes without bits is no filter.
func TestFewBytes(t *testing.T) {
	for n := range 3 {
		if body, probes := leveldb.Body([]byte{7, 7}[:n]); (body == nil) != (n < 2) || body != nil && (len(body) != 1 || probes != 7) {
			t.Errorf("%d bytes: body %v, %d probes", n, body, probes)
		}
	}
}

// TestMemoryThatIsNotHad: a builder's error is that of the memory.
func TestMemoryThatIsNotHad(t *testing.T) {
	none := errors.New("no memory")
	scheme := contract.Must(leveldb.NewScheme(10, &building.Options{Concurrency: 1}))
	log := hashlog.Counted(1000)
	if data, err := scheme.Build(&log, 1, func(uint64, bool) ([]byte, error) { return nil, none }); data != nil || err != none {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

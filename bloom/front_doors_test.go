package bloom_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// TestNewConcurrentOfEachFormat: keys that several goroutines add set the bits that they set in a Mutable made with the
// same arguments, by the functions of each package that has both.
func TestNewConcurrentOfEachFormat(t *testing.T) {
	type (
		newMutable    = func(int, float64, keyhash.Hash, ...simdbloom.Option) (*simdbloom.Mutable, error)
		newConcurrent = func(int, float64, keyhash.Hash, ...simdbloom.Option) (*simdbloom.Concurrent, error)
	)
	hashes := vectors.Hashes(1, 4000)
	for _, door := range []struct {
		format        simdbloom.Format
		newMutable    newMutable
		newConcurrent newConcurrent
	}{
		{simdbloom.FastLocal, bloom.NewMutable, bloom.NewConcurrent},
		{simdbloom.SplitBlock, splitblock.NewMutable, splitblock.NewConcurrent},
		{simdbloom.Blobloom, blobloom.NewMutable, blobloom.NewConcurrent},
	} {
		m := contract.Must(door.newMutable(len(hashes), 10, keyhash.XX64))
		m.AddHashes(hashes)
		c := contract.Must(door.newConcurrent(len(hashes), 10, keyhash.XX64))
		var adding sync.WaitGroup
		for part := range 4 {
			adding.Add(1)
			go func() {
				defer adding.Done()
				c.AddHashes(hashes[1000*part:][:1000])
			}()
		}
		adding.Wait()
		if got := c.Snapshot(); got.Format() != door.format || !bytes.Equal(got.Bytes(), m.Snapshot().Bytes()) {
			t.Errorf("%v of %d bytes: not the Mutable's", got.Format(), got.SizeBytes())
		}
	}
}

package paired

import (
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
)

// Where the batch is not given, the number of keys decides: a body of less than fewBytes is FastLocal's, and one of
// less than manyBytes has batches of 32 blocks. In equal memory batches of 32 have a lower rate than FastLocal at all
// sizes, but rounding up takes more memory than is asked for: just above 4 KiB 22 % on average, and there FastLocal
// needs 20 % more for their rate at 20 bits per key and 28 % at 23.4. Batches of 128, whose rate in equal memory is
// between 1 % higher (10 bits per key) and 12 % lower (30), take 1 % more bytes than those of 32 just above 256 KiB,
// and 8 % above 32 KiB. (go test ./paired -run WhereBatchesBegin -v)
const (
	fewBytes  = 4 << 10
	manyBytes = 256 << 10
)

// bySize returns the format of a filter that is smaller than manyBytes, within the limit. A number of probes that suits
// the size after rounding has a lower rate than Speedb's choice. (A filter never shrinks when keys are added: both
// sizes are whole numbers of the larger batches.)
func (p plan) bySize(hashes uint64) (f format, ok bool) {
	f.body, f.probes = fastlocal.Layout.Size(hashes, p.millibits, p.limit)
	if f.body < fewBytes {
		return f, true
	}
	if min(building.TotalMillibits(hashes, p.millibits)/8000, p.mostBody(PublishedBlocks)) >= manyBytes {
		return f, false
	}
	p.batchBlocks = SpeedbBlocks
	body := min(p.bodyBytes(hashes), p.mostBody(SpeedbBlocks))
	return format{body, SpeedbBlocks, bestProbes(building.RealMillibits(body, hashes))}, true
}

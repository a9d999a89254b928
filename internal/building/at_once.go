package building

import "github.com/simdbloom/simdbloom/internal/aligned"

// atOnce is a filter of a known size that hashes are added to as they arrive, instead of being collected.
type atOnce struct {
	bytes   int
	prepare func(body []byte) (add func(hashes []uint64))
	addTo   func(hashes []uint64)
	body    []byte // nil before the first hashes
}

// add adds hashes.
func (a *atOnce) add(hashes []uint64) {
	a.begin()
	a.addTo(hashes)
}

func (a *atOnce) begin() {
	if a.body == nil {
		a.body = aligned.Make(a.bytes)
		a.addTo = a.prepare(a.body)
	}
}

// reset removes all hashes.
func (a *atOnce) reset() { clear(a.body) }

// finish returns the filter, and is empty again.
func (a *atOnce) finish() []byte {
	a.begin()
	data := a.body
	a.body = nil
	return data
}

// appendFinish appends the filter to dst, and is empty again.
func (a *atOnce) appendFinish(dst []byte) []byte {
	a.begin()
	dst = append(dst, a.body...)
	a.reset()
	return dst
}

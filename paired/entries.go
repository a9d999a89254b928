package paired

import "math"

// EntriesFor returns how many keys a filter of the given number of bytes, trailer included, has
// room for. It returns 0 for arguments that NewBuilder refuses, and takes microseconds at most.
//
// Of the options, those about batches and rounding matter.
func EntriesFor(bytes int, bitsPerKey float64, options ...Option) int {
	o, err := chosen(bitsPerKey, options)
	if err != nil || bytes < trailerBytes {
		return 0
	}
	batch := batchBytes(o.batchBlocks)
	body := min(uint64(bytes-trailerBytes), maxBodyBytes(o.batchBlocks)) / batch * batch
	if body == 0 {
		return 0
	}
	if o.roundDown {
		body += batch - 1 // which are rounded off
	}
	return int(min((8000*(body+1)-1)/uint64(o.millibits), math.MaxInt))
}

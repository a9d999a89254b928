package cold

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/parallel"
	"github.com/simdbloom/simdbloom/keyhash"
)

// record is a hash that is looked up.
type record struct {
	query contents.Query // or only the hash
	index uint32         // among the hashes
	file  int32          // its number, then which of the files at hand
}

const recordBytes = 48 // and a little

// ContainsKeys sets hits[i] to whether keys[i] may have been added. After an error, all hits are true that depend on
// a failed read.
func (f *Filter) ContainsKeys(ctx context.Context, keys [][]byte, hits []bool) error {
	batches.CheckKeys(len(keys), hits)
	return f.each(ctx, len(keys), hits, func(room []uint64, from, to int) []uint64 {
		return keyhash.Hash.AppendHashes(f.hash, room[:0], keys[from:to])
	})
}

// ContainsHashes is ContainsKeys of keys by their hashes.
func (f *Filter) ContainsHashes(ctx context.Context, hashes []uint64, hits []bool) error {
	batches.CheckKeys(len(hashes), hits)
	return f.each(ctx, len(hashes), hits, func(_ []uint64, from, to int) []uint64 { return hashes[from:to] })
}

// each looks up n hashes, some at a time, and returns the first error.
func (f *Filter) each(ctx context.Context, n int, hits []bool, hashed func(room []uint64, from, to int) []uint64) (failed error) {
	most := int(min(f.share/(recordBytes+8), 1<<20))
	for from := 0; from < n; from += most {
		to := min(from+most, n)
		c := call{Filter: f, ctx: ctx, hits: hits[from:to]}
		share := min(f.share, int64(to-from)*(recordBytes+8)) + min(f.share, int64(to-from)*80<<10)
		if err := f.working.take(ctx, share); err != nil {
			c.fail(err)
			c.mayAll()
		} else {
			var room []uint64
			c.run(hashed(room, from, to))
			f.working.give(share)
		}
		if failed == nil {
			failed = c.err
		}
	}
	return failed
}

// call is a lookup of some hashes.
type call struct {
	*Filter
	ctx  context.Context
	hits []bool
	err  error // the first one
}

func (c *call) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// mayAll answers "may contain" for all.
func (c *call) mayAll() {
	for i := range c.hits {
		c.hits[i] = true
	}
}

func (c *call) run(hashes []uint64) {
	clear(c.hits)
	records := make([]record, 0, len(hashes))
	for i := range c.layers {
		l := &c.layers[i]
		for j, hash := range hashes {
			if !c.hits[j] {
				records = append(records, record{contents.Query{Hash: hash}, uint32(j), l.from + int32(l.Of(hash))})
			}
		}
		slices.SortFunc(records, func(a, b record) int { return cmp.Compare(a.file, b.file) })
		for len(records) > 0 {
			records = records[c.inFiles(l, records):]
		}
	}
}

// inFiles looks up in the first files, whose headers fit in the memory together, and returns the number of records that
// have their answer.
func (c *call) inFiles(l *Layer, records []record) (n int) {
	var numbers []int32
	for bytes := int64(0); n < len(records); n++ {
		number := records[n].file
		if len(numbers) == 0 || number != numbers[len(numbers)-1] {
			if size := l.Part(int(number - l.from)).Bytes; size >= 0 {
				bytes += c.likely(size)
			}
			if bytes > c.share && len(numbers) > 0 {
				break
			}
			numbers = append(numbers, number)
		}
		records[n].file = int32(len(numbers) - 1)
	}
	opened, failed := make([]*file, len(numbers)), make([]error, len(numbers))
	parallel.Each(c.requests, len(numbers), func(_, i int) { opened[i], failed[i] = c.open(c.ctx, numbers[i]) })
	left := make([]record, 0, n)
	for _, r := range records[:n] {
		switch of := opened[r.file]; {
		case failed[r.file] != nil:
			c.fail(failed[r.file])
			c.hits[r.index] = true
		case of.whole != nil:
			c.hits[r.index] = of.whole.ContainsHash(r.query.Hash)
		default:
			r.query = of.lookup.Begin(r.query.Hash)
			if int64(r.query.Bytes) <= c.share/4 {
				left = append(left, r)
				continue
			}
			c.fail(fmt.Errorf("%s: a lookup reads %d bytes: they are too many for the memory", of.name, r.query.Bytes))
			c.hits[r.index] = true
		}
	}
	for len(left) > 0 {
		left = c.round(opened, numbers, left)
	}
	return n
}

// round gets the range that each record needs next, once those that are at hand were read, and returns the records
// without an answer.
func (c *call) round(opened []*file, numbers []int32, records []record) (left []record) {
	left = records[:0]
	for _, r := range records {
		of := opened[r.file]
		for {
			data, ok := of.atHand(r.query.At, uint64(r.query.Bytes))
			if !ok {
				left = append(left, r)
				break
			}
			if answer := of.lookup.Next(&r.query, data); answer != contents.More {
				c.hits[r.index] = answer == contents.Maybe
				break
			}
		}
	}
	records, left = left, left[:0]
	slices.SortFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.query.At, b.query.At))
	})
	for len(records) > 0 {
		wants, n := c.wants(opened, numbers, records)
		c.fetch(c.ctx, wants)
		for _, r := range records[:n] {
			for wants[0].number != numbers[r.file] || wants[0].from+wants[0].file.unit <= r.query.At {
				wants = wants[1:]
			}
			data, err := rangeIn(wants, r.query.At, uint64(r.query.Bytes))
			answer := contents.Maybe
			if err != nil {
				c.fail(err)
			} else if answer = opened[r.file].lookup.Next(&r.query, data); answer == contents.More {
				left = append(left, r) // it overwrites one that is done
				continue
			}
			c.hits[r.index] = answer == contents.Maybe
		}
		records = records[n:]
	}
	return left
}

// wants returns the units that the first records need, as many as fit in the memory, at least those of one.
func (c *call) wants(opened []*file, numbers []int32, records []record) (wants []want, n int) {
	bytes := uint64(0)
	for ; n < len(records); n++ {
		r := &records[n]
		of, before := opened[r.file], len(wants)
		from := r.query.At / of.unit * of.unit
		if before > 0 {
			if last := &wants[before-1]; last.file == of {
				if from <= last.from {
					from = last.from + of.unit
				} else if gap := from - last.from - of.unit; gap <= c.readCost {
					bytes += gap
				}
			}
		}
		for ; from < r.query.At+uint64(r.query.Bytes); from += of.unit {
			wants = append(wants, want{file: of, number: numbers[r.file], from: from})
			bytes += of.unit + overhead
		}
		if bytes > uint64(c.share) && n > 0 {
			return wants[:before], n
		}
	}
	return wants, n
}

// rangeIn returns a range that begins in the first of some units.
func rangeIn(wants []want, at, bytes uint64) (data []byte, err error) {
	for i := range wants {
		w := &wants[i]
		if w.err != nil {
			return nil, w.err
		}
		some := w.data[at-w.from:]
		if uint64(len(some)) >= bytes && data == nil {
			return some[:bytes:bytes], nil
		}
		some = some[:min(bytes, uint64(len(some)))]
		data, bytes, at = append(data, some...), bytes-uint64(len(some)), at+uint64(len(some))
		if bytes == 0 {
			return data, nil
		}
	}
	return nil, fmt.Errorf("%w: a range of bytes beyond the filter", contents.ErrCorrupt)
}

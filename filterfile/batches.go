package filterfile

import "runtime"

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is shorter than
// hashes, before it writes anything. It is the fastest way to look up many keys.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) {
	o := f.state()
	if o.sound() {
		o.filter.ContainsHashes(hashes, hits)
	} else {
		o.containsHashes(hashes, hits)
	}
	runtime.KeepAlive(o)
}

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the rest of the last
// word to zero, and no later words. It panics if hits has less than a bit for each hash, before
// it writes anything.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) {
	o := f.state()
	if o.sound() {
		o.filter.ContainsHashBits(hashes, hits)
	} else {
		o.containsHashBits(hashes, hits)
	}
	runtime.KeepAlive(o)
}

// ContainsKeys sets hits[i] to Contains(keys[i]), in less time than one by one. It panics if hits
// is shorter than keys, before it writes anything.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) {
	o := f.state()
	if o.sound() {
		o.filter.ContainsKeys(keys, hits)
	} else {
		o.containsKeys(keys, hits)
	}
	runtime.KeepAlive(o)
}

// AppendHits appends to dst the index of every hash that may have been added, in ascending
// order, and returns the extended slice.
func (f *Filter) AppendHits(dst []int, hashes []uint64) []int {
	o := f.state()
	if o.sound() {
		dst = o.filter.AppendHits(dst, hashes)
	} else {
		dst = o.appendHits(dst, hashes)
	}
	runtime.KeepAlive(o)
	return dst
}

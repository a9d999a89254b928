package dcso

import "unsafe"

// FNV-1 of 64 bits, see http://www.isthe.com/chongo/tech/comp/fnv/.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Sum returns the hash of a key, FNV-1 of 64 bits: about a nanosecond a byte. It is the same for every filter.
func Sum(key []byte) uint64 { return sumFrom(fnvOffset, key) }

// SumString is Sum of the string's bytes, without copying them.
func SumString(key string) uint64 { return Sum(unsafe.Slice(unsafe.StringData(key), len(key))) }

// sumFrom returns the hash of the bytes that were hashed already and the key behind them.
func sumFrom[K []byte | string](hash uint64, key K) uint64 {
	for i := range len(key) {
		hash = hash*fnvPrime ^ uint64(key[i])
	}
	return hash
}

// sums writes the hashes of keys, four at a time: a multiplication need not wait for that of another
// key. The hashes of keys of 40 bytes take a third of the time.
func sums(hashes []uint64, keys [][]byte) {
	for ; len(keys) >= 4; keys, hashes = keys[4:], hashes[4:] {
		a, b, c, d := keys[0], keys[1], keys[2], keys[3]
		n := min(len(a), len(b), len(c), len(d))
		u, v, w, x := uint64(fnvOffset), uint64(fnvOffset), uint64(fnvOffset), uint64(fnvOffset)
		a4, b4, c4, d4 := a[:n], b[:n], c[:n], d[:n]
		for i := range a4 {
			u = u*fnvPrime ^ uint64(a4[i])
			v = v*fnvPrime ^ uint64(b4[i])
			w = w*fnvPrime ^ uint64(c4[i])
			x = x*fnvPrime ^ uint64(d4[i])
		}
		hashes[0], hashes[1] = sumFrom(u, a[n:]), sumFrom(v, b[n:])
		hashes[2], hashes[3] = sumFrom(w, c[n:]), sumFrom(x, d[n:])
	}
	for i, key := range keys {
		hashes[i] = Sum(key)
	}
}

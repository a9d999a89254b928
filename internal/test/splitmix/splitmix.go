// Package splitmix has the numbers that tests and benchmarks use as hashes and keys: the output of
// splitmix64 (java.util.SplittableRandom), each computed without the ones before it.
package splitmix

// Value returns number i of the seed's values, from 0 on. A seed's values all differ.
func Value(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

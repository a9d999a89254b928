package main

import "math/rand/v2"

// valueMaker gives values that compress to a given share of their size. They are cut from
// memory that was made before, so that making them takes no time.
type valueMaker struct {
	pool []byte
	at   int
}

// newValues returns a maker for values of at most size bytes.
func newValues(random *rand.Rand, size int, ratio float64) *valueMaker {
	const (
		piece = 100 // bytes with the same compressible part
		pool  = 1 << 20
	)
	v := &valueMaker{pool: make([]byte, max(pool, size))}
	fresh := max(1, min(piece, int(piece*ratio)))
	for i := range v.pool {
		if at := i % piece; at < fresh {
			v.pool[i] = ' ' + byte(random.IntN(95))
		} else {
			v.pool[i] = v.pool[i-fresh]
		}
	}
	return v
}

// next returns the next value. It may not be changed.
func (v *valueMaker) next(size int) []byte {
	if v.at+size > len(v.pool) {
		v.at = 0
	}
	v.at += size
	return v.pool[v.at-size : v.at]
}

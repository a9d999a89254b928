package main

import (
	"bytes"
	"compress/flate"
	"errors"
	"math/rand/v2"
	"testing"
)

// The keys of RocksDB's db_bench, read off its source.
func TestKeysAreRocksDBs(t *testing.T) {
	for _, c := range []struct {
		maker  keyMaker
		number int64
		want   string
	}{
		{keyMaker{size: 16}, 0x0102, "\x00\x00\x00\x00\x00\x00\x01\x0200000000"},
		{keyMaker{size: 17}, 0x0102, "\x00\x00\x00\x00\x00\x00\x01\x02000000000"},
		{keyMaker{size: 4}, 0x0102, "\x00\x00\x01\x02"},
		{keyMaker{size: 16, prefix: 4}, 0x0102, "\x00\x00\x00\x00\x00\x00\x01\x0200000000"},
		{keyMaker{size: 14, prefix: 4, prefixes: 16}, 0x0102, "\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x01\x0200"},
		{keyMaker{size: 14, prefix: 10, prefixes: 16}, 0x0102, "\x00\x00\x00\x00\x00\x00\x00\x0200\x00\x00\x01\x02"},
	} {
		if got := c.maker.key(make([]byte, c.maker.size), c.number); string(got) != c.want {
			t.Errorf("%+v: %q, want %q", c.maker, got, c.want)
		}
	}
}

func TestValuesCompress(t *testing.T) {
	const values = 5000
	for _, ratio := range []float64{0.1, 0.5, 1} {
		v := newValues(rand.New(rand.NewPCG(1, 2)), 100, ratio)
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.BestSpeed)
		for range values {
			if err == nil {
				_, err = w.Write(v.next(100))
			}
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		// 95 letters take 6.6 of 8 bits each.
		if got := float64(packed.Len()) / (values * 100); got > ratio*1.1 || got < ratio*0.7 {
			t.Errorf("ratio %v, wanted %v", got, ratio)
		}
	}
}

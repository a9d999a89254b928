package asm_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// linearData is a filter's bytes.
func linearData(body []byte, layers []uint32, r int) []byte {
	data := append([]byte(nil), body...)
	for _, lines := range layers {
		data = binary.LittleEndian.AppendUint32(data, lines)
	}
	return append(append(data, byte(r), byte(len(layers)), 1, 0x80), "LLF1"...)
}

// linearContents reads a filter's bytes.
func linearContents(data []byte) (body []byte, layers []uint32, r int, ok bool) {
	if len(data) < 8 || string(data[len(data)-6:]) != "\x01\x80LLF1" {
		return
	}
	data, end := data[:len(data)-8], data[len(data)-8:]
	r = int(end[0])
	if fallback.LinearSlotsOf(r) == 0 || end[1] == 0 || end[1] > 16 || len(data) < 4*int(end[1]) {
		return
	}
	body, data = data[:len(data)-4*int(end[1])], data[len(data)-4*int(end[1]):]
	sum := uint64(0)
	for ; len(data) > 0; data = data[4:] {
		layers = append(layers, binary.LittleEndian.Uint32(data))
		sum += uint64(layers[len(layers)-1])
		if layers[len(layers)-1] == 0 {
			return
		}
	}
	return body, layers, r, sum < 1<<32 && sum*64 == uint64(len(body))
}

// TestLinearBytes looks up in filters' bytes, in parts of them, and in bytes with one
// another byte in the trailer, beside unreadable pages.
func TestLinearBytes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 4))
		hashes := linearHashes(9, 12)
		good := 0
		check := func(data []byte) {
			body, layers, r, ok := linearContents(data)
			testmem.BesideGuards(t, data, func(data []byte) {
				for _, hash := range hashes {
					contains, is := asm.LinearContains(data, hash)
					if is != ok || contains != (ok && naive.LinearContains(body, layers, r, hash)) {
						t.Fatalf("R=%d, layers %d, %d bytes, hash %#x: %v, %v; the bytes are a filter: %v", r, layers, len(data), hash, contains, is, ok)
					}
				}
			})
			if ok {
				good++
			}
		}
		for bits := range 40 {
			for variant, layers := range linearLayers {
				data := linearData(linearBody(random, layers, variant), layers, bits)
				check(data)
				if slow || bits%9 != 0 {
					continue
				}
				trailer := 4*len(layers) + 8
				for at := len(data) - trailer; at < len(data); at++ {
					before := data[at]
					for _, other := range []byte{0, before + 1, before ^ 0x80, 0xff} {
						data[at] = other
						check(data)
					}
					data[at] = before
				}
				for cut := range trailer + 70 {
					check(data[min(cut, len(data)):])
					check(data[:max(0, len(data)-cut)])
				}
				check(data[max(0, len(data)-trailer+1):])
			}
		}
		// Sums of layers beyond 32 bits, which are 1 modulo 2^32.
		check(linearData(make([]byte, 64), []uint32{1 << 31, 1 << 31, 1}, 9))
		check(nil)
		if good < 22*len(linearLayers) {
			t.Errorf("%d filters", good)
		}
	})
}

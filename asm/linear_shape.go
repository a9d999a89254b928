//go:build (amd64 || arm64) && !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

var linearShapes = func() (shapes [fallback.MostLinearBits + 1]linearShape) {
	for r := range shapes {
		if fallback.LinearSlotsOf(r) > 0 { // others have no loads, which the kernels test
			shapes[r] = newLinearShape(r)
		}
	}
	return shapes
}()

func linearShapeOf(r int) *linearShape {
	if level() == cpu.Generic {
		return nil
	}
	return &linearShapes[r]
}

// A linearTail is in which words of a line the kernels find the slots of its tail. Slots
// are counted down from the header. The first word is the line's last, which also has the
// header. A slot that begins before it has another word, which ends where the slot does.
type linearTail struct {
	words []int // from which bytes on
	slots []struct {
		word int // its number
		bit  int // of the word, at which the slot begins
	}
}

func newLinearTail(r int) (tail linearTail) {
	const (
		wordBytes = 8
		header    = 8 * (BlockBytes - 1) // its first bit
	)
	_, slots := fallback.LinearLine(r)
	at := BlockBytes - wordBytes
	tail.words = []int{at}
	for i := range slots {
		bit := header - (i+1)*r
		if bit < 8*at {
			at = (bit+r+7)/8 - wordBytes
			tail.words = append(tail.words, at)
		}
		tail.slots = append(tail.slots, struct{ word, bit int }{len(tail.words) - 1, bit - 8*at})
	}
	return tail
}

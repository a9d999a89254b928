//go:build (amd64 || arm64) && !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

var linearShapes = func() (shapes [fallback.MostLinearBits + 1]linearShape) {
	for r := range shapes {
		if fallback.LinearSlotsOf(r) > 0 {
			shapes[r] = newLinearShape(r)
		}
	}
	return shapes
}()

func linearShapeOf(r int) *linearShape {
	if cpu.Current() == cpu.Generic {
		return nil
	}
	return &linearShapes[r]
}

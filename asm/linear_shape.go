//go:build (amd64 || arm64) && !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/tables"
)

// linearShapes has a shape for each number of bits of the format, with the other constants that kernels read.
var linearShapes tables.Table[linearShapeRows]

type linearShapeRows [fallback.MostLinearBits + 1]linearShape

func linearShapesOf() *linearShapeRows { return linearShapes.Of(fillLinearShapes) }

// linearShapeOf returns nil where no kernel runs.
func linearShapeOf(r int) *linearShape {
	if cpu.Current() == cpu.Generic {
		return nil
	}
	return &linearShapesOf()[r]
}

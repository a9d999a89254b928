//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// searchedBlock is the number of bytes that kernels search at a time. They need room for as many ends.
const searchedBlock = 64

func findEnds(ends []uint32, data []byte, from int, end byte) (n, to int) {
	level, blocks := cpu.Current(), (len(data)-from)/searchedBlock
	if level != cpu.Generic && blocks > 0 && len(ends) >= searchedBlock {
		raceRead(data[from:])
		raceWrite(ends)
		left := 0
		if level == cpu.AVX512 {
			n, left = endsAVX512(&ends[0], len(ends), &data[from], blocks, from, end)
		} else {
			n, left = endsAVX2(&ends[0], len(ends), &data[from], blocks, from, end)
		}
		if from += (blocks - left) * searchedBlock; left > 0 {
			return n, from
		}
	}
	last, to := fallback.Ends(ends[n:], data, from, end)
	return n + last, to
}

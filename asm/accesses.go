//go:build !race

package asm

// Without the race detector nothing is told what kernels read and write: accesses_race.go.

// raceEnabled reports whether the detector is part of this program.
const raceEnabled = false

func raceRead[T any]([]T)  {}
func raceWrite[T any]([]T) {}

func (k *Kernel) looksUp(uint64)                {}
func (k *Kernel) looksUpBits(_, _ []uint64)     {}
func (k *Kernel) looksUpBools([]uint64, []bool) {}
func (k *Kernel) addsOne(uint64)                {}
func (k *Kernel) addsAll([]uint64)              {}

func readsBytes([]byte)       {}
func readsKey([]byte)         {}
func readsKeys([][]byte)      {}
func writesLines([]byte, int) {}

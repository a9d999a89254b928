//go:build !race

package asm

// Without the race detector nothing is told what kernels read and write: accesses_race.go.

// raceEnabled reports whether the detector is part of this program.
const raceEnabled = false

func raceRead[T any]([]T)  {}
func raceWrite[T any]([]T) {}

func (k *Kernel) raceLookup(uint64)                {}
func (k *Kernel) raceLookupBits(_, _ []uint64)     {}
func (k *Kernel) raceLookupBools([]uint64, []bool) {}
func (k *Kernel) raceAdd(uint64)                   {}
func (k *Kernel) raceAddAll([]uint64)              {}

func raceReadBlock([]byte)       {}
func raceReadKey([]byte)         {}
func raceReadKeys([][]byte)      {}
func raceWriteLines([]byte, int) {}

func raceReadRows([]byte, []uint64, int)          {}
func raceReadColumns([]byte, int, int, [][]byte)  {}
func raceWriteColumns([]byte, int, int, [][]byte) {}
func raceWriteBodies([][]byte)                    {}

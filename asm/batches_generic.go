//go:build (!amd64 && !arm64) || purego

package asm

import "github.com/simdbloom/simdbloom/cpu"

func level() cpu.Level { return cpu.Generic }

func formOf(int) form { return formGeneric }

func legacyForm(int) form { return formGeneric }

func oneByOne(Format, form, []byte) uint32 { return 0 }

// containsBits looks up a batch.
func containsBits(k *Kernel, hashes, hits []uint64) {
	checkBits(hashes, hits)
	k.bitsInGo(hashes, hits)
}

func (k *Kernel) inColumns(_ int, hashes, hits []uint64) { k.bitsInGo(hashes, hits) }
func (k *Kernel) inLayers(_ int, hashes, hits []uint64)  { k.bitsInGo(hashes, hits) }

// linearShape is the argument that kernels would have.
type linearShape struct{}

func linearShapeOf(int) *linearShape { return nil }

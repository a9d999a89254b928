//go:build (!amd64 && !arm64) || purego

package asm

func formOf(int) form { return formGeneric }

func pairedKernelTables() {}

func legacyForm(int) form { return formGeneric }

func oneByOneMaxOf(Format, form, []byte) uint8 { return 0 }

func batch(k *Kernel, hashes []uint64, to answers, filters int) { batchInGo(k, hashes, to, filters) }

// linearShape is the argument that kernels would have.
type linearShape struct{}

func linearShapeOf(int) *linearShape { return nil }

package layout

import "github.com/simdbloom/simdbloom/asm"

// SplitBlock reads bytes as Parquet's readers do: they are blocks, and nothing else. There is no trailer that
// would tell them from other bytes.
func SplitBlock(data []byte) (c Contents, flaw string) {
	switch {
	case len(data) == 0:
		return Contents{Format: asm.Empty}, ""
	case len(data)%asm.SplitBlockBytes != 0:
		return c, "not a multiple of 32"
	case uint64(len(data)) > asm.MaxSplitBlockBytes:
		return c, "longer than 4 GiB"
	}
	return Contents{Format: asm.SplitBlock, Body: data, Probes: 8}, ""
}

package splitblock

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Read reads bytes as Parquet's readers do: they are blocks, and nothing else. There is no trailer that
// would tell them from other bytes.
func Read(data []byte) (c contents.Contents, flaw string) {
	switch {
	case len(data) == 0:
		return contents.Contents{Format: asm.Empty}, ""
	case len(data)%asm.SplitBlockBytes != 0:
		return c, "not a multiple of 32"
	case uint64(len(data)) > asm.MaxSplitBlockBytes:
		return c, "longer than 4 GiB"
	}
	return contents.Contents{Format: asm.SplitBlock, Body: data, Probes: NumProbes, Prepare: prepare}, ""
}

func prepare(c contents.Contents) asm.Kernel { return asm.NewSplitBlock(c.Body) }

package shared

import (
	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

// Registers of the kernels for arm64.
const (
	NEONFilter, NEONHits, NEONHashes, NEONLeft, NEONBody, NEONSize, NEONAhead neon.X = 0, 1, 2, 3, 4, 5, 6

	NEONAt, NEONScratch neon.X = 7, 8 // for a step
)

package contract

import "github.com/simdbloom/simdbloom/internal/test/program"

// Race is set if the race detector makes everything many times slower, and pools drop memory.
const Race = program.Raced

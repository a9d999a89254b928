package contract

import "github.com/simdbloom/simdbloom/internal/test/program"

// Race says that the race detector makes everything take many times as long, and pools drop memory.
const Race = program.Raced

package main

import (
	"io"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/documented"
)

// TestDocumentedCommands runs them with fewer keys and smaller memtables.
func TestDocumentedCommands(t *testing.T) {
	small := func(args []string, stderr io.Writer) (*settings, error) {
		s, err := parseSettings(args, stderr)
		if s != nil {
			s.num, s.writeBufferSize = min(s.num, 1000), min(s.writeBufferSize, 1<<20)
		}
		return s, err
	}
	documented.Test(t, "db_bench", func(args []string, stdout, stderr io.Writer) int {
		return command.Run("db_bench", args, stdout, stderr, small, measure)
	})
}

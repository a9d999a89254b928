package main

import (
	"io"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/documented"
)

// TestDocumentedCommands runs them with little memory and few queries.
func TestDocumentedCommands(t *testing.T) {
	small := func(args []string, stderr io.Writer) (*settings, error) {
		s, err := parseSettings(args, stderr)
		if s != nil {
			s.workingMemSizeMB, s.mQueries = 1, 0.1
		}
		return s, err
	}
	documented.Test(t, "filter_bench", func(args []string, stdout, stderr io.Writer) int {
		return command.Run("filter_bench", args, stdout, stderr, small, measure)
	})
}

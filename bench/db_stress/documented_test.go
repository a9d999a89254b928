package main

import (
	"io"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/documented"
)

// TestDocumentedCommands kills a small store of each once.
func TestDocumentedCommands(t *testing.T) {
	small := func(args []string, stderr io.Writer) (*settings, error) {
		s, err := parseSettings(args, stderr)
		if s != nil {
			s.MaxKey, s.kills, s.killInterval = 1000, 1, 50*time.Millisecond
		}
		return s, err
	}
	documented.Test(t, "db_stress", func(args []string, stdout, stderr io.Writer) int {
		return command.Run("db_stress", args, stdout, stderr, small, stress)
	})
}

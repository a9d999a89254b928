package main

import (
	"fmt"
	"slices"
)

// The flags that mean something for one of the two things that are measured only.
var (
	forAsking   = []string{"present", "batch", "key_bytes", "copies", "offset", "queries", "touch"}
	forBuilding = []string{"concurrency", "verification", "add", "memory"}
)

// checkUse refuses a flag that was given and would change nothing.
func (s *settings) checkUse(name string) error {
	switch {
	case s.build && slices.Contains(forAsking, name):
		return fmt.Errorf("-%s is for lookups, not for -build", name)
	case !s.build && slices.Contains(forBuilding, name):
		return fmt.Errorf("-%s is for -build", name)
	}
	return nil
}

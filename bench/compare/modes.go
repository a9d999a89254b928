package main

import (
	"fmt"
	"slices"
)

// The flags that only some measurements use.
var (
	forAsking   = []string{"present", "batch", "key_bytes", "copies", "offset", "queries", "touch"}
	forBuilding = []string{"concurrency", "verification", "add", "memory"}
	forSingle   = []string{"scattered", "turn"}
	notGrowing  = []string{"present", "batch", "batch_blocks", "copies", "offset", "touch"}
	forGrowing  = []string{"concurrency", "add"}
	notSingle   = []string{"batch", "bits_per_key", "batch_blocks", "copies", "touch"}
)

// checkUse refuses a flag that was given and would change nothing.
func (s *settings) checkUse(name string) error {
	switch {
	case s.build && slices.Contains(forAsking, name):
		return fmt.Errorf("-%s cannot be used with -build", name)
	case s.grow && slices.Contains(notGrowing, name):
		return fmt.Errorf("-%s cannot be used with -grow", name)
	case !s.build && !s.grow && slices.Contains(forGrowing, name):
		return fmt.Errorf("-%s needs -build or -grow", name)
	case !s.build && !slices.Contains(forGrowing, name) && slices.Contains(forBuilding, name):
		return fmt.Errorf("-%s needs -build", name)
	case !s.single && slices.Contains(forSingle, name):
		return fmt.Errorf("-%s needs -single", name)
	case s.single && slices.Contains(notSingle, name):
		return fmt.Errorf("-%s changes nothing with -single", name)
	}
	return nil
}

//go:build race

package buildtest

func init() { raced = true }

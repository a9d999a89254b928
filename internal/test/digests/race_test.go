//go:build race

package digests

func init() { raced = true }

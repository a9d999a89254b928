//go:build race

package ribbon_test

func init() { raced = true }

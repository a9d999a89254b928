//go:build race

package linear_test

func init() { raced = true }

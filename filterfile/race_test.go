//go:build race

package filterfile_test

func init() { raced = true }

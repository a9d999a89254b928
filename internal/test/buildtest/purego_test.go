//go:build purego

package buildtest

func init() { pureGo = true }

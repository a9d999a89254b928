//go:build (!amd64 && !arm64) || purego

package asm_test

import "testing"

// eachDistance runs f: pure Go prefetches nothing.
func eachDistance(t *testing.T, f func(t *testing.T)) { f(t) }

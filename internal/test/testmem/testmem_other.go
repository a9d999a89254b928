//go:build !unix

package testmem

import "testing"

const isUnix = false

func between(_ testing.TB, n int) []byte { return make([]byte, (n+63)/64*64) }

func readOnly(testing.TB, []byte) func() { return func() {} }

func sparse(testing.TB, int) []byte { return nil }

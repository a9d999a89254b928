//go:build !unix

package testmem

import "testing"

func place(_ testing.TB, data []byte, _ edge) []byte {
	return append(make([]byte, 0, len(data)), data...)
}

func sparse(testing.TB, int) []byte { return nil }

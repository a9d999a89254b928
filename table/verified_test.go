package table

import (
	"context"
	"testing"
)

// firstMissing returns the problem that is a missing key, or nil.
func firstMissing(v *Verification) *Problem {
	for i := range v.Problems {
		if v.Problems[i].Missing != nil {
			return &v.Problems[i]
		}
	}
	return nil
}

func verified(t testing.TB, read *Table) *Verification {
	t.Helper()
	v, err := read.Verify(context.Background(), VerifyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

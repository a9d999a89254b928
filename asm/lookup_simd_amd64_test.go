//go:build goexperiment.simd && go1.27 && !go1.28 && !purego

package asm

import (
	"slices"
	"testing"
)

// TestGroupsOfLookupsAreInOrder compares the order of the constants with that of the closure's comparisons.
// TestLookupIsContains finds another order only on processors that have the lookups.
func TestGroupsOfLookupsAreInOrder(t *testing.T) {
	var order []inlined
	for _, group := range [][]inlined{
		{inlinesNone},
		{inlinesFastLocal512by8, inlinesSplitBlock},
		{inlinesFastLocal512by16},
		{inlinesFastLocal256by8, inlinesFastLocal256by16},
		{inlinesBlobloom512by8, inlinesBlobloom512by16},
		{inlinesPaired512by8},
	} {
		if !slices.IsSorted(group) {
			t.Errorf("the last of %d is compared with", group)
		}
		order = append(order, group...)
	}
	if !slices.IsSorted(order) || inlinesNone != 0 {
		t.Errorf("a group is behind a later one: %d", order)
	}
}

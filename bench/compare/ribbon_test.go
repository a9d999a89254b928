package main

import (
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// TestRibbonFiltersNeedSomeKeys also compares their rates with FastLocal's.
func TestRibbonFiltersNeedSomeKeys(t *testing.T) {
	for size, want := range map[string]string{
		"1152": "ribbon is left out: of fewer than 1000 keys, it may be a FastLocal filter", "1280": "", "1MiB": "",
	} {
		f := figures(t, "-sizes="+size, "-bits_per_key=10", "-present=0", "-queries=1Mi", "-rounds=1",
			"-levels=best", "-rows=^(ribbon )?[^ ]+ bits").Filters[0]
		rows := f.Tables[0].Rows
		if notes := strings.Join(f.Notes, "\n"); notes != want || len(rows) != 2+tables.One(want == "") {
			t.Errorf("%s: %q, rows %q", size, notes, names(f.Tables[0]))
		} else if want == "" && (rows[1].HitShare < 0.8*rows[0].HitShare || rows[1].HitShare > 1.25*rows[0].HitShare) {
			t.Errorf("%s: %v of absent keys are hits, and %v of FastLocal's", size, rows[1].HitShare, rows[0].HitShare)
		}
	}
}

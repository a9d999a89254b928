package results_test

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom/bench/parquet/results"
	"github.com/simdbloom/simdbloom/internal/test/measured/committed"
)

func TestPage(t *testing.T) {
	_, pages := committed.Pages(t, "../../..", results.File, (*results.Run).Files)
	for name, page := range pages {
		for _, table := range []string{"prune", "columns", "run"} {
			if !bytes.Contains(page, []byte("<!-- parquet: "+table+" -->")) {
				t.Errorf("%s lacks %s", name, table)
			}
		}
	}
}

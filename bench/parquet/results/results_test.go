package results_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/bench/parquet/results"
)

const clone = "../../.."

func TestPage(t *testing.T) {
	r, err := results.Load(clone)
	if err != nil {
		t.Fatal(err)
	}
	want, err := r.PageOf(clone)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(clone, results.Page))
	if err != nil {
		t.Fatal(err)
	}
	if missing := results.Missing(page); missing != nil || !bytes.Equal(page, want) {
		t.Errorf("%s has not what %s says: make pages. It lacks %v", results.Page, results.File, missing)
	}
}

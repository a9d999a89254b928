package parquet

import (
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// TestErrorsAboutColumnsAreShort: the error for an unknown name lists the first columns, however many and long the
// file's names are.
func TestErrorsAboutColumnsAreShort(t *testing.T) {
	columns := make([]footer.Column, 1000)
	for i := range columns {
		columns[i].Path = []string{"c" + strconv.Itoa(i), strings.Repeat("\x00", 1<<16)}
	}
	_, err := index(columns, byName(columns), "id")
	if says := err.Error(); len(says) > 6000 || !strings.Contains(says, `"id": there are "c0.\x00`) || strings.Contains(says, "c20") || !strings.HasSuffix(says, ", …") {
		t.Errorf("%d bytes: %.300s", len(says), says)
	}
	if _, err := index(nil, nil, "id"); err == nil || !strings.HasSuffix(err.Error(), "there are none") {
		t.Error(err)
	}
}

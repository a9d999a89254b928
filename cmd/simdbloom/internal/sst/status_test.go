package sst

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestExitStatus: one scheme, whether filters are printed or keys looked up.
func TestExitStatus(t *testing.T) {
	table, other := filepath.Join(testdata, "legacy-2.sst"), filepath.Join(testdata, "ribbon.sst")
	cut := write(t, filepath.Join(t.TempDir(), "cut.sst"), contents(t, table)[:1000])
	for _, mode := range [][]string{nil, {"-long"}, {"-json"}, {"-key", "key00001"}, {"-json", "-prefix", "key"}, {"-keys", "-"}} {
		for _, c := range []struct {
			want  int
			files []string
		}{
			{0, []string{table}},
			{0, []string{table, other}},
			{badArguments, nil},
			{badArguments, []string{"-nonsense", table}},
			{failed, []string{cut}},
			{failed, []string{"nothing"}},
			{failed, []string{table, cut, other}},
		} {
			var stdout, stderr bytes.Buffer
			args := append(mode[:len(mode):len(mode)], c.files...)
			if status := run(args, strings.NewReader("key00002\r\n\r\n"), &stdout, &stderr); status != c.want || (status == 0) != (stderr.Len() == 0) {
				t.Errorf("%v: status %d, want %d: %s", args, status, c.want, &stderr)
			}
		}
	}
	for want, files := range map[int][]string{notFound: {table, other}, failed: {table, cut}} {
		var stdout, stderr bytes.Buffer
		if status := run(append([]string{"-key", "absent"}, files...), nil, &stdout, &stderr); status != want {
			t.Errorf("an absent key in %v: status %d, want %d", files, status, want)
		}
	}
}

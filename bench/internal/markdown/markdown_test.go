package markdown

import "testing"

func TestTable(t *testing.T) {
	table := New("filter", "bytes")
	table.Add("a", "1")
	const want = "| filter | bytes |\n|---|---:|\n| a | 1 |\n"
	if got := table.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

package main

import "testing"

func TestDidYouMean(t *testing.T) {
	known := []string{"size", "build", "check", "info", "verify", "merge", "sst"}
	for name, want := range map[string]string{
		"biuld": "build", "Build": "build", "chek": "check", "verfy": "verify", "siez": "size", "sts": "sst", "mergee": "merge",
		"nonsense": "", "x": "", "": "", "a very long name that is none": "",
	} {
		if want != "" {
			want = " (did you mean -" + want + "?)"
		}
		if got := didYouMean(name, "-", known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "bcd", 1}, {"abcd", "abd", 1}, {"abd", "abcd", 1}, {"abcd", "abxcd", 1}, {"ab", "cd", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

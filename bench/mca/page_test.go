package main

import (
	"os"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	s := section{
		architecture{
			name:       "arch",
			processors: []processor{{name: "Old", lacks: "New"}, {name: "New"}},
			kernels:    append(forms("job", "function", form{name: "k = 6"}), forms("job", "functionNew", form{name: "k = 7"})...),
		},
		[][]estimate{
			{{2, 10, 11, []string{"A", "B"}, 0.987}, {1.234, 10, 12, []string{"dispatch"}, 1}},
			{{}, {3, 20, 21.26, []string{"A"}, 0.5}},
		},
	}
	var got strings.Builder
	s.write(&got)
	for _, want := range []string{
		"## arch\n",
		`
| loop | instructions | Old | New |
|---|---:|---:|---:|
| job, k = 6 | 10.0 | 2.00 | 1.23 |
| job, k = 7 | 20.0 |  | 3.00 |

`, `
| loop | Old | New |
|---|---:|---:|
| job, k = 6 | 11.0; A B 99 % | 12.0; dispatch 100 % |
| job, k = 7 |  | 21.3; A 50 % |

`,
	} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %s in %s", want, got.String())
		}
	}
}

// TestCommittedPage says when a kernel was listed and the page not written again. Numbers are
// another matter: they change with each compiler.
func TestCommittedPage(t *testing.T) {
	committed, err := os.ReadFile("../mca.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range architectures {
		for _, k := range arch.kernels {
			if !strings.Contains(string(committed), "\n| "+k.String()+" | ") {
				t.Errorf("mca.md has no %s (make mca remakes it)", k)
			}
		}
	}
}

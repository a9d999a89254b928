package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestExported(t *testing.T) {
	root := t.TempDir()
	for name, source := range map[string]string{
		"a.go": `package simdbloom
// T has a field.
type T[K any] struct { A, b int; base; err error }
type base struct{}
type hidden struct{}
func (base) Reached(n, m int, s ...string) (a, b bool) { return }
func (hidden) Unreached() {}
func (t *T[K]) M(x K) error { return nil }
func F[K any](f func(k K) bool) {}
func f() {}
const ( First = iota; Second; Sized uint8 = 1; Next )
var Err, err error`,
		"internal/b.go":    `package b; func Unstable() {}`,
		"sub/c.go":         `package sub; type I interface { N(a int) string; n() }; type A = int; type B uint8`,
		"sub/c_test.go":    `package sub; func Tested() {}`,
		"sub/prog/main.go": `package main; func Main() {}`,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := exported(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"pkg simdbloom, const First = iota",
		"pkg simdbloom, const Next uint8",
		"pkg simdbloom, const Second",
		"pkg simdbloom, const Sized uint8 = 1",
		"pkg simdbloom, func F[K any](func(k K) bool)",
		"pkg simdbloom, method (*T[K]) M(K) error",
		"pkg simdbloom, method (base) Reached(int, int, ...string) (bool, bool)",
		"pkg simdbloom, type T[K any] struct",
		"pkg simdbloom, type T[K any] struct, A int",
		"pkg simdbloom, type T[K any] struct, embeds base",
		"pkg simdbloom, var Err error",
		"pkg sub, type A = int",
		"pkg sub, type B uint8",
		"pkg sub, type I interface",
		"pkg sub, type I interface, N(int) string",
	}
	if !slices.Equal(got, want) {
		t.Errorf("differences:\n%q\nof\n%q", compare(want, got), got)
	}
}

package kernel

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"
)

// declared returns the package of one file.
func declared(t *testing.T, source string, imports ...*types.Package) *types.Package {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "source.go", source)
	pkg, err := Declarations(dir, "example.com/filters", "amd64", imports...)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func write(t *testing.T, dir, name, source string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDeclarations: constants and structs come from the files of one architecture,
// and from the packages that are given, whatever else is missing.
func TestDeclarations(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "block.go", "package plain\nconst BlockBytes = 1 << 6\ntype List struct { First *uint64; Len int32 }")
	plain, err := Declarations(dir, "example.com/plain", "arm64")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	write(t, dir, "all.go", `package kernels
		import ("example.com/plain"; "example.com/elsewhere")
		const Block = plain.BlockBytes
		type List = plain.List
		var x = elsewhere.Call()
		func f() { missing() }`)
	write(t, dir, "k_amd64.go", "package kernels\nconst keys = 8")
	write(t, dir, "k_arm64.go", "package kernels\nconst keys = 16")
	pkg, err := Declarations(dir, "example.com/kernels", "arm64", plain)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"Block": 64, "keys": 16} {
		if value, err := ConstantOf(pkg, name); value != want || err != nil {
			t.Errorf("%s is %d (%v), not %d", name, value, err, want)
		}
	}
	if _, err := ConstantOf(pkg, "x"); err == nil {
		t.Error("a variable is a constant")
	}
	fn := NewFile("arm64", pkg).Function(Base, "kernel", "func(list *List)")
	if size, at := fn.Size("List"), fn.Field(nil, "List", "Len").Disp; size != 16 || at != 8 {
		t.Errorf("the size of a list is %d, and its length at %d", size, at)
	}
}

// TestFieldOfAnUnknownType: its size is unknown, and so is where the next field is.
func TestFieldOfAnUnknownType(t *testing.T) {
	f := NewFile("amd64", declared(t, `package filters
		import "example.com/elsewhere"
		type Filter struct { first elsewhere.Type; second int }`))
	fn := f.Function(Base, "kernel", "func()")
	defer func() {
		if recover() == nil {
			t.Error("the field has a place")
		}
	}()
	fn.Field(nil, "Filter", "second")
}

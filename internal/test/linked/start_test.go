package linked_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestReadersOfOneFormat: this program builds, opens and queries FastLocal filters, so no other format's reader,
// and none of the kernels that it chooses, is in its file. (A *Filter in an interface has ReadFrom, which opens all.)
func TestReadersOfOneFormat(t *testing.T) {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	b.AddString("a")
	built, err := b.Filter()
	if err != nil {
		t.Fatal(err)
	}
	if f, err := bloom.Open(built.Bytes(), keyhash.XX64); err != nil || !f.ContainsString("a") {
		t.Errorf("the key is not found: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Skip(err)
	}
	for _, format := range []string{"fastlocal", "paired", "linear", "ribbon", "legacy", "leveldb", "splitblock", "blobloom"} {
		name := strings.Join([]string{"internal/formats", format + ".prepare"}, "/") // no constant: it would be found itself
		if is := bytes.Contains(program, []byte(name)); is != (format == "fastlocal") {
			t.Errorf("%s is in the program: %v (%s/%s)", name, is, runtime.GOOS, runtime.GOARCH)
		}
	}
}

// TestOpenLinkedNamesThePackage: of a format whose package is not imported.
func TestOpenLinkedNamesThePackage(t *testing.T) {
	for format := simdbloom.Paired; format <= simdbloom.Blobloom; format++ {
		f, err := simdbloom.OpenLinked(format, nil, keyhash.XX64)
		if f != nil || err == nil || !strings.Contains(err.Error(), `import _ "github.com/simdbloom/simdbloom/`) {
			t.Errorf("%v: a filter: %v, %v", format, f != nil, err)
		}
	}
	if f, err := simdbloom.OpenLinked(simdbloom.FastLocal, nil, keyhash.Hash{}); f != nil || err == nil {
		t.Errorf("without a hash: a filter: %v, %v", f != nil, err)
	}
}

// TestNoTableIsComputedAtStart: a package's variables are constants, or computed when they are first used, as
// internal/tables does.
func TestNoTableIsComputedAtStart(t *testing.T) {
	seen := 0
	for _, pattern := range []string{"asm/*.go", "fallback/*.go", "keyhash/*.go", "internal/formats/*/*.go", "internal/rates/*.go", "*.go"} {
		files, err := filepath.Glob("../../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			for _, declaration := range file.Decls {
				if variables, is := declaration.(*ast.GenDecl); is && variables.Tok == token.VAR {
					for _, spec := range variables.Specs {
						for _, value := range spec.(*ast.ValueSpec).Values {
							if call, is := value.(*ast.CallExpr); is {
								if _, computed := call.Fun.(*ast.FuncLit); computed {
									t.Errorf("%s: %v is computed when a program starts", name, spec.(*ast.ValueSpec).Names[0])
								}
							}
						}
					}
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("read only %d files", seen)
	}
}

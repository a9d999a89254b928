package asm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKernelsAreKeptAlive: Go functions that look up in a Kernel's body keep the Kernel alive until then. The body may
// be a mapped file's, which is unmapped when nothing refers to the Kernel's Filter. Assembly needs nothing: it is not
// preempted.
func TestKernelsAreKeptAlive(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			reads, keeps := false, false
			ast.Inspect(f.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				callee := string(text[call.Fun.Pos()-1 : call.Fun.End()-1])
				if len(call.Args) > 0 {
					first := string(text[call.Args[0].Pos()-1 : call.Args[0].End()-1])
					reads = reads || strings.HasPrefix(callee, "fallback.") && strings.Contains(callee, "Contains") && first == "k.body"
					keeps = keeps || callee == "runtime.KeepAlive" && first == "k"
				}
				return true
			})
			if reads {
				found++
			}
			if reads && !keeps && !strings.Contains(f.Name.Name, "Add") { // bodies that keys are added to are not mapped
				t.Errorf("%s: %s reads the body of a Kernel that it does not keep alive", name, f.Name.Name)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d functions were found", found)
	}
}

package twins

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// first is the package that the others are compared with.
const first = "bloom"

var others = []string{"paired", "linear", "ribbon"}

// ownCode are the methods of Builder and Filter whose code is the package's own.
var ownCode = map[string]map[string]bool{
	"paired": {"Filter.EstimatedFPR": true, "Filter.file": true},
	"linear": {"Filter.EstimatedFPR": true},
	"ribbon": {"Filter.EstimatedFPR": true, "Filter.NumProbes": true},
}

// ownDocs are declarations whose documentation is the package's own.
var ownDocs = map[string]map[string]bool{
	"linear": {
		"Builder": true, "Filter": true, "Filter.Contains": true, "Filter.EstimatedFPR": true, "Builder.SizeBytes": true,
		"ErrTooLarge": true, ".WithMaxBytes": true, ".NewBuilder": true,
		".AppendFilters": true, // filters have no Kind
	},
	"ribbon": {
		"Builder": true, "ErrTooLarge": true, ".NewBuilder": true, ".WithConcurrency": true, ".WithMaxBytes": true,
		"Reserved": true, "Ribbon": true, "FastLocal": true,
		"Filter.Kind": true, "Filter.NumProbes": true, "Filter.EstimatedFPR": true,
	},
}

// manyFilters are the functions for many filters, whose code is the same, too.
var manyFilters = map[string]bool{
	"AppendFilters": true, "prefetchGroup": true, "containsGroup": true,
	"Candidates": true, "candidates": true, "candidatesOf": true,
}

func TestDocs(t *testing.T) {
	want := read(t, first)
	for _, other := range others {
		compared := 0
		for name, d := range read(t, other) {
			if w, ok := want[name]; ok && d.exported && !ownDocs[other][name] {
				compared++
				if d.doc != w.doc {
					t.Errorf("the first paragraphs about %s differ:\n%s: %s\n%s: %s", name, first, w.doc, other, d.doc)
				}
			}
		}
		if compared < 30 {
			t.Errorf("%s: only %d declarations to compare", other, compared)
		}
	}
}

func TestCode(t *testing.T) {
	want := read(t, first)
	for _, other := range others {
		compared := 0
		for name, d := range read(t, other) {
			if w, ok := want[name]; ok && w.code != "" && !ownCode[other][name] {
				compared++
				if d.code != w.code {
					t.Errorf("%s differs:\n%s: %s\n%s: %s", name, first, w.code, other, d.code)
				}
			}
		}
		if compared < 26 {
			t.Errorf("%s: only %d functions to compare", other, compared)
		}
	}
}

// storing are the methods of Filter that the packages of 32-bit hashes have, too.
var storing = []string{"MarshalBinary", "AppendBinary", "WriteTo", "UnmarshalBinary", "ReadFrom"}

func TestStoring(t *testing.T) {
	want := read(t, first)
	for _, other := range []string{"legacy", "leveldb"} {
		got := read(t, other)
		for _, name := range storing {
			name = "Filter." + name
			if got[name].code != want[name].code || name != "Filter.UnmarshalBinary" && got[name].doc != want[name].doc {
				t.Errorf("%s differs, or the first paragraph about it:\n%s: %s\n%s: %s", name, first, want[name].code, other, got[name].code)
			}
		}
	}
}

// declaration is a function, a method, a type, a constant or a variable.
type declaration struct {
	exported bool
	doc      string // its first paragraph
	code     string // of a method of Builder or Filter, or a function about many filters
}

// read returns the declarations of a package by name: "Filter.Bytes" is a method,
// ".Open" a function.
func read(t *testing.T, pkg string) map[string]declaration {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", pkg, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pkg, len(files), err)
	}
	all := make(map[string]declaration)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				receiver := receiver(decl)
				exported := decl.Name.IsExported() && (receiver == "" || ast.IsExported(receiver))
				d := declaration{exported, paragraph(decl.Doc), ""}
				if receiver == "Builder" || receiver == "Filter" || receiver == "" && manyFilters[decl.Name.Name] {
					d.code = source(t, set, decl)
				}
				all[receiver+"."+decl.Name.Name] = d
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						all[spec.Name.Name] = declaration{spec.Name.IsExported(), paragraph(decl.Doc), ""}
					case *ast.ValueSpec:
						all[spec.Names[0].Name] = declaration{spec.Names[0].IsExported(), paragraph(spec.Doc), ""}
					}
				}
			}
		}
	}
	return all
}

// receiver returns the name of a method's type, or none.
func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	of := decl.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	return of.(*ast.Ident).Name
}

func source(t *testing.T, set *token.FileSet, decl *ast.FuncDecl) string {
	t.Helper()
	without := *decl
	without.Doc = nil
	var code bytes.Buffer
	if err := printer.Fprint(&code, set, &without); err != nil {
		t.Fatal(err)
	}
	return code.String()
}

// paragraph returns the first one, on one line.
func paragraph(doc *ast.CommentGroup) string {
	text, _, _ := strings.Cut(doc.Text(), "\n\n")
	return strings.Join(strings.Fields(text), " ")
}

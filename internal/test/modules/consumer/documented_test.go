package consumer

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicPackages returns the files, with slashes, of the packages that users import, by
// their directory in the clone. Commands are not among them.
func publicPackages(t *testing.T) map[string][]string {
	t.Helper()
	packages := make(map[string][]string)
	for _, module := range modules(t) {
		for _, file := range module.files {
			directory := path.Dir(file)
			internal := slices.Contains(strings.Split(directory, "/"), "internal")
			if path.Ext(file) == ".go" && !internal && !strings.Contains(directory, "testdata") {
				packages[directory] = append(packages[directory], file)
			}
		}
	}
	return packages
}

// TestEveryExportedNameIsDocumented requires an overview of every package that users
// import, a comment on every exported name, field and method of an interface, on all
// platforms, and a runnable example of every main type.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	examined := 0
	for directory, names := range publicPackages(t) {
		set := token.NewFileSet()
		var all []*ast.File
		var overview, command, code bool
		for _, name := range names {
			file, err := parser.ParseFile(set, filepath.Join(clone(t), name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if ignored(file) {
				continue
			}
			all = append(all, file)
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			code = true
			overview = overview || file.Doc != nil
			command = command || file.Name.Name == "main"
		}
		if command || !code {
			continue
		}
		examined++
		if !overview {
			t.Errorf("%s: the package has no overview", directory)
		}
		for _, file := range all {
			if name := set.Position(file.Package).Filename; !strings.HasSuffix(name, "_test.go") {
				for _, lacking := range undocumented(file) {
					t.Errorf("%s has no comment", at(set, lacking))
				}
			}
		}
		pkg, err := doc.NewFromFiles(set, all, path.Join(project, directory))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range withoutExample(pkg) {
			t.Errorf("%s: %s has no example with an output", directory, name)
		}
	}
	if examined < 10 {
		t.Errorf("only %d packages were found", examined)
	}
}

// ignored reports whether a file is no part of its package.
func ignored(file *ast.File) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, comment := range group.List {
			if comment.Text == "//go:build ignore" {
				return true
			}
		}
	}
	return false
}

// at says where a name is, and which.
func at(set *token.FileSet, name *ast.Ident) string {
	return set.Position(name.Pos()).String() + ": " + name.Name
}

// undocumented returns the exported names of a file that have no comment.
func undocumented(file *ast.File) (lacking []*ast.Ident) {
	check := func(names []*ast.Ident, comments ...*ast.CommentGroup) {
		for _, name := range names {
			if name.IsExported() && !slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c.Text() != "" }) {
				lacking = append(lacking, name)
			}
		}
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				check([]*ast.Ident{d.Name}, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					check(s.Names, d.Doc, s.Doc, s.Comment)
				case *ast.TypeSpec:
					check([]*ast.Ident{s.Name}, d.Doc, s.Doc, s.Comment)
					for _, field := range fields(s) {
						check(field.Names, field.Doc, field.Comment)
					}
				}
			}
		}
	}
	return lacking
}

// receiver returns the name of a receiver's type.
func receiver(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// fields returns the fields or methods of an exported struct or interface.
func fields(spec *ast.TypeSpec) []*ast.Field {
	if !spec.Name.IsExported() {
		return nil
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		return t.Fields.List
	case *ast.InterfaceType:
		return t.Methods.List
	}
	return nil
}

// withoutExample returns the main types of a package that have no example with an output:
// of the type, of a function that returns it, or of a method. Types whose only method is
// String are values to print. It returns "the package" if it has functions only, and no example.
func withoutExample(pkg *doc.Package) (names []string) {
	runnable := func(examples []*doc.Example) bool {
		return slices.ContainsFunc(examples, func(e *doc.Example) bool { return e.Output != "" || e.EmptyOutput })
	}
	anywhere := runnable(pkg.Examples)
	for _, f := range pkg.Funcs {
		anywhere = anywhere || runnable(f.Examples)
	}
	for _, t := range pkg.Types {
		shown, main := runnable(t.Examples), len(t.Funcs) > 0 || isInterface(t)
		for _, f := range t.Funcs {
			shown = shown || runnable(f.Examples)
		}
		for _, m := range t.Methods {
			shown = shown || runnable(m.Examples)
			main = main || m.Name != "String"
		}
		anywhere = anywhere || shown
		if main && !shown {
			names = append(names, t.Name)
		}
	}
	if len(pkg.Funcs) > 0 && !anywhere {
		names = append(names, "the package")
	}
	return names
}

func isInterface(t *doc.Type) bool {
	return slices.ContainsFunc(t.Decl.Specs, func(spec ast.Spec) bool {
		_, ok := spec.(*ast.TypeSpec).Type.(*ast.InterfaceType)
		return ok
	})
}

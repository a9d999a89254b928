package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
)

// A literal in a call of a function of support is given the type that it has without the call. Then most mutants
// compile beside others.

// span is a part of a file, in bytes.
type span struct{ at, end int }

// valued is what the compiler knows of an expression.
type valued struct {
	typeName string // in the file; "" if it has none there
	constant bool
	fits     bool // a constant is a value of its type, which is one of numbers
	text     bool // it is a string
}

// typesOf returns what is known of the expressions of a package's files.
func typesOf(ctx context.Context, p *pkg) (map[string]map[span]valued, error) {
	type listed struct{ ImportPath, Export string }
	all, err := list[listed](ctx, p.dir, "-export", "-deps", "-json=ImportPath,Export", ".")
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, l := range all {
		exports[l.ImportPath] = l.Export
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.files {
		file, err := parser.ParseFile(files, filepath.Join(p.dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	config := types.Config{Importer: importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	checked, err := config.Check(p.folder, files, parsed, info)
	if err != nil {
		return nil, fmt.Errorf("types: %w", err)
	}
	found := map[string]map[span]valued{}
	for i, file := range parsed {
		name := path.Join(p.folder, p.files[i])
		found[name] = map[span]valued{}
		ast.Inspect(file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if known, ok := info.Types[e]; ok && known.IsValue() {
				at := span{files.Position(e.Pos()).Offset, files.Position(e.End()).Offset}
				found[name][at] = valuedAs(known, checked, file)
				for _, operand := range operandsOf(e) { // those of a constant have no type of their own
					if o := info.Types[operand]; known.Value != nil && o.Value != nil && untyped(o.Type) {
						o.Type = known.Type
						info.Types[operand] = o
					}
				}
			}
			return true
		})
	}
	return found, nil
}

// operandsOf returns the operands of an expression that have its type.
func operandsOf(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return []ast.Expr{e.X}
	case *ast.UnaryExpr:
		return []ast.Expr{e.X}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.SHL, token.SHR:
			return []ast.Expr{e.X}
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT:
			return []ast.Expr{e.X, e.Y}
		}
	}
	return nil
}

// untyped reports whether constants of a type take that of what is around them.
func untyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// valuedAs returns what is known of an expression in a file.
func valuedAs(known types.TypeAndValue, in *types.Package, file *ast.File) valued {
	v := valued{constant: known.Value != nil}
	basic, ok := known.Type.Underlying().(*types.Basic)
	if !ok {
		return v
	}
	v.text = basic.Info()&types.IsString != 0
	if untyped(basic) {
		return v
	}
	v.fits = v.constant && basic.Info()&types.IsNumeric != 0 && fits(known.Value, basic)
	named := true
	v.typeName = types.TypeString(known.Type, func(other *types.Package) string {
		if other == in {
			return ""
		}
		name := importedAs(file, other)
		named = named && name != ""
		return name
	})
	if !named {
		v.typeName = ""
	}
	return v
}

// fits reports whether a constant is a value of a type, all digits of it.
func fits(value constant.Value, of *types.Basic) bool {
	if of.Info()&types.IsInteger == 0 {
		return true
	}
	value = constant.ToInt(value)
	bits := 8 * int(types.SizesFor("gc", "amd64").Sizeof(of))
	switch {
	case value.Kind() != constant.Int:
		return false
	case of.Info()&types.IsUnsigned != 0:
		return constant.Sign(value) >= 0 && constant.BitLen(value) <= bits
	}
	return constant.BitLen(value) < bits
}

// importedAs returns a package's name in a file, or "" if the file does not import it.
func importedAs(file *ast.File, other *types.Package) string {
	for _, spec := range file.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil && name == other.Path() {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return other.Name()
		}
	}
	return ""
}

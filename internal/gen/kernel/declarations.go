package kernel

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/gotypes"
)

// Declarations returns the package in a folder, with its types and constants, as it is
// built for an architecture. Kernels take the offsets of fields and the values of constants
// from there. Function bodies are not read, so they may call functions that are not
// generated yet. Imports other than the given packages count as empty.
func Declarations(dir, path, arch string, imports ...*types.Package) (*types.Package, error) {
	files := token.NewFileSet()
	var parsed []*ast.File
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	context := build.Default
	context.GOOS, context.GOARCH = "linux", arch
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "stubs_") {
			continue
		}
		if match, err := context.MatchFile(dir, name); err != nil || !match {
			continue
		}
		file, err := parser.ParseFile(files, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	config := types.Config{
		Importer:         importer(imports),
		IgnoreFuncBodies: true,
		Error:            func(error) {}, // about declarations that the empty packages lack
		Sizes:            gotypes.Sizes,
	}
	pkg, _ := config.Check(path, files, parsed, nil)
	return pkg, nil
}

// importer has some packages. All others are empty.
type importer []*types.Package

func (known importer) Import(path string) (*types.Package, error) {
	for _, pkg := range known {
		if pkg.Path() == path {
			return pkg, nil
		}
	}
	if path == types.Unsafe.Path() {
		return types.Unsafe, nil
	}
	empty := types.NewPackage(path, filepath.Base(path))
	empty.MarkComplete()
	return empty, nil
}

// ConstantOf returns the value of a package's integer constant.
func ConstantOf(pkg *types.Package, name string) (int, error) {
	c, ok := pkg.Scope().Lookup(name).(*types.Const)
	if !ok {
		return 0, fmt.Errorf("%s has no constant %s", pkg.Path(), name)
	}
	value, exact := constant.Int64Val(constant.ToInt(c.Val()))
	if !exact {
		return 0, fmt.Errorf("%s.%s is not an integer", pkg.Path(), name)
	}
	return int(value), nil
}

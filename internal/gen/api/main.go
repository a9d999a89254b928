// Command api writes the exported API of the modules that users get, a line for each name, into a
// file. With -check it compares instead, and prints the differences.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// unstable are the folders whose API may change at any time: CONTRIBUTING.md, "Versions".
var unstable = regexp.MustCompile(`^(asm|bench|cpu|cmd|docs|examples|fallback|fuzz|scripts)$|(^|/)(\..+|internal|testdata)$`)

func main() {
	log.SetFlags(0)
	log.SetPrefix("api: ")
	root := flag.String("root", "../..", "the root `directory` of simdbloom")
	file := flag.String("file", "api/v0.1.0.txt", "the `file` that has the API, in the root")
	check := flag.Bool("check", false, "compare with the file and write nothing")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("%q is not a flag", flag.Args())
	}
	lines, err := exported(*root)
	if err != nil {
		log.Fatal(err)
	}
	name := filepath.Join(*root, *file)
	if !*check {
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			log.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	if differences := compare(strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), lines); len(differences) > 0 {
		log.Fatalf("%s differs; if the change is wanted, `make generate` writes it:\n%s", *file, strings.Join(differences, "\n"))
	}
}

// compare returns the lines that only one of two sorted lists has.
func compare(before, now []string) (differences []string) {
	for _, line := range before {
		if _, found := slices.BinarySearch(now, line); !found {
			differences = append(differences, "- "+line)
		}
	}
	for _, line := range now {
		if _, found := slices.BinarySearch(before, line); !found {
			differences = append(differences, "+ "+line)
		}
	}
	return differences
}

// exported returns the API of all packages under root, sorted.
func exported(root string) (lines []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		if entry.IsDir() && folder != "." && unstable.MatchString(folder) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil || file.Name.Name == "main" {
			return err
		}
		where := "pkg " + strings.TrimSuffix(filepath.ToSlash(filepath.Dir(folder)), ".")
		if where == "pkg " {
			where = "pkg simdbloom"
		}
		for _, decl := range file.Decls {
			for _, line := range declared(decl) {
				lines = append(lines, where+", "+line)
			}
		}
		return nil
	})
	slices.Sort(lines)
	return reached(slices.Compact(lines)), err
}

// reached returns the lines without methods that no caller reaches: those of unexported types that
// no exported type embeds.
func reached(lines []string) []string {
	embedded := map[string]bool{}
	for _, line := range lines {
		if before, name, found := strings.Cut(line, " struct, embeds "); found {
			where, _, _ := strings.Cut(before, ", type ")
			embedded[where+" "+strings.TrimLeft(name, "*")] = true
		}
	}
	return slices.DeleteFunc(lines, func(line string) bool {
		where, method, found := strings.Cut(line, ", method (")
		receiver, _, _ := strings.Cut(strings.TrimLeft(method, "*"), ")")
		return found && !ast.IsExported(receiver) && !embedded[where+" "+receiver]
	})
}

// declared returns a line for each exported name of decl: a function, a method, a constant, a
// variable, a type, a field, or a method of an interface.
func declared(decl ast.Decl) (lines []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if !decl.Name.IsExported() {
			return nil
		}
		if decl.Recv == nil {
			return []string{"func " + decl.Name.Name + typeParams(decl.Type.TypeParams) + signature(decl.Type)}
		}
		return []string{fmt.Sprintf("method (%s) %s%s", text(decl.Recv.List[0].Type), decl.Name.Name, signature(decl.Type))}
	case *ast.GenDecl:
		var last string // the type that the constants after it have, too
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					lines = append(lines, typeLines(spec)...)
				}
			case *ast.ValueSpec:
				if spec.Type != nil {
					last = " " + text(spec.Type)
				} else if len(spec.Values) > 0 {
					last = ""
				}
				for i, name := range spec.Names {
					if !name.IsExported() {
						continue
					}
					line := decl.Tok.String() + " " + name.Name + last
					if decl.Tok == token.CONST && i < len(spec.Values) {
						line += " = " + text(spec.Values[i])
					}
					lines = append(lines, line)
				}
			}
		}
	}
	return lines
}

// typeLines returns a line for the type, and for each of its exported fields and methods.
func typeLines(spec *ast.TypeSpec) (lines []string) {
	line := "type " + spec.Name.Name + typeParams(spec.TypeParams)
	if spec.Assign.IsValid() {
		return []string{line + " = " + text(spec.Type)}
	}
	var fields *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		fields, line = t.Fields, line+" struct"
	case *ast.InterfaceType:
		fields, line = t.Methods, line+" interface"
	default:
		return []string{line + " " + text(t)}
	}
	lines = []string{line}
	for _, field := range fields.List {
		if len(field.Names) == 0 {
			lines = append(lines, line+", embeds "+text(field.Type))
		}
		for _, name := range field.Names {
			if !name.IsExported() {
				continue
			}
			if method, is := field.Type.(*ast.FuncType); is && line == "type "+spec.Name.Name+" interface" {
				lines = append(lines, line+", "+name.Name+signature(method))
			} else {
				lines = append(lines, line+", "+name.Name+" "+text(field.Type))
			}
		}
	}
	return lines
}

// typeParams returns a type's or a function's parameters that are types: "[T any]".
func typeParams(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var params []string
	for _, field := range list.List {
		for _, name := range field.Names {
			params = append(params, name.Name+" "+text(field.Type))
		}
	}
	return "[" + strings.Join(params, ", ") + "]"
}

// signature returns a function's parameters and results without their names, which callers do not see.
func signature(f *ast.FuncType) string {
	params := "(" + strings.Join(types(f.Params), ", ") + ")"
	switch results := types(f.Results); len(results) {
	case 0:
		return params
	case 1:
		return params + " " + results[0]
	default:
		return params + " (" + strings.Join(results, ", ") + ")"
	}
}

// types returns the type of each field.
func types(list *ast.FieldList) (found []string) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		found = append(found, slices.Repeat([]string{text(field.Type)}, max(1, len(field.Names)))...)
	}
	return found
}

// text returns the node as source, in one line.
func text(node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil {
		log.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

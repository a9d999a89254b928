package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mutant is a change of one line.
type mutant struct {
	file     string
	line     int
	at, end  int // of the bytes that are replaced
	by       string
	was, now string   // the line
	folder   string   // in which the tests run
	packages []string // whose tests they are
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s  ->  %s", m.file, m.line, strings.TrimSpace(m.was), strings.TrimSpace(m.now))
}

// listed is the go command's listing of a package.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

func (p *listed) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// mutantsOf returns all mutants of a module, but none of what only tests use, and of generated files if they are
// wanted.
func mutantsOf(ctx context.Context, module, only string, generated bool) (mutants []mutant, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	list := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", "./...")
	list.Dir, list.Stderr = module, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := filepath.Abs(module)
	if err != nil {
		return nil, err
	}
	var packages []*listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	for _, p := range packages {
		tests := testsOf(p, packages)
		if len(tests) == 0 || strings.Contains(p.ImportPath, "/internal/test/") {
			continue
		}
		for _, name := range p.GoFiles {
			file := filepath.Join(p.Dir, name)
			short, err := filepath.Rel(root, file)
			if err != nil {
				return nil, err
			}
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			found, err := mutantsIn(file, source, generated)
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				if !pattern.MatchString(fmt.Sprintf("%s:%d", filepath.ToSlash(short), m.line)) {
					continue
				}
				m.folder, m.packages = root, tests
				mutants = append(mutants, m)
			}
		}
	}
	return mutants, nil
}

// testsOf returns the packages whose tests must find mistakes in p.
func testsOf(p *listed, packages []*listed) (tests []string) {
	if p.tested() {
		return []string{p.ImportPath}
	}
	for _, user := range packages {
		if user.tested() && slices.Contains(slices.Concat(user.Imports, user.TestImports, user.XTestImports), p.ImportPath) {
			tests = append(tests, user.ImportPath)
		}
	}
	return tests
}

// others are operators that replace an operator.
var others = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR,
	token.AND_NOT: token.AND,
}

// mutantsIn returns the mutants of a file, none of a generated one unless these are wanted.
func mutantsIn(file string, source []byte, generated bool) (mutants []mutant, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(parsed) && !generated {
		return nil, err
	}
	replace := func(from, to token.Pos, by string) {
		begin, end := files.Position(from), files.Position(to)
		if begin.Line != end.Line {
			return
		}
		lineAt := bytes.LastIndexByte(source[:begin.Offset], '\n') + 1
		lineEnd := end.Offset + len(source[end.Offset:])
		if n := bytes.IndexByte(source[end.Offset:], '\n'); n >= 0 {
			lineEnd = end.Offset + n
		}
		m := mutant{file: file, line: begin.Line, at: begin.Offset, end: end.Offset, by: by, was: string(source[lineAt:lineEnd])}
		m.now = string(source[lineAt:m.at]) + by + string(source[m.end:lineEnd])
		mutants = append(mutants, m)
	}
	text := func(n ast.Node) string {
		return string(source[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.IMPORT {
				return false
			}
		case *ast.Field: // a tag, or an array's length
			return false
		case *ast.CallExpr: // the texts of errors may change
			if name := text(n.Fun); name == "panic" || name == "errors.New" || strings.HasPrefix(name, "fmt.") {
				return false
			}
		case *ast.BinaryExpr:
			if other, ok := others[n.Op]; ok {
				replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
			}
		case *ast.BasicLit:
			if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				replace(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
			}
		case *ast.IfStmt:
			replace(n.Cond.Pos(), n.Cond.End(), "false && ("+text(n.Cond)+")")
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				replace(n.OpPos, n.OpPos+1, "")
			}
		}
		return true
	})
	return mutants, nil
}

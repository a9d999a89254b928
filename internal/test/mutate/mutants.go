package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// mutant is a change of one line.
type mutant struct {
	file     string // in the clone, with slashes
	function string
	at, end  int // of the bytes that are replaced
	by       string
	was, now string // the line
	id       string // its name as long as the function has that line
	result   result
}

// others are operators that replace an operator.
var others = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR,
	token.AND_NOT: token.AND,
}

// mutantsIn returns the mutants of a file, none of a generated one.
func mutantsIn(file string, source []byte) (mutants []*mutant, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(parsed) {
		return nil, err
	}
	text := func(n ast.Node) string {
		return string(source[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
	}
	function, same := "", map[string]int{}
	replace := func(from, to token.Pos, by string) {
		begin, end := files.Position(from), files.Position(to)
		if begin.Line != end.Line {
			return
		}
		lineAt := bytes.LastIndexByte(source[:begin.Offset], '\n') + 1
		lineEnd := len(source)
		if n := bytes.IndexByte(source[end.Offset:], '\n'); n >= 0 {
			lineEnd = end.Offset + n
		}
		m := &mutant{file: file, function: function, at: begin.Offset, end: end.Offset, by: by}
		m.was = strings.TrimSpace(string(source[lineAt:lineEnd]))
		m.now = strings.TrimSpace(string(source[lineAt:m.at]) + by + string(source[m.end:lineEnd]))
		m.id = fmt.Sprintf("%s: %s: %s  ->  %s", file, function, m.was, m.now)
		if same[m.id]++; same[m.id] > 1 {
			m.id += fmt.Sprintf("  (%d)", same[m.id])
		}
		mutants = append(mutants, m)
	}
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.IMPORT {
				return false
			}
		case *ast.Field: // a tag, or an array's length
			return false
		case *ast.CallExpr:
			switch name := text(n.Fun); {
			case name == "panic" || name == "errors.New" || strings.HasPrefix(name, "fmt."): // texts may change
				return false
			case name == "make" && len(n.Args) == 3: // and so may a capacity
				ast.Inspect(n.Args[1], visit)
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
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, cond := range c.(*ast.CaseClause).List {
						replace(cond.Pos(), cond.End(), "false && ("+text(cond)+")")
					}
				}
			}
		case *ast.ReturnStmt: // an error that is dropped
			if len(n.Results) > 0 {
				if last := n.Results[len(n.Results)-1]; text(last) == "err" {
					replace(last.Pos(), last.End(), "nil")
				}
			}
		case *ast.ArrayType: // one more element changes nothing
			return false
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
			if strings.HasPrefix(text(n), "runtime.KeepAlive") { // the garbage collector rarely comes at that moment
				return false
			}
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
	}
	for _, decl := range parsed.Decls {
		function = "package"
		if f, ok := decl.(*ast.FuncDecl); ok {
			function = f.Name.Name
			if f.Recv != nil {
				function = "(" + text(f.Recv.List[0].Type) + ")." + function
			}
		}
		ast.Inspect(decl, visit)
	}
	return mutants, nil
}

// in returns the changed file.
func (m *mutant) in(source []byte) []byte {
	return slices.Concat(source[:m.at], []byte(m.by), source[m.end:])
}

// hash orders mutants at random, but always alike.
func (m *mutant) hash() uint64 { return xxhash.Sum64String(m.id) }

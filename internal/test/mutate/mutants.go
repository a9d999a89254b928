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
	line     int
	at, end  int // of the bytes that are replaced
	by       string
	was, now string // the line
	id       string // its name as long as the function has that line
	result   result
	first    bool // of its line, by their hashes

	edits []edit // to have it beside other mutants: together.go
	typed bool   // the edits compile with some types only
	never bool   // it does not compile
}

// others are operators that replace an operator.
var others = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR,
	token.AND_NOT: token.AND,
}

// mutantsIn returns the mutants of a file, none of a generated one. If the types of expressions are known, edits have
// them.
func mutantsIn(file string, source []byte, known map[span]valued) (mutants []*mutant, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(parsed) {
		return nil, err
	}
	text := func(n ast.Node) string {
		return string(source[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
	}
	function, same := "", map[string]int{}
	constant := false              // in a declaration of constants
	listed := map[ast.Stmt]bool{}  // statements of blocks, which may be in an "if"
	guarded := map[ast.Stmt]bool{} // statements of an "if" without "else", which ends no function
	unfit := map[ast.Expr]bool{}   // operands of constants that are not what they would be at run time
	fails := false                 // a function whose last result is an error, or a flaw
	beside := map[ast.Expr]bool{}  // values that are returned beside an error, or a flaw
	texts := map[ast.Expr]bool{}   // calls that return an error of a format and values
	replace := func(from, to token.Pos, by string, typed bool, edits ...edit) {
		begin, end := files.Position(from), files.Position(to)
		if begin.Line != end.Line {
			return
		}
		if constant {
			edits = nil
		}
		lineAt := bytes.LastIndexByte(source[:begin.Offset], '\n') + 1
		lineEnd := len(source)
		if n := bytes.IndexByte(source[end.Offset:], '\n'); n >= 0 {
			lineEnd = end.Offset + n
		}
		m := &mutant{file: file, function: function, line: begin.Line, at: begin.Offset, end: end.Offset, by: by, edits: edits, typed: typed}
		m.was = strings.TrimSpace(string(source[lineAt:lineEnd]))
		m.now = strings.TrimSpace(string(source[lineAt:m.at]) + by + string(source[m.end:lineEnd]))
		m.id = fmt.Sprintf("%s: %s: %s  ->  %s", file, function, m.was, m.now)
		if same[m.id]++; same[m.id] > 1 {
			m.id += fmt.Sprintf("  (%d)", same[m.id])
		}
		mutants = append(mutants, m)
	}
	around := func(n ast.Node, first, last string) []edit {
		at, end := files.Position(n.Pos()).Offset, files.Position(n.End()).Offset
		return []edit{{at, at, before, first}, {end, end, behind, last}}
	}
	typeOf := func(e ast.Expr) valued {
		return known[span{files.Position(e.Pos()).Offset, files.Position(e.End()).Offset}]
	}
	// converted gives a constant its type.
	converted := func(e ast.Expr, first, last string) []edit {
		if v := typeOf(e); v.constant && v.typeName != "" {
			first, last = first+v.typeName+"(", ")"+last
		}
		if first == "" {
			return nil
		}
		return around(e, first, last)
	}
	never := func(cond ast.Expr) { // as if it were false
		replace(cond.Pos(), cond.End(), "false && ("+text(cond)+")", false, around(cond, "mutate_not(#) && (", ")")...)
	}
	remove := func(n ast.Stmt) {
		var edits []edit
		switch n.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt: // of an "if" or "for", if it is not listed
			edits = around(n, "mutate_do(#, func() { ", " })")
		}
		if listed[n] {
			edits = around(n, "if mutate_not(#) { ", " }")
		}
		replace(n.Pos(), n.End(), "", false, edits...)
	}
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				constant = true
				for _, spec := range n.Specs {
					ast.Inspect(spec, visit)
				}
				constant = false
			}
			return n.Tok == token.VAR
		case *ast.BlockStmt:
			for _, s := range n.List {
				listed[s] = true
			}
		case *ast.CaseClause:
			for _, s := range n.Body {
				listed[s] = true
			}
		case *ast.CommClause:
			for _, s := range n.Body {
				listed[s] = true
				ast.Inspect(s, visit)
			}
			if send, ok := n.Comm.(*ast.SendStmt); ok { // nothing else may stand there
				ast.Inspect(send, visit)
			}
			return false
		case *ast.TypeSwitchStmt:
			ast.Inspect(n.Body, visit)
			return false
		case *ast.Field: // a tag, or an array's length
			return false
		case *ast.ArrayType: // one more element changes nothing
			return false
		case *ast.CallExpr:
			switch name := text(n.Fun); {
			case name == "panic" || name == "errors.New" || strings.HasPrefix(name, "fmt.") || texts[n]: // texts may change
				return false
			case name == "make" && len(n.Args) == 3: // and so may a capacity
				ast.Inspect(n.Args[1], visit)
				return false
			case strings.HasPrefix(name, "bufio.New"): // and the size of a buffer
				return false
			}
		case *ast.BinaryExpr:
			other, ok := others[n.Op]
			if !ok {
				break
			}
			end := n.OpPos + token.Pos(len(n.Op.String()))
			var edits []edit
			literal, number := n.Y.(*ast.BasicLit)
			number = number && literal.Kind == token.INT
			function, typed := operands[n.Op]
			switch {
			case n.Op == token.LAND || n.Op == token.LOR: // a && b is !(!a || !b)
				edits = slices.Concat(around(n, "((", ") != mutate_is(#))"), around(n.X, "((", ") != mutate_is(#))"), around(n.Y, "((", ") != mutate_is(#))"))
			case !number && !typed: // == and != of any types
				edits = around(n, "((", ") != mutate_is(#))")
			default:
				if !typed {
					function = equalities[n.Op]
				}
				at := files.Position(n.OpPos).Offset
				edits = append(around(n, "mutate_"+function+"(#, ", ")"), edit{at, at + len(n.Op.String()), instead, ","})
				if edits = append(edits, converted(n.X, "", "")...); !number && n.Op != token.SHL && n.Op != token.SHR {
					edits = append(edits, converted(n.Y, "", "")...)
				}
				if v := typeOf(n); v.constant && !v.fits {
					edits, unfit[n.X], unfit[n.Y] = nil, true, true
				}
				typed = true
			}
			replace(n.OpPos, end, other.String(), typed, edits...)
			if n.Op == token.ADD && typeOf(n).text && len(mutants) > 0 {
				last := mutants[len(mutants)-1]
				last.never, last.edits = last.at == files.Position(n.OpPos).Offset, nil
			}
		case *ast.BasicLit:
			v, err := strconv.ParseInt(n.Value, 0, 64)
			if n.Kind != token.INT || err != nil || beside[n] {
				break
			}
			edits := converted(n, "mutate_one(#, ", ")")
			if unfit[n] {
				edits = nil
			}
			replace(n.Pos(), n.End(), strconv.FormatInt(v+1, 10), true, edits...)
		case *ast.IfStmt:
			never(n.Cond)
			for _, s := range n.Body.List {
				guarded[s] = n.Else == nil
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, cond := range c.(*ast.CaseClause).List {
						never(cond)
					}
				}
			}
		case *ast.ReturnStmt: // an error that is dropped
			if len(n.Results) == 0 {
				break
			}
			last := n.Results[len(n.Results)-1]
			if text(last) == "err" {
				replace(last.Pos(), last.End(), "nil", true, around(last, "mutate_err(#, ", ")")...)
			}
			if fails && text(last) != "nil" && text(last) != `""` {
				texts[last] = formats(last)
				for _, value := range n.Results[:len(n.Results)-1] {
					beside[value] = true
				}
			}
		case *ast.ExprStmt:
			switch name := text(n); {
			case strings.HasPrefix(name, "runtime.KeepAlive"): // the garbage collector rarely comes at that moment
				return false
			case strings.HasPrefix(name, "asm.Prefetch"):
				return false
			case strings.HasPrefix(name, "panic(") && !guarded[n]: // may end a function
				replace(n.Pos(), n.End(), "", false)
				return true
			}
			remove(n)
		case *ast.IncDecStmt:
			remove(n)
		case *ast.DeferStmt:
			if text(n.Call.Fun) == "runtime.KeepAlive" {
				return false
			}
			remove(n)
		case *ast.BranchStmt:
			if n.Tok == token.FALLTHROUGH {
				delete(listed, n)
			}
			remove(n)
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				remove(n)
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				replace(n.OpPos, n.OpPos+1, "", false, around(n, "((", ") != mutate_is(#))")...)
			}
		}
		return true
	}
	for _, decl := range parsed.Decls {
		function, fails = "package", false
		if f, ok := decl.(*ast.FuncDecl); ok {
			function = f.Name.Name
			if results := f.Type.Results; results != nil {
				last := results.List[len(results.List)-1]
				fails = text(last.Type) == "error" || len(last.Names) == 1 && last.Names[0].Name == "flaw"
			}
			if f.Recv != nil {
				function = "(" + text(f.Recv.List[0].Type) + ")." + function
			}
		}
		ast.Inspect(decl, visit)
	}
	return mutants, nil
}

// formats reports whether an expression is a call whose first argument is a format.
func formats(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	literal, ok := call.Args[0].(*ast.BasicLit)
	return ok && literal.Kind == token.STRING && strings.Contains(literal.Value, "%")
}

// in returns the changed file.
func (m *mutant) in(source []byte) []byte {
	return slices.Concat(source[:m.at], []byte(m.by), source[m.end:])
}

// first marks one mutant of each line, of those that one program can have, if there are any.
func first(mutants []*mutant) {
	type line struct {
		file   string
		number int
	}
	found := map[line]*mutant{}
	for _, m := range mutants {
		of := line{m.file, m.line}
		other := found[of]
		if other == nil || other.edits == nil && m.edits != nil ||
			(other.edits == nil) == (m.edits == nil) && m.hash() < other.hash() {
			found[of] = m
		}
	}
	for _, m := range found {
		m.first = true
	}
}

// hash orders mutants at random, but always alike.
func (m *mutant) hash() uint64 { return xxhash.Sum64String(m.id) }

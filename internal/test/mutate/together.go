package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Most mutants of a package are compiled together into one program for each package of tests, which runs the one whose
// number is in the environment: then a mutant costs its tests alone. The others are compiled one at a time.

// edit is text that is put into a file, around an expression or a statement, or in the place of an operator. In it, #
// is the mutant's number.
type edit struct {
	at, end int
	kind    editKind
	text    string
}

// editKind orders edits at the same byte.
type editKind int

const (
	behind editKind = iota // of the inner expression first
	before                 // of the outer expression first
	instead
)

// operands are the names of functions of support that stand for operators, and equalities of two more, which take
// numbers. Where types do not suit, mutants do not compile.
var (
	operands = map[token.Token]string{
		token.LSS: "less", token.LEQ: "atMost", token.GTR: "more", token.GEQ: "atLeast",
		token.ADD: "add", token.SUB: "sub", token.MUL: "mul", token.QUO: "quo", token.REM: "rem",
		token.SHL: "shl", token.SHR: "shr", token.AND: "and", token.OR: "or", token.XOR: "xor", token.AND_NOT: "andNot",
	}
	equalities = map[token.Token]string{token.EQL: "equal", token.NEQ: "unequal"}
)

// support is what mutants in one program call. A mutant with the number 0 is none. If a file is named in the
// environment, the numbers of mutants are added to it when they are reached.
const support = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

type (
	mutate_int    interface{ ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr }
	mutate_number interface{ mutate_int | ~float32 | ~float64 }
)

var mutate_number_ = func() (n int) {
	for _, digit := range os.Getenv("SIMDBLOOM_MUTANT") {
		n = 10*n + int(digit-'0')
	}
	return n
}()

var mutate_file_, _ = os.OpenFile(os.Getenv("SIMDBLOOM_REACHED"), os.O_APPEND|os.O_WRONLY, 0)
var mutate_seen_ [%d + 1]uint32

func mutate_reach(n int) {
	if atomic.CompareAndSwapUint32(&mutate_seen_[n], 0, 1) {
		mutate_file_.WriteString(strconv.Itoa(n) + "\n")
	}
}
func mutate_is(n int) bool {
	if mutate_file_ != nil {
		mutate_reach(n)
	}
	return n == mutate_number_
}
func mutate_not(n int) bool { return !mutate_is(n) }
func mutate_err(n int, err error) error {
	if mutate_is(n) {
		return nil
	}
	return err
}
func mutate_one[T mutate_number](n int, v T) T {
	if mutate_is(n) {
		return v + 1
	}
	return v
}
func mutate_do(n int, statement func()) {
	if !mutate_is(n) {
		statement()
	}
}
`

// supportOf returns a package's file of support for n mutants.
func supportOf(name string, n int) []byte {
	var file bytes.Buffer
	fmt.Fprintf(&file, support, name, n)
	for _, functions := range []map[token.Token]string{operands, equalities} {
		for was, function := range functions {
			constraint, types, result := "T mutate_int", "a, b T", "T"
			switch was {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				constraint, result = "T mutate_number", "bool"
			case token.ADD, token.SUB, token.MUL, token.QUO:
				constraint = "T mutate_number"
			case token.SHL, token.SHR:
				constraint, types = "T, U mutate_int", "a T, b U"
			}
			fmt.Fprintf(&file, "func mutate_%s[%s](n int, %s) %s {\n", function, constraint, types, result)
			fmt.Fprintf(&file, "\tif mutate_is(n) {\n\t\treturn a %s b\n\t}\n\treturn a %s b\n}\n", others[was], was)
		}
	}
	return file.Bytes()
}

// together returns the file with all edits of the mutants, whose numbers are their places.
func together(source []byte, file string, mutants []*mutant) []byte {
	type placed struct {
		edit
		order int
	}
	var edits []placed
	for i, m := range mutants {
		if m != nil && m.file == file {
			for _, e := range m.edits {
				e.text = strings.ReplaceAll(e.text, "#", strconv.Itoa(i+1))
				edits = append(edits, placed{e, i})
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b placed) int {
		inner := cmp.Compare(a.order, b.order)
		if a.kind == behind {
			inner = -inner
		}
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), inner)
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, source[at:e.at]...), e.text...)
		at = e.end
	}
	return append(out, source[at:]...)
}

// programs are those of a package's tests, which have most mutants.
type programs struct {
	files     []string        // one for each package of tests
	numbers   map[*mutant]int // from 1 on
	tests     []*reaching
	longest   time.Duration // of a mutant's tests
	compiling time.Duration // of the processor, to compile the programs
	failing   [][]string    // tests by package
	tooLong   []string
	apart     [][]string // tests by package of mutants that the programs do not have; nil means all

	mu    sync.Mutex
	found map[string]map[*reaching]int // mistakes by function and by the test that found them
}

// positions are those of the compiler's errors.
var positions = regexp.MustCompile(`(?m)^(?:vet: )?(\S+\.go):(\d+):`)

// build compiles a package's tests with those mutants that are left into a folder. Mutants on lines that do not compile
// so are left out, first those whose types may not suit.
func (r *runner) build(ctx context.Context, p *pkg, left []*mutant, folder string) (*programs, error) {
	if err := typed(ctx, p); err != nil {
		return nil, err
	}
	mutants := slices.Clone(p.mutants)
	for i, m := range mutants {
		if m.edits == nil || !slices.Contains(left, m) {
			mutants[i] = nil
		}
	}
	for range 30 {
		overlay, err := r.overlayOf(p, folder, mutants)
		if err != nil {
			return nil, err
		}
		built := &programs{numbers: map[*mutant]int{}, found: map[string]map[*reaching]int{}}
		for i, m := range mutants {
			if m != nil {
				built.numbers[m] = i + 1
			}
		}
		var found result
		var out []byte
		begun := r.spent.Load()
		for i, tests := range p.tests {
			program := filepath.Join(folder, strconv.Itoa(i)+".test")
			command := r.command(ctx, tests, "go", "test", "-c", "-vet=off", "-ldflags=-w", "-gcflags=-e", "-overlay="+overlay, "-o", program, ".")
			if found, out, err = r.verdict(command); err != nil {
				return nil, err
			} else if found != survived {
				break
			}
			built.files = append(built.files, program)
		}
		if found == survived {
			built.compiling = time.Duration(r.spent.Load() - begun)
			return built, nil
		}
		if !leaveOut(out, p, mutants) {
			return nil, nil
		}
	}
	return nil, nil
}

// typed has the edits of a package's mutants know the types.
func typed(ctx context.Context, p *pkg) error {
	known, err := typesOf(ctx, p)
	if err != nil {
		return err
	}
	var again []*mutant
	for _, name := range p.files {
		source, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			return err
		}
		file := path.Join(p.folder, name)
		found, err := mutantsIn(file, source, known[file])
		if err != nil {
			return err
		}
		again = append(again, found...)
	}
	for i, m := range p.mutants {
		if m.never = again[i].never; m.edits != nil {
			m.edits, m.typed = again[i].edits, again[i].typed
		}
	}
	return nil
}

// leaveOut leaves out the mutants of lines about which the compiler has errors. It returns false if there are none.
func leaveOut(out []byte, p *pkg, mutants []*mutant) (some bool) {
	wrong := map[string]bool{}
	for _, found := range positions.FindAllSubmatch(out, -1) {
		wrong[filepath.Base(string(found[1]))+":"+string(found[2])] = true
	}
	for _, typed := range []bool{true, false} {
		for line := range wrong {
			taken := false
			for i, m := range mutants {
				if m != nil && line == filepath.Base(m.file)+":"+strconv.Itoa(m.line) && (m.typed || !typed) {
					mutants[i], taken = nil, true
				}
			}
			if taken {
				delete(wrong, line)
				some = true
			}
		}
	}
	return some
}

// overlayOf writes a package's files with mutants, and the go command's list of them.
func (r *runner) overlayOf(p *pkg, folder string, mutants []*mutant) (string, error) {
	replaced := map[string]string{}
	name := ""
	for _, file := range p.files {
		source, err := os.ReadFile(filepath.Join(p.dir, file))
		if err != nil {
			return "", err
		}
		changed := filepath.Join(folder, file)
		replaced[filepath.Join(p.dir, file)] = changed
		if err := os.WriteFile(changed, together(source, path.Join(p.folder, file), mutants), 0o666); err != nil {
			return "", err
		}
		name = packageName(source)
	}
	added := filepath.Join(folder, "mutate_support.go")
	replaced[filepath.Join(p.dir, "mutate_support.go")] = added
	list, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, errors.Join(os.WriteFile(added, supportOf(name, len(mutants)), 0o666), os.WriteFile(overlay, list, 0o666))
}

var clause = regexp.MustCompile(`(?m)^package (\w+)`)

// packageName returns the name in a file's package clause.
func packageName(source []byte) string { return string(clause.FindSubmatch(source)[1]) }

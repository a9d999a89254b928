package simdbloom_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lookupForms are what a loop calls, and the statement that is before the loop.
var lookupForms = []struct{ name, before, has string }{
	{"Lookup", "has := f.Lookup()", "has"},
	{"LookupUint64", "has := f.LookupUint64()", "has"},
	{"ContainsHashInline", "", "f.ContainsHashInline"},
	{"ContainsUint64Inline", "", "f.ContainsUint64Inline"},
}

// loops are places of lookups. The loops are in the functions that lookupPlaces names.
const loops = `package loops

import (
	"iter"
	"slices"

	"github.com/simdbloom/simdbloom"
)

var found int

func inFunction(f *simdbloom.Filter, hashes []uint64) {
	BEFORE
	for _, hash := range hashes {
		if HAS(hash) {
			found++
		}
	}
}

func inBranches(f *simdbloom.Filter, hashes []uint64, twice bool) {
	BEFORE
	for _, hash := range hashes {
		if HAS(hash) && (!twice || HAS(hash+1)) {
			found++
		}
	}
}

type index struct{ f *simdbloom.Filter }

func (x *index) inMethod(hashes []uint64) { f := x.f; LOOP }

func inGeneric[T ~uint64](f *simdbloom.Filter, hashes []T) {
	BEFORE
	for _, hash := range hashes {
		if HAS(uint64(hash)) {
			found++
		}
	}
}

func Generic(f *simdbloom.Filter, hashes []uint64) { inGeneric(f, hashes) }

func inGo(f *simdbloom.Filter, hashes []uint64) { go func() { LOOP }() }

func inDefer(f *simdbloom.Filter, hashes []uint64) { defer func() { LOOP }() }

type handler func(request any)

func inHandler(f *simdbloom.Filter, hashes []uint64) handler { return handler(func(any) { LOOP }) }

func inLiteral(f *simdbloom.Filter, hashes []uint64) func() { return func() { LOOP } }

// The compiler inlines inHandler and inLiteral here. What is left of them are literals in which nothing is inlined.
func Trap(f *simdbloom.Filter, hashes []uint64) (handler, func()) { return inHandler(f, hashes), inLiteral(f, hashes) }

func inRange(f *simdbloom.Filter, hashes iter.Seq[uint64]) {
	BEFORE
	for hash := range hashes {
		if HAS(hash) {
			found++
		}
	}
}

func inDeleteFunc(f *simdbloom.Filter, hashes []uint64) []uint64 {
	BEFORE
	return slices.DeleteFunc(hashes, func(hash uint64) bool { return !HAS(hash) })
}

func inContainsFunc(f *simdbloom.Filter, hashes []uint64) bool {
	BEFORE
	return slices.ContainsFunc(hashes, func(hash uint64) bool { return HAS(hash) })
}

type Predicate struct{ has func(uint64) bool }

func InField(f *simdbloom.Filter) Predicate {
	BEFORE
	return Predicate{HAS}
}
`

// A place is where a function has lookups, and how they are done.
type place int

const (
	inlined   place = iota
	captured        // has is called, which is the variable of the function around; methods are inlined
	uninlined       // nothing is inlined: has is called, which a call of Lookup returned, or the method
	kept            // the function is kept, and looks up by one call: Lookup's literal, or the method's own
)

var lookupPlaces = map[string]place{
	`inFunction`: inlined, `inBranches`: inlined, `\(\*index\)\.inMethod`: inlined, `inGeneric\[go\.shape\.uint64\]`: inlined,
	`inGo\.func1`: inlined, `inDefer\.func1`: inlined, `inHandler\.func1`: inlined, `inLiteral\.func1`: inlined,
	`inContainsFunc`: inlined,
	`inRange-range1`: captured, `inDeleteFunc\.func1`: captured,
	// Go 1.27 names literals of inlined functions by hashes.
	`Trap\.inHandler\.func1|inHandler\.func1#.*`: uninlined, `Trap\.inLiteral\.func2|inLiteral\.func1#.*`: uninlined,
	`InField\.\S*func1|\(\*Filter\)\.Lookup\S*#.*|\(\*Filter\)\.\S*Inline-fm`: kept,
}

// asms is the literal that Lookup returns without Go's SIMD intrinsics.
const asms = `.*\(\*Kernel\)\.Lookup\.func1(#.*)?`

// TestMachineCodeOfLookups compiles lookups at many places, and compares what they call with the documentation of
// ContainsHashInline and Lookup.
func TestMachineCodeOfLookups(t *testing.T) {
	program := filepath.Join(t.TempDir(), "loops.go")
	for _, arch := range processors() {
		library := callsIn(compiled(t, arch, "-S", "."))
		for _, form := range lookupForms {
			text := strings.NewReplacer("BEFORE", form.before, "HAS", form.has).Replace(strings.ReplaceAll(loops, "LOOP", "BEFORE\nfor _, hash := range hashes { if HAS(hash) { found++ } }"))
			if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			itself := `\(\*Filter\)\.` + form.name + `(\.func1)?`
			if form.name == "Lookup" && !isInlining {
				itself = asms
			}
			whole := []string{"asm.contains"} // what a lookup calls that is inlined as a whole: other formats' assembly
			if strings.Contains(form.name, "Uint64") {
				whole = []string{"(*Filter).ContainsUint64", "asm.contains"}
			}
			if got := library.of(itself); !slices.Equal(got, whole) {
				t.Errorf("%s: %s by itself calls %q, not %q", arch, form.name, got, whole)
			}
			code := callsIn(compiled(t, arch, "-S", program))
			for of, at := range lookupPlaces {
				if at == kept && form.name == "Lookup" && !isInlining {
					of = `InField\.\S*func1|` + asms
				}
				want := whole
				switch isMethod := form.before == ""; {
				case at == captured && !isMethod:
					want = []string{"a function"}
				case at == uninlined && !isMethod:
					want = []string{"(*Filter)." + form.name, "a function"}
				case at == uninlined:
					want = []string{"(*Filter)." + form.name}
				case at == kept && !isMethod && (isInlining || form.name == "LookupUint64"):
					want = []string{"(*Filter)." + strings.Replace(strings.Replace(form.name, "LookupUint64", "ContainsUint64Inline", 1), "Lookup", "ContainsHashInline", 1)}
				}
				if got := code.of(of); !slices.Equal(got, want) {
					t.Errorf("%s: %s in %s calls %q, not %q", arch, form.name, of, got, want)
				}
			}
		}
	}
}

// calls are those of each function, apart from those of the runtime.
type calls map[string]map[string]bool

// of returns the calls of the functions whose names match a regular expression, or nil if there is none.
func (c calls) of(function string) (sorted []string) {
	all := make(map[string]bool)
	for name, its := range c {
		if regexp.MustCompile(`^(?:` + function + `)$`).MatchString(name) {
			maps.Copy(all, its)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// callsIn reads the compiler's -S.
func callsIn(listing []byte) calls {
	all, last := make(calls), ""
	header, call := regexp.MustCompile(`^(\S+) STEXT `), regexp.MustCompile(`\t(?:CALL|BL)\t(\S+)$`)
	for line := range bytes.Lines(listing) {
		if m := header.FindSubmatch(line); m != nil {
			last = strings.TrimPrefix(strings.TrimPrefix(string(m[1]), "command-line-arguments."), "github.com/simdbloom/simdbloom.")
			all[last] = make(map[string]bool)
		} else if m := call.FindSubmatch(bytes.TrimSpace(line)); m != nil && !bytes.HasPrefix(m[1], []byte("runtime.")) {
			callee, isNamed := strings.CutSuffix(string(m[1]), "(SB)")
			if !isNamed {
				callee = "a function"
			}
			callee = callee[strings.LastIndexByte(callee, '/')+1:]
			all[last][strings.TrimPrefix(callee, "simdbloom.")] = true
		}
	}
	return all
}

// Command gen writes the assembly of simdbloom's kernels and their Go stubs.
// `make generate` runs it; with -check it writes nothing, and fails if a file differs from
// what it would write.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/types"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A pkg is a Go package with generated kernels for an architecture.
type pkg struct {
	dir, name, arch string
	declared        bool // signatures name the package's own types
	files           []file
}

// A file is an assembly file: its name, and what emits its functions.
type file struct {
	name string // without the architecture
	emit func(f *kernel.File)
}

var packages = []pkg{
	{"asm", "asm", "amd64", true, []file{
		{"kernel", lookups},
		{"fastlocal", fastLocal},
		{"paired", paired},
		{"paired_adding", pairedAdding},
		{"linear", linear},
		{"linear_solve", linearSolve512},
		{"linear_bumped", linearBumped512},
		{"linear_quads", linearQuads},
		{"legacy", legacy},
		{"leveldb", levelDB},
		{"splitblock", splitBlock},
		{"blobloom", blobloom},
		{"ribbon", ribbon},
		{"ribbon_band", ribbonBand},
		{"ribbon_solve", ribbonSolve},
		{"partition", partition},
		{"hash", hashWords},
		{"hash_strings", hashStrings},
	}},
	{"asm", "asm", "arm64", true, []file{
		{"fastlocal", fastLocalNEON},
		{"paired", pairedNEON},
		{"linear", linearNEON},
		{"legacy", legacyNEON},
		{"splitblock", splitBlockNEON},
		{"blobloom", blobloomNEON},
		{"ribbon", ribbonNEON},
	}},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	flags := flag.NewFlagSet("gen", flag.ExitOnError) // flag.CommandLine has avo's
	root := flags.String("root", "../..", "the root `directory` of simdbloom")
	check := flags.Bool("check", false, "compare with the existing files and write nothing")
	_ = flags.Parse(os.Args[1:])
	if flags.NArg() > 0 {
		log.Fatalf("%q is not a flag", flags.Args())
	}
	for _, p := range packages {
		if err := p.generate(*root, *check); err != nil {
			log.Fatalf("%s: %v", p.dir, err)
		}
	}
}

// generate writes the package's assembly files and one file with the stubs of
// all their functions.
func (p pkg) generate(root string, check bool) error {
	var declared *types.Package
	if p.declared {
		var err error
		if declared, err = declarations(root, p.arch); err != nil {
			return err
		}
	}
	texts := make(map[string][]byte)
	var all []*kernel.File
	for _, s := range p.files {
		f := kernel.NewFile(p.arch+",!purego", declared)
		s.emit(f)
		text, err := f.Assembly(p.name)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		texts[s.name+"_"+p.arch+".s"] = text
		all = append(all, f)
	}
	stubs, err := kernel.Stubs(p.name, all...)
	if err != nil {
		return err
	}
	texts["stubs_"+p.arch+".go"] = stubs

	var errs []error
	for name, text := range texts {
		path := filepath.Join(root, p.dir, name)
		if !check {
			errs = append(errs, os.WriteFile(path, text, 0o644))
			continue
		}
		have, err := os.ReadFile(path)
		if err == nil && !bytes.Equal(have, text) {
			err = fmt.Errorf("%s differs from what the generator writes: run make generate", name)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

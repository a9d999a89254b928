package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/dispatch"
	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/linear"
	"github.com/simdbloom/simdbloom/internal/gen/paired"
	"github.com/simdbloom/simdbloom/internal/gen/ribbon"
	"github.com/simdbloom/simdbloom/internal/gen/sliced"
	"github.com/simdbloom/simdbloom/internal/gen/text"
)

// kernels are the files of package asm for an architecture.
type kernels struct {
	arch  string
	files []file
}

// A file is an assembly file: its name, and the function that emits its contents.
type file struct {
	name string // without the architecture
	emit func(f *kernel.File)
}

var architectures = []kernels{
	{"amd64", []file{
		{"kernel", dispatch.Lookups},
		{"batches", dispatch.Batches},
		{"adder", dispatch.Adder},
		{"fastlocal", blocks.FastLocal},
		{"add_single", blocks.AddSingles},
		{"few", blocks.Few512},
		{"keys", blocks.Keys512},
		{"few_keys", blocks.FewKeys512},
		{"alike_keys", blocks.AlikeKeys512},
		{"paired", paired.Lookups},
		{"paired_add", paired.Add},
		{"linear", linear.Lookups},
		{"linear_few", linear.Few512},
		{"linear_solve", linear.Solve512},
		{"linear_bumped", linear.Bumped512},
		{"linear_quads", linear.Quads},
		{"legacy", blocks.Legacy},
		{"leveldb", blocks.LevelDB},
		{"bits", blocks.PrefetchBits},
		{"splitblock", blocks.SplitBlock},
		{"blobloom", blocks.Blobloom},
		{"ribbon", ribbon.Lookups},
		{"ribbon_band", ribbon.Band},
		{"ribbon_solve", ribbon.Solve},
		{"sliced", sliced.Rows},
		{"sliced_bodies", sliced.Bodies},
		{"ends", text.Ends},
		{"partition", hash.Partition},
		{"hash", hash.Words},
		{"hash_keys", hash.Keys},
	}},
	{"arm64", []file{
		{"fastlocal", blocks.FastLocalNEON},
		{"paired", paired.NEON},
		{"linear", linear.NEON},
		{"legacy", blocks.LegacyNEON},
		{"splitblock", blocks.SplitBlockNEON},
		{"blobloom", blocks.BlobloomNEON},
		{"bits", blocks.PrefetchBitsNEON},
		{"ribbon", ribbon.NEON},
		{"sliced", sliced.NEON},
	}},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	flags := flag.NewFlagSet("gen", flag.ExitOnError) // flag.CommandLine has avo's
	root := flags.String("root", "../..", "the root `directory` of simdbloom")
	only := flags.String("only", "", "write or check one `file` alone, such as ribbon_amd64.s")
	check := flags.Bool("check", false, "compare with the existing files and write nothing")
	_ = flags.Parse(os.Args[1:])
	if flags.NArg() > 0 {
		log.Fatalf("%q is not a flag", flags.Args())
	}
	written := 0
	for _, k := range architectures {
		n, err := k.generate(*root, *only, *check)
		if err != nil {
			log.Fatalf("%s: %v", k.arch, err)
		}
		written += n
	}
	if written == 0 {
		log.Fatalf("-only: no file is called %q", *only)
	}
}

// generate writes the assembly files and one file with the stubs of all their functions, or only one of these. It
// returns their number.
func (k kernels) generate(root, only string, check bool) (written int, err error) {
	declared, err := declarations(root, k.arch)
	if err != nil {
		return 0, err
	}
	stubsName := "stubs_" + k.arch + ".go"
	texts := make(map[string][]byte)
	var all []*kernel.File
	for _, s := range k.files {
		name := s.name + "_" + k.arch + ".s"
		if only != "" && only != name && only != stubsName { // the stubs are those of all files
			continue
		}
		f := kernel.NewFile(k.arch+",!purego", declared)
		s.emit(f)
		text, err := f.Assembly("asm")
		if err != nil {
			return 0, fmt.Errorf("%s: %w", s.name, err)
		}
		texts[name] = text
		all = append(all, f)
	}
	if only == "" || only == stubsName {
		if texts[stubsName], err = kernel.Stubs("asm", all...); err != nil {
			return 0, err
		}
	}

	var errs []error
	for name, text := range texts {
		if only != "" && only != name {
			continue
		}
		written++
		path := filepath.Join(root, "asm", name)
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
	return written, errors.Join(errs...)
}

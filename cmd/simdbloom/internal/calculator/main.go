// Command calculator writes docs/calculator/index.html, a page that compares the formats as "simdbloom size" does. All
// of its numbers are computed here, by the library.
//
//	go run ./internal/calculator -o ../../docs/calculator/index.html
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/sizes"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	splitblocks "github.com/simdbloom/simdbloom/internal/formats/splitblock"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

//go:embed page.html
var page string

// dataMark stands in the page in the place of its numbers.
const dataMark = "/* DATA */null"

func main() {
	if err := run(os.Args[1:], keysShown(), ratesShown()); err != nil {
		log.Fatal(err)
	}
}

// run writes the page with the numbers for some keys and rates.
func run(args []string, keys []int64, rates []float64) error {
	flags := flag.NewFlagSet("calculator", flag.ContinueOnError)
	out := flags.String("o", "", "write the page to this `file`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	made, err := write(compute(keys, rates))
	if err != nil {
		return err
	}
	return os.WriteFile(*out, made, 0o644)
}

// data has the page's numbers.
type data struct {
	Keys    []int64   `json:"keys"`
	Rates   []float64 `json:"rates"`
	Over    []float64 `json:"over"` // keys, as a multiple of those that were planned
	Formats []format  `json:"formats"`
}

// format has the numbers of one.
type format struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Package string  `json:"package"`
	Absent  string  `json:"absent"`
	Present string  `json:"present"`
	Grows   bool    `json:"grows"`
	Readers string  `json:"readers"`
	Blocks  *blocks `json:"blocks,omitempty"` // of formats whose rates the page computes itself

	// Sizes has a cell for each number of keys, and there for each rate: bytes, the rate, keys for one false
	// positive and the builder's setting, with spaces between them, and then the number of filters if it is not 1; or
	// nothing if the format has no such rate.
	Sizes []string `json:"sizes"`

	// Overfilled has, for each rate, the rates with more keys than planned, as powers of ten, in hundredths.
	Overfilled []string `json:"overfilled"`
}

// blocks is the layout of a format whose keys are in one block each.
type blocks struct {
	BlockBytes   uint64   `json:"blockBytes"`
	MostBytes    uint64   `json:"mostBytes"`
	TrailerBytes int      `json:"trailerBytes"`
	Probes       [][2]int `json:"probes"` // numbers of probes, and before each the most thousandths of a bit per key that it is for
}

// layouts are the formats' that have blocks.
var layouts = map[string]*building.Layout{"fastlocal": &fastlocal.Layout, "splitblock": &splitblocks.Layout}

func blocksOf(l *building.Layout) *blocks {
	if l == nil {
		return nil
	}
	b := &blocks{BlockBytes: l.BlockBytes, MostBytes: l.MaxBodyBytes, TrailerBytes: l.TrailerBytes}
	for most := 1000; most <= 1000*building.MostBitsPerKey; most++ {
		if most == 1000*building.MostBitsPerKey || l.NumProbes(most+1) != l.NumProbes(most) {
			b.Probes = append(b.Probes, [2]int{most, l.NumProbes(most)})
		}
	}
	return b
}

// keysShown are 1,000 to 10^12.
func keysShown() (all []int64) {
	for unit := int64(1000); unit < 1e12; unit *= 10 {
		for _, tenths := range []int64{10, 15, 20, 30, 50, 70} {
			all = append(all, unit/10*tenths)
		}
	}
	return append(all, 1e12)
}

// ratesShown are 1 in 10 to 1 in 10^9.
func ratesShown() (all []float64) {
	for exponent := 1; exponent < 9; exponent++ {
		for _, divisor := range []float64{1, 2, 5} {
			all = append(all, 1/(divisor*math.Pow10(exponent)))
		}
	}
	return append(all, 1e-9)
}

var multiples = []float64{1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8}

// shown are the formats for new filters.
func shown() (all []*sizes.Format) {
	for _, f := range sizes.Formats() {
		if !f.Narrow {
			all = append(all, f)
		}
	}
	return all
}

// compute computes the numbers for some keys and rates: all in a minute.
func compute(keys []int64, rates []float64) *data {
	d := &data{Keys: keys, Rates: rates, Over: multiples}
	for _, f := range shown() {
		made := format{Name: f.Name, Title: f.Format.String(), Package: f.Package, Absent: f.Absent, Present: f.Present, Grows: f.Grows, Readers: f.Readers, Blocks: blocksOf(layouts[f.Name])}
		for _, keys := range d.Keys {
			var row []string
			for _, rate := range d.Rates {
				row = append(row, cell(f, keys, rate))
			}
			made.Sizes = append(made.Sizes, strings.Join(row, ","))
		}
		for _, rate := range d.Rates {
			made.Overfilled = append(made.Overfilled, overfilled(f, rate))
		}
		d.Formats = append(d.Formats, made)
	}
	return d
}

// cell has the numbers of a format for some keys at a rate.
func cell(f *sizes.Format, keys int64, fpr float64) string {
	r := f.ForRate(keys, fpr)
	if r == nil {
		return ""
	}
	in := strings.ReplaceAll(strings.TrimPrefix(figures.OneIn(r.FPR), "1 in "), ",", "")
	text := fmt.Sprintf("%d %.3g %s %s", r.Bytes, r.FPR, in, strconv.FormatFloat(r.Setting, 'f', -1, 64))
	if r.Filters > 1 {
		text += " " + strconv.FormatInt(r.Filters, 10)
	}
	return text
}

// planned is the number of keys that overfilled filters are planned for. The rates hardly depend on it.
const planned = 1_000_000

// overfilled has the rates with multiples of the planned keys: of filters that accept keys, as they are filled further,
// and of the others, when they are built in the same memory.
func overfilled(f *sizes.Format, fpr float64) string {
	r := f.ForRate(planned, fpr)
	if r == nil {
		return ""
	}
	rate := rateOf(f, r)
	var texts []string
	for _, multiple := range multiples {
		x := math.Log10(rate(int(multiple * planned)))
		texts = append(texts, strconv.FormatFloat(math.Round(100*x), 'f', -1, 64))
	}
	return strings.Join(texts, " ")
}

// rateOf returns the function for an overfilled filter's rate.
func rateOf(f *sizes.Format, r *sizes.Row) func(n int) float64 {
	predicted := map[string]func(n int, bitsPerKey float64, options ...simdbloom.Option) float64{
		"linear": linear.PredictedFPR, "ribbon": ribbon.PredictedFPR, "paired": paired.PredictedFPR,
	}
	if f := predicted[f.Name]; f != nil {
		return func(n int) float64 { return f(n, r.Setting, simdbloom.WithMaxBytes(int(r.Bytes))) }
	}
	grow := bloom.NewMutable
	if f.Package == "splitblock" {
		grow = splitblock.NewMutable
	}
	m, err := grow(planned, r.Setting, keyhash.XX64)
	if err == nil {
		return m.PredictedFPR
	}
	panic(err)
}

// write returns the page with the numbers.
func write(d *data) ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	if strings.Count(page, dataMark) != 1 {
		return nil, fmt.Errorf("page.html must have %q once", dataMark)
	}
	text = bytes.ReplaceAll(text, []byte(`],"`), []byte("],\n\"")) // no line of a megabyte
	return []byte(strings.Replace(page, dataMark, string(text), 1)), nil
}

package main

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/FastFilter/xorfilter"
	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/bench/internal/markdown"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// overhead is a filter of drawnKeys keys: what was planned, and what was built.
type overhead struct {
	Format       string  `json:"format"`
	BitsPerKey   float64 `json:"bits_per_key"`
	PlannedBytes int     `json:"planned_bytes,omitempty"`
	PlannedFPR   float64 `json:"planned_fpr,omitempty"`
	Bytes        int     `json:"bytes"`
	FPR          float64 `json:"fpr"`
}

// The bounds of what linear filters take over the least possible.
const mostMeanOverhead, mostOverhead = 1.07, 1.11

const binaryFuse = "binary fuse"

// measureOverheads builds linear filters, and binary fuse filters of both sizes.
func (r *results) measureOverheads(most int) error {
	if drawnKeys > most {
		return nil
	}
	keys := vectors.Hashes(1, drawnKeys)
	for bitsPerKey := 7.5; bitsPerKey <= 32; bitsPerKey += 0.25 {
		b, err := linearFilter.builder(bitsPerKey)
		if err != nil {
			return err
		}
		b.AddHashes(keys)
		one := &overhead{
			Format: linearFilter.name, BitsPerKey: bitsPerKey,
			PlannedBytes: b.SizeBytes(), PlannedFPR: digits(linearFilter.predicted(drawnKeys, bitsPerKey), 5),
		}
		f, err := b.Filter()
		if err != nil {
			return err
		}
		one.Bytes, one.FPR = f.SizeBytes(), digits(f.EstimatedFPR(), 5)
		r.Overheads = append(r.Overheads, one)
	}
	return errors.Join(addFuse[uint8](r, keys), addFuse[uint16](r, keys))
}

// addFuse builds a filter whose fingerprints are of type T, which give the rate.
func addFuse[T xorfilter.Unsigned](r *results, keys []uint64) error {
	f, err := xorfilter.NewBinaryFuse[T](keys)
	if err != nil {
		return err
	}
	var fingerprint T
	size := int(unsafe.Sizeof(fingerprint))
	bytes := len(f.Fingerprints) * size
	r.Overheads = append(r.Overheads, &overhead{
		Format: binaryFuse, BitsPerKey: 8 * float64(bytes) / drawnKeys, Bytes: bytes, FPR: math.Ldexp(1, -8*size),
	})
	return nil
}

// over returns how many times the least possible memory a filter of drawnKeys keys takes, and its bits per key.
func over(bytes int, fpr float64) (times, stored float64) {
	stored = 8 * float64(bytes) / drawnKeys
	return stored / -math.Log2(fpr), stored
}

// linearOverheads returns the mean and the largest of linear filters, as planned and as built.
func (r *results) linearOverheads() (mean, worst, builtMean, builtWorst float64) {
	filters := 0
	for _, o := range r.Overheads {
		if o.Format == linearFilter.name {
			planned, _ := over(o.PlannedBytes, o.PlannedFPR)
			built, _ := over(o.Bytes, o.FPR)
			mean, worst, builtMean, builtWorst = mean+planned, max(worst, planned), builtMean+built, max(builtWorst, built)
			filters++
		}
	}
	settings := float64(max(filters, 1)) // a small run has none
	return mean / settings, worst, builtMean / settings, builtWorst
}

func (r *results) checkOverheads() error {
	mean, worst, builtMean, builtWorst := r.linearOverheads()
	if max(mean, builtMean) > mostMeanOverhead || max(worst, builtWorst) > mostOverhead {
		return fmt.Errorf("linear filters take %.4f times the least memory on average, %.4f at worst; built ones %.4f, %.4f", mean, worst, builtMean, builtWorst)
	}
	return nil
}

// OverheadSettings is how many linear filters were built.
func (r *results) OverheadSettings() (n int) {
	for _, o := range r.Overheads {
		if o.Format == linearFilter.name {
			n++
		}
	}
	return n
}

// OverheadMean is that of linear filters as they were built.
func (r *results) OverheadMean() string {
	_, _, mean, _ := r.linearOverheads()
	return fmt.Sprintf("%.3f", mean)
}

// OverheadWorst is the largest.
func (r *results) OverheadWorst() string {
	_, _, _, worst := r.linearOverheads()
	return fmt.Sprintf("%.3f", worst)
}

// overheadPlot draws the memory of filters, in multiples of the least possible for their rate.
func (r *results) overheadPlot() ([]byte, error) {
	const fewest, most = 7, 33 // bits per key
	const highest = 1.8
	c := chart.New(markdown.Thousands(drawnKeys)+" keys: memory over the least possible", "bits per key, as stored", "")
	series := map[string]*chart.Series{}
	names := []string{fastLocal.name, pairedFilter.name, linearFilter.name, ribbonFilter.name, binaryFuse}
	for _, name := range names {
		series[name] = &chart.Series{Name: name}
	}
	line := func(name string, bytes int, fpr float64) {
		y, x := over(bytes, fpr)
		if s := series[name]; s != nil && x >= fewest && x <= most && y <= highest {
			s.Line = append(s.Line, plotter.XY{X: x, Y: y})
		}
	}
	for _, p := range r.Predictions {
		if p.Keys == drawnKeys && p.Format != linearFilter.name {
			line(p.Format, p.Bytes, p.FPR)
		}
	}
	for _, o := range r.Overheads {
		if o.PlannedBytes > 0 {
			line(o.Format, o.PlannedBytes, o.PlannedFPR)
		} else {
			line(o.Format, o.Bytes, o.FPR)
		}
		if y, x := over(o.Bytes, o.FPR); o.Format == binaryFuse || o.BitsPerKey == math.Floor(o.BitsPerKey) {
			series[o.Format].Points = append(series[o.Format].Points, plotter.XY{X: x, Y: y})
		}
	}
	for _, name := range names {
		if err := c.Series(*series[name]); err != nil {
			return nil, err
		}
	}
	c.Y.Min, c.Y.Max = 1, highest
	c.Y.Tick.Marker = chart.Ticks(func(y float64) string { return fmt.Sprintf("%.1f", y) }, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8)
	c.X.Tick.Marker = chart.Ticks(markdown.Thousands[float64], 8, 12, 16, 20, 24, 28, 32)
	return c.SVG()
}

package main

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/FastFilter/xorfilter"
	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// overhead is a filter of drawnKeys keys: as planned, and as built.
type overhead struct {
	Format       string  `json:"format"`
	BitsPerKey   float64 `json:"bits_per_key"`
	PlannedBytes int     `json:"planned_bytes,omitempty"`
	PlannedFPR   float64 `json:"planned_fpr,omitempty"`
	Bytes        int     `json:"bytes"`
	FPR          float64 `json:"fpr"`
}

// The bounds of linear filters' memory over the least possible.
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

// stored is where a filter of drawnKeys keys is in the plot: at how many bits per key it takes how many times the
// least possible memory for its rate.
func stored(bytes int, fpr float64) plotter.XY {
	bitsPerKey := 8 * float64(bytes) / drawnKeys
	return plotter.XY{X: bitsPerKey, Y: bitsPerKey / -math.Log2(fpr)}
}

func (o *overhead) built() plotter.XY { return stored(o.Bytes, o.FPR) }

// planned is built where nothing is planned.
func (o *overhead) planned() plotter.XY {
	if o.PlannedBytes == 0 {
		return o.built()
	}
	return stored(o.PlannedBytes, o.PlannedFPR)
}

// multiples say how many times the least possible memory some filters take.
type multiples struct {
	Filters     int
	Mean, Worst float64
}

// linear returns the multiples of linear filters.
func (r *results) linear(of func(*overhead) plotter.XY) (m multiples) {
	for _, o := range r.Overheads {
		if o.Format == linearFilter.name {
			times := of(o).Y
			m.Filters++
			m.Mean += (times - m.Mean) / float64(m.Filters)
			m.Worst = max(m.Worst, times)
		}
	}
	return m
}

// LinearBuilt are the multiples of linear filters as they were built.
func (r *results) LinearBuilt() multiples { return r.linear((*overhead).built) }

func (r *results) checkOverheads() error {
	for _, m := range []multiples{r.linear((*overhead).planned), r.LinearBuilt()} {
		if m.Mean > mostMeanOverhead || m.Worst > mostOverhead {
			return fmt.Errorf("linear filters take %.4f times the least memory on average, %.4f at worst", m.Mean, m.Worst)
		}
	}
	return nil
}

// overheadPlot draws the memory of filters, in multiples of the least possible for their rate.
func (r *results) overheadPlot() ([]byte, error) {
	const fewest, most = 7, 33 // bits per key
	const highest = 1.8
	c := chart.New(markdown.Thousands(drawnKeys)+" keys: memory over the least possible", "bits per key, as stored", "")
	for _, name := range []string{fastLocal.name, pairedFilter.name, linearFilter.name, ribbonFilter.name, binaryFuse} {
		s := chart.Series{Name: name}
		line := func(at plotter.XY) {
			if at.X >= fewest && at.X <= most && at.Y <= highest {
				s.Line = append(s.Line, at)
			}
		}
		for _, p := range r.Predictions {
			if p.Format == name && p.Keys == drawnKeys && name != linearFilter.name {
				line(stored(p.Bytes, p.FPR))
			}
		}
		for _, o := range r.Overheads {
			if o.Format != name {
				continue
			}
			line(o.planned())
			if name == binaryFuse || o.BitsPerKey == math.Floor(o.BitsPerKey) {
				s.Points = append(s.Points, o.built())
			}
		}
		c.Series(s)
	}
	c.Y.Min, c.Y.Max = 1, highest
	c.Y.Tick.Marker = chart.Ticks(func(y float64) string { return fmt.Sprintf("%.1f", y) }, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8)
	c.X.Tick.Marker = chart.Ticks(markdown.Thousands[float64], 8, 12, 16, 20, 24, 28, 32)
	return c.SVG()
}

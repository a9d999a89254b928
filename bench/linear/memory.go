package main

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	plans "github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// linearOver is a linear filter's memory as a multiple of the least for its rate: as some small filters came out,
// and as larger ones are planned.
func linearOver(keys int, bitsPerKey float64) (float64, error) {
	const small, filters = 10_000, 10
	if keys > small {
		n := uint64(keys)
		lines := plans.LinesWithin(n, plans.Asked(n, uint64(1000*bitsPerKey)), plans.MaxLines, plans.UsualLoad)
		return float64(lines*plans.LineBits) / float64(keys) / -math.Log2(linear.PredictedFPR(keys, bitsPerKey)), nil
	}
	b, err := linear.NewBuilder(bitsPerKey, keyhash.XX64)
	if err != nil {
		return 0, err
	}
	bytes, rates := 0, 0.0
	for seed := range filters {
		b.AddHashes(vectors.Hashes(uint64(seed), keys))
		f, err := b.Filter()
		if err != nil {
			return 0, err
		}
		bytes += f.SizeBytes()
		rates += f.EstimatedFPR()
	}
	return 8 * float64(bytes) / float64(filters*keys) / -math.Log2(rates/filters), nil
}

// fuseOver is how many fingerprints a binary fuse filter has for each key, which is linearOver of it: as its library
// computes it, since filters of 10^9 keys take too much memory to be built here.
func fuseOver(keys int) float64 {
	segment, segments := fuseSegments(keys)
	return (segments + 2) * segment / float64(keys)
}

// fuseSegments returns the length of a binary fuse filter's segments, and how many there are besides the last two.
func fuseSegments(keys int) (length, number float64) {
	n := float64(keys)
	length = math.Exp2(min(math.Floor(math.Log(n)/math.Log(3.33)+2.25), 18))
	capacity := math.Round(n * max(1.125, 0.875+0.25*math.Log(1e6)/math.Log(n)))
	return length, max(1, math.Ceil(capacity/length)-2)
}

// linearMemory draws the memory of filters of any size, beside binary fuse filters, whose fingerprints of 8 and of 16
// bits have one curve.
func linearMemory() ([]byte, error) {
	const least, most = 2, 9 // powers of ten
	const inTen = 12
	c := chart.New("Memory over the least possible for the same rate", "keys in the filter", "")
	fuse := chart.Series{Name: "binary fuse"}
	linears := make([]chart.Series, len(byKeys))
	for i := least * inTen; i <= most*inTen; i++ {
		keys := math.Round(math.Pow(10, float64(i)/inTen))
		fuse.Line = append(fuse.Line, plotter.XY{X: keys, Y: fuseOver(int(keys))})
		for i, bitsPerKey := range byKeys {
			over, err := linearOver(int(keys), bitsPerKey)
			if err != nil {
				return nil, err
			}
			linears[i].Name, linears[i].Line = fmt.Sprintf("Linear, %v bits/key", bitsPerKey), append(linears[i].Line, plotter.XY{X: keys, Y: over})
		}
	}
	for _, series := range append(linears, fuse) {
		c.Series(series)
	}
	c.LogX(markdown.Thousands[float64], 100, 10_000, 1_000_000, 100_000_000)
	c.Y.Min, c.Y.Max = 1, math.Ceil(10*c.Y.Max)/10
	var multiples []float64
	for tenths := 10.0; tenths <= 10*c.Y.Max; tenths += 2 {
		multiples = append(multiples, tenths/10)
	}
	c.Y.Tick.Marker = chart.Ticks(func(y float64) string { return fmt.Sprintf("%.1f", y) }, multiples...)
	return c.SVG()
}

package filterset

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"

	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// PredictedFPR returns the expected false-positive rate of a set, which is about the sum of its layers' rates. It is
// NaN if the bits per key in the manifest are not possible. It costs some microseconds a part.
func (i Info) PredictedFPR() float64 {
	none := 1.0 // the rate at which no layer has a false positive
	for at := range i.Layers {
		l := &i.Layers[at]
		p, err := i.policyOf(l)
		if err != nil {
			return math.NaN()
		}
		sum := 0.0
		for _, part := range l.Parts {
			sum += p.PredictedFPR(int(min(part.Keys, math.MaxInt)))
		}
		none *= 1 - sum/float64(len(l.Parts))
	}
	return 1 - none
}

// EstimatedFPR returns the false-positive rate, computed from the parts' bytes, which it reads: see
// [Filter.EstimatedFPR]. A part that cannot be read counts as 1.
func (s *Set) EstimatedFPR() float64 {
	o := s.state()
	none := 1.0
	for i := range o.layers {
		parts := o.layers[i].parts
		rates := make([]float64, len(parts))
		parallel.Each(runtime.GOMAXPROCS(0), len(parts), func(_, part int) {
			rates[part] = 1
			if made := o.part(&parts[part]); made != nil {
				rates[part] = made.EstimatedFPR()
			}
		})
		sum := 0.0
		for _, rate := range rates {
			sum += rate
		}
		none *= 1 - sum/float64(len(parts))
	}
	return 1 - none
}

// Verify reads all parts and compares all checksums that were not compared yet, by all processors. Its error joins
// the errors of all parts that are wrong, which wrap [simdbloom.ErrCorrupt], or is ctx's. If progress is not nil, it
// is called after each part with the number of bytes that were verified, and of all; not by two
// goroutines at once.
func (s *Set) Verify(ctx context.Context, progress func(done, total int64)) error {
	o := s.opened.Load()
	if o == nil {
		return errClosed
	}
	var mu sync.Mutex
	done, total := int64(0), o.SizeBytes()
	var wrong []error
	for i := range o.layers {
		parts := o.layers[i].parts
		parallel.Each(runtime.GOMAXPROCS(0), len(parts), func(_, part int) {
			if ctx.Err() != nil {
				return
			}
			p := &parts[part]
			err := o.verify(p)
			mu.Lock()
			defer mu.Unlock()
			if done += p.said.Bytes; progress != nil {
				progress(done, total)
			}
			if err != nil {
				wrong = append(wrong, err)
			}
		})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(wrong...)
}

func (o *opened) verify(p *part) error {
	made := o.part(p)
	if made == nil {
		return *p.failed.Load()
	}
	file, err := checked.FileOf(made)
	if err == nil {
		err = wrap(file.Check())
	}
	return checked.About(p.path, err)
}

package filterset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// mostKeysOfPart is more than a filter of any format holds, and fits an int.
const mostKeysOfPart = math.MaxInt32

var errTooLarge = building.ErrTooLarge

// Finish builds the parts, and replaces the set that was there, or adds the layer to it. Killed at
// any time, or after an error, the old set or the new one is there, whole: all files are stored by
// the system before a new manifest replaces the old one. Then the old set's files are removed;
// programs that have it open keep it. The builder is closed afterwards, in any case.
//
// If ctx is done before the new set is there, it returns its error. Building uses all processors, and
// fewer if their parts would not fit in the memory together.
func (b *Builder) Finish(ctx context.Context) error {
	if b.spill == nil {
		return errors.New("filterset: the Builder is finished or closed")
	}
	defer b.Close()
	b.flush()
	if err := b.spill.end(); err != nil {
		return err
	}
	b.report.now(addingKeys, b.keys, b.keys, true)
	parts, err := b.build(ctx)
	if err != nil {
		return err
	}
	if err := b.spill.remove(); err != nil {
		return wrap(err)
	}
	if err := store(b.layer); err != nil {
		return wrap(err)
	}
	made := Info{Format: b.policy.Name(), Hash: b.policy.Hash().Name()}
	made.Layers = []Layer{{ID: b.id, BitsPerKey: b.policy.BitsPerKey(), Parts: parts, Input: b.options.input}}
	b.committed = true
	return wrap(commit(&b.folder, made, b.options.layer))
}

// build builds all parts, and returns their facts for the manifest.
func (b *Builder) build(ctx context.Context) ([]Part, error) {
	lists := len(b.spill.lists)
	n := b.options.parts
	if n == 0 {
		n = min(partsFor(b.keys, b.memory), lists)
	}
	parts := make([]Part, n)
	of := func(part int) (from, to int) { return part * lists / n, (part + 1) * lists / n }
	sizes, largest := make([]int64, n), int64(0)
	for part := range parts {
		from, to := of(part)
		for list := from; list < to; list++ {
			sizes[part] += b.spill.len(list)
		}
		largest = max(largest, sizes[part])
	}
	if largest > mostKeysOfPart {
		return nil, fmt.Errorf("filterset: %d keys in a part: %w: expect more keys, or take more parts", largest, errTooLarge)
	}
	workers := min(b.workers(largest), n)
	builders := make([]*partWriter, workers)
	var failed atomic.Pointer[error]
	var done atomic.Int64
	parallel.Each(workers, n, func(worker, part int) {
		err := ctx.Err()
		if err == nil && failed.Load() == nil {
			if builders[worker] == nil {
				builders[worker] = b.newPartWriter(max(b.options.goroutines/workers, 1))
			}
			from, to := of(part)
			parts[part], err = builders[worker].write(part, from, to, int(sizes[part]))
			b.report.now(buildingParts, done.Add(sizes[part]), b.keys, false)
		}
		if err != nil {
			failed.CompareAndSwap(nil, &err)
		}
	})
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	b.report.now(buildingParts, b.keys, b.keys, true)
	return parts, nil
}

// workers returns how many parts are built at once.
func (b *Builder) workers(keys int64) int {
	ofKey := 16 + b.policy.BitsPerKey()/8 // bytes: of hashes, of what the builder needs, and of the filter; measured
	if b.policy.Format() == simdbloom.Ribbon {
		ofKey += 104
	}
	if b.options.distinct {
		ofKey += 16
	}
	const once = 6 << 20 // whatever the number of keys
	fit := float64(b.memory) * 3 / 4 / (ofKey*float64(keys) + once)
	return int(min(max(fit, 1), float64(b.options.goroutines)))
}

// partWriter builds and writes parts, one after the other.
type partWriter struct {
	*Builder
	builder *partBuilder
	block   []uint64
}

func (b *Builder) newPartWriter(goroutines int) *partWriter {
	return &partWriter{b, newPartBuilder(b.policy, b.options.pieceBytes, b.options.distinct, goroutines), make([]uint64, b.spill.room)}
}

// write builds a part of the hashes in some lists.
func (w *partWriter) write(part, from, to, keys int) (Part, error) {
	w.builder.begin(keys)
	for list := from; list < to; list++ {
		if err := w.spill.each(list, w.block, w.builder.add); err != nil {
			return Part{}, err
		}
	}
	made, err := w.builder.finish()
	if err != nil {
		return Part{}, err
	}
	err = writeSynced(filepath.Join(w.layer, PartFile(part)), func(file io.Writer) error {
		_, err := made.WriteTo(file)
		return err
	})
	return partOfFile(&made), wrap(err)
}

// writeSynced writes a new file, and has the system store it.
func writeSynced(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

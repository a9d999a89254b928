package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
)

// builder is where hashes go.
type builder interface {
	add(hashes []uint64, part float64) error // part of the input, or 0 if it is unknown
	finish(ctx context.Context) error
	close()
}

// kept are hashes in memory.
type kept struct {
	chunks [][]uint64
	n      int64
}

func (k *kept) add(hashes []uint64) {
	k.chunks = append(k.chunks, append([]uint64(nil), hashes...))
	k.n += int64(len(hashes))
}

// dropRepeated keeps each hash once.
func (k *kept) dropRepeated() {
	all := slices.Concat(k.chunks...)
	slices.Sort(all)
	all = slices.Compact(all)
	k.chunks, k.n = [][]uint64{all}, int64(len(all))
}

// each calls do with all hashes, and forgets them.
func (k *kept) each(do func(hashes []uint64)) {
	for i, hashes := range k.chunks {
		do(hashes)
		k.chunks[i] = nil
	}
	*k = kept{}
}

// setBuilder builds a set. It keeps hashes until their exact number no longer matters.
type setBuilder struct {
	command *buildCommand
	kept
	b *filterset.Builder
}

// start makes the builder for the expected number of keys, or 0 if it is unknown, and adds what was kept.
func (b *setBuilder) start(expected int64) error {
	c := b.command
	p, err := c.choose(expected)
	if err != nil {
		return err
	}
	options := []filterset.Option{filterset.WithProgress(func(at filterset.Progress) {
		if at.Phase == "building parts" {
			c.progress.at(at.Done, float64(at.Done)/float64(max(at.Total, 1)))
		}
	})}
	if c.distinct {
		options = append(options, filterset.WithDistinct())
	}
	options = append(options, filterset.WithInput(c.made()))
	if c.add {
		options = append(options, filterset.WithLayer())
	}
	if b.b, err = filterset.NewBuilder(c.out, p, expected, int64(c.memory), options...); err == nil {
		b.kept.each(b.b.AddHashes)
	}
	return err
}

func (b *setBuilder) add(hashes []uint64, part float64) error {
	if b.b != nil {
		b.b.AddHashes(hashes)
		return b.b.Err()
	}
	if b.kept.add(hashes); b.n <= min(partKeys, int64(b.command.memory)/16) {
		return nil
	}
	expected := int64(b.command.expected)
	if expected == 0 && part > 0 {
		expected = int64(float64(b.n) / part)
	}
	return b.start(expected)
}

func (b *setBuilder) finish(ctx context.Context) error {
	if b.b == nil {
		if b.command.distinct {
			b.dropRepeated()
		}
		b.command.knew = true
		if err := b.start(max(b.n, 1)); err != nil {
			return err
		}
	}
	b.command.progress.begin("building", "keys")
	return b.b.Finish(ctx)
}

func (b *setBuilder) close() {
	if b.b != nil {
		b.b.Close()
	}
}

// fileBuilder builds one filter.
type fileBuilder struct {
	command *buildCommand
	kept
}

func (b *fileBuilder) add(hashes []uint64, _ float64) error {
	const bytesOfKey = 24 // in the list, in the builder, and in its filter
	if b.kept.add(hashes); b.n*bytesOfKey > int64(b.command.memory) {
		return fmt.Errorf("more than %s keys do not fit in -memory=%s: leave out -file, or allow more",
			figures.Thousands(int64(b.command.memory)/bytesOfKey), b.command.memory.String())
	}
	return nil
}

func (b *fileBuilder) finish(ctx context.Context) error {
	type built struct {
		write func() error
		err   error
	}
	done := make(chan built, 1)
	go func() { // building cannot be interrupted, but need not be waited for
		write, err := b.build()
		done <- built{write, err}
	}()
	b.command.progress.begin("building", "keys")
	select {
	case <-ctx.Done():
		return ctx.Err()
	case result := <-done:
		if result.err != nil {
			return result.err
		}
		if err := b.command.checkOutput(); err != nil { // it may be there since
			return err
		}
		return result.write()
	}
}

func (b *fileBuilder) build() (write func() error, err error) {
	if b.command.distinct {
		b.dropRepeated()
	}
	n := b.n
	p, err := b.command.choose(max(n, 1))
	if err != nil {
		return nil, err
	}
	builder := p.NewBuilder(simdbloom.WithConcurrency(runtime.GOMAXPROCS(0)))
	b.kept.each(builder.AddHashes)
	f, err := builder.Filter()
	return func() error {
		return filterfile.WriteFile(b.command.out, f, filterfile.WithKeys(int(n)), filterfile.WithBitsPerKey(p.BitsPerKey()))
	}, err
}

func (b *fileBuilder) close() {}

package fuzz

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// FuzzBlobloomKernels does what FuzzFastLocalKernels does for blobloom's filters, with up to 48 probes.
func FuzzBlobloomKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")})
	all, p := levels(), newPlaces(f)
	f.Fuzz(func(t *testing.T, level, variant, blocks, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		probes := 1 + int(variant)%48
		body, hashes := p.put((1+int(blocks))*asm.BlockBytes, place, piece, queried, more)
		p.check(t, kernels{
			func(body []byte, hash uint64) bool {
				prepared := asm.NewBlobloom(body, probes)
				return prepared.Contains(hash)
			},
			func(body []byte, hash uint64) bool { return fallback.BlobloomContains(body, probes, hash) },
			func(body []byte) asm.Kernel { return asm.NewBlobloom(body, probes) },
			func(body []byte, hashes []uint64) { asm.BlobloomAdd(body, probes, hashes) },
			func(body []byte, hashes []uint64) { fallback.BlobloomAdd(body, probes, hashes) },
		}, body, hashes, place)
	})
}

// FuzzBuildBlobloom does what FuzzBuildFastLocal does.
func FuzzBuildBlobloom(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		b, err := blobloom.NewBuilder(bpk, keyhash.XX64, simdbloom.WithConcurrency(goroutines(options)), simdbloom.WithVerification())
		if !accepted(t, bpk, err) {
			return
		}
		hashes := feed(b, vectors.Hashes(seed, int(n)), recipe)
		if len(hashes) == 0 {
			checkBuild(t, b, hashes, nil)
			return
		}
		blocks := int((int64(len(hashes))*int64(millibits(bpk)) + 511_999) / 512_000)
		k := 1
		for _, step := range vectors.NumProbes("rocksdb_fastlocal") {
			if step[0] <= millibits(bpk) {
				k = step[1] + 1
			}
		}
		checkBuild(t, b, hashes, append(contract.BlobloomHeader(uint64(blocks), uint32(k)), naive.Blobloom(blocks, k, hashes)...))
	})
}

// FuzzOpenBlobloom has any blocks, k and header: bare blocks have a dump's answers.
func FuzzOpenBlobloom(f *testing.F) {
	for _, k := range []uint32{0, 1, 2, 8, 31, 32, 1025, 1 << 31, 1<<32 - 1} {
		f.Add(k, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), byte(2), queries)
	}
	f.Fuzz(func(t *testing.T, k uint32, piece []byte, blocks byte, queried []byte) {
		body := make([]byte, int(blocks)*asm.BlockBytes+len(piece)%2)
		for i := range body {
			if len(piece) > 0 {
				body[i] = piece[i%len(piece)]
			}
		}
		dump, err := blobloom.Open(append(contract.BlobloomHeader(uint64(blocks), k), body...), keyhash.XX64)
		bare, bareErr := blobloom.OpenBlocks(body, int(min(k, 1<<31-1)), keyhash.XX64)
		if fits := len(body) > 0 && len(body)%asm.BlockBytes == 0; (bareErr == nil) != fits || (err == nil) != (fits && k > 0) {
			t.Fatalf("%d bytes, k=%d: %v, %v", len(body), k, bareErr, err)
		}
		if bareErr != nil {
			return
		}
		want := func(hash uint64) bool { return naive.BlobloomContains(body, int(min(max(k, 2), 1025)), hash) }
		hashes := hashesIn(queried)
		checkQueries(t, bare, hashes, want)
		checkQueries(t, bare.CopyAligned(), hashes, want)
		if err == nil {
			checkQueries(t, dump, hashes, want)
		}
		data := bare.Bytes()
		again, err := blobloom.Open(data, keyhash.XX64)
		if err != nil || len(data) != bare.SizeBytes() || !slices.Equal(data[64:], body) {
			t.Fatalf("its bytes: %v", err)
		}
		checkQueries(t, again, hashes, want)
	})
}

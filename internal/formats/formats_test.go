package formats

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/legacy"
	"github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/formats/paired"
	"github.com/simdbloom/simdbloom/internal/formats/ribbon"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// byHand has, for every format, what its filters contain without kernels, and the bytes around a body.
var byHand = [...]struct {
	contains func(c contents.Contents, data []byte, hash uint64) bool
	trailer  func(c contents.Contents) []byte // or nil
	header   func(c contents.Contents) []byte // or nil
}{
	asm.FastLocal: {
		contains: func(c contents.Contents, _ []byte, hash uint64) bool {
			return naive.FastLocalContains(c.Body, c.Probes, hash)
		},
		trailer: func(c contents.Contents) []byte {
			return written(rocksdb.TrailerBytes, func(to []byte) { fastlocal.PutTrailer(to, c.Probes) })
		},
	},
	asm.Paired: {
		contains: func(c contents.Contents, _ []byte, hash uint64) bool {
			return naive.PairedContains(c.Body, c.BatchBlocks, c.Probes, hash)
		},
		trailer: func(c contents.Contents) []byte {
			return written(paired.TrailerBytes, func(to []byte) { paired.PutTrailer(to, c.BatchBlocks, c.Probes) })
		},
	},
	asm.Linear: {
		contains: func(_ contents.Contents, data []byte, hash uint64) bool { return naive.ReadLinear(data).Contains(hash) },
		trailer:  func(c contents.Contents) []byte { return bytes.Clone(c.Trailer) },
	},
	asm.Ribbon: {
		contains: func(_ contents.Contents, data []byte, hash uint64) bool { return naive.RibbonContains(data, hash) },
		trailer: func(c contents.Contents) []byte {
			return written(rocksdb.TrailerBytes, func(to []byte) { ribbon.PutTrailer(to, c.Blocks, c.Seed) })
		},
	},
	asm.Legacy: {
		contains: func(_ contents.Contents, data []byte, hash uint64) bool { return naive.LegacyReads(data, uint32(hash)) },
		trailer: func(c contents.Contents) []byte {
			return written(rocksdb.TrailerBytes, func(to []byte) { legacy.PutTrailer(to, c.Lines, c.Probes) })
		},
	},
	asm.LevelDB: {
		contains: func(_ contents.Contents, data []byte, hash uint64) bool {
			return naive.LevelDBContains(data, uint32(hash))
		},
		trailer: func(c contents.Contents) []byte { return []byte{byte(c.Probes)} },
	},
	asm.SplitBlock: {
		contains: func(c contents.Contents, _ []byte, hash uint64) bool { return naive.SplitBlockContains(c.Body, hash) },
	},
	asm.Blobloom: {
		contains: func(c contents.Contents, _ []byte, hash uint64) bool {
			return naive.BlobloomContains(c.Body, c.Probes+1, hash)
		},
		header: func(c contents.Contents) []byte {
			return written(blobloom.HeaderBytes, func(to []byte) { blobloom.PutHeader(to, uint64(len(c.Body)/64), c.Probes) })
		},
	},
}

func written(n int, write func(to []byte)) []byte {
	to := make([]byte, n)
	write(to)
	return to
}

// TestEveryTableHasEveryFormat ranges over the tables of this package. TestEveryListHasEveryFormat of the root has the
// others.
func TestEveryTableHasEveryFormat(t *testing.T) {
	for format := asm.Empty + 1; int(format) < len(rows); format++ {
		for table, has := range map[string]bool{
			"rows":      rows[format].Name != "" && rows[format].Package != "" && len(rows[format].Recorded) > 0,
			"readers":   ReaderOf(format) != nil,
			"estimates": int(format) < len(estimates) && (estimates[format].blocks == nil) != (estimates[format].whole == nil),
			"byHand":    int(format) < len(byHand) && byHand[format].contains != nil,
		} {
			if !has {
				t.Errorf("the table %s has no line for the format %d, %s", table, format, NameOf(format))
			}
		}
		if !slices.Contains(All(), format) {
			t.Errorf("All has not the format %d", format)
		}
	}
	for table, n := range map[string]int{"readers": len(readers), "estimates": len(estimates), "adders": len(adders), "byHand": len(byHand)} {
		if n > len(rows) {
			t.Errorf("the table %s has formats that rows has not", table)
		}
	}
}

// contains looks up a hash in what a reader found, without kernels.
func contains(c contents.Contents, data []byte, hash uint64) bool {
	if c.Body == nil {
		return c.Format != asm.Empty
	}
	return byHand[c.Format].contains(c, data, hash)
}

// linearTrailer writes the trailer of a filter with layers.
func linearTrailer(layers fallback.LinearLayers) []byte {
	var multipliers [][2]uint32
	cut := uint64(0)
	for layer := range layers.Number() {
		var of [2]uint32
		for section := range of {
			s, _, share := layers.Section(layer, section)
			of[section] = s.Multiplier
			if section == 0 {
				cut = max(cut, share)
			}
		}
		multipliers = append(multipliers, of)
	}
	return linear.AppendTrailer(nil, multipliers, int(cut), layers.Bits(1))
}

// layered returns the contents of a filter whose layers have sections with the given multipliers.
func layered(cut, bits int, multipliers ...[2]uint32) contents.Contents {
	layers, ok := fallback.NewLinearLayers(multipliers, cut, bits)
	if !ok {
		panic("the format has no such layers")
	}
	return contents.Contents{Format: asm.Linear, Body: make([]byte, layers.NumLines()*65), Trailer: linearTrailer(layers)}
}

// trailerOf writes the trailer of a filter, and headerOf its header.
func trailerOf(c contents.Contents) []byte {
	if trailer := byHand[c.Format].trailer; trailer != nil {
		return trailer(c)
	}
	return nil
}

func headerOf(c contents.Contents) []byte {
	if header := byHand[c.Format].header; header != nil {
		return header(c)
	}
	return nil
}

// checkRead reads bytes, and compares what was found with itself. It returns false if they have a
// flaw.
func checkRead(t *testing.T, format asm.Format, data []byte, hashes []uint64) (hits []bool, ok bool) {
	t.Helper()
	read := ReaderOf(format)
	c, err := read.Read(data)
	if _, flaw := read(data); (flaw != "") != (err != nil) ||
		err != nil && (!errors.Is(err, contents.ErrCorrupt) || err.Error() != fmt.Sprintf("corrupt filter: %d bytes: %s", len(data), flaw)) {
		t.Fatalf("format %d, %x: flaw %q, but %v", format, data, flaw, err)
	}
	kernel, hits := c.Kernel(), make([]bool, len(hashes))
	kernel.ContainsBools(hashes, hits)
	for i, hash := range hashes {
		want := err != nil || contains(c, data, hash)
		if got := read.MayContain(data, hash); got != want || err == nil && (hits[i] != want || kernel.Contains(hash) != want) {
			t.Fatalf("format %d, %x, hash %#x: %v, want %v", format, data, hash, got, want)
		}
	}
	if c.Body == nil {
		return hits, err == nil
	}
	if header := Of(c.Format).HeaderBytes; !bytes.Equal(c.Body, data[header:][:len(c.Body)]) || format != asm.Ribbon && format != asm.Paired && c.Format != format {
		t.Fatalf("format %d, %x: format %d, or a body of other bytes", format, data, c.Format)
	}
	if trailer := trailerOf(c); (format != asm.LevelDB || c.Probes > 0) && !bytes.HasSuffix(data, trailer) {
		t.Fatalf("format %d, %x: the trailer is %x when written again", format, data, trailer)
	}
	return hits, true
}

// TestReadersAreTheOriginals has the answers of RocksDB's, Speedb's and LevelDB's readers. Of bytes with a flaw
// they have other answers.
func TestReadersAreTheOriginals(t *testing.T) {
	hashes := vectors.Hashes(vectors.NegativeSeed, 256)
	for format, all := range map[asm.Format][]vectors.Read{asm.FastLocal: vectors.FastLocalReader(), asm.Paired: vectors.Paired32Reader()} {
		for i, v := range all {
			hits, ok := checkRead(t, format, v.Data(), hashes[:len(v.Matches)])
			for j, hit := range hits {
				if ok && hit != (v.Matches[j] == '1') {
					t.Errorf("format %d, vector %d, trailer %x, hash %d: %v", format, i, v.Trailer, j, hit)
				}
			}
			if !ok {
				t.Errorf("format %d, vector %d, trailer %x: a flaw", format, i, v.Trailer)
			}
		}
	}
	for format, c := range map[asm.Format]struct {
		reads  []vectors.NarrowRead
		hashes []uint64
		flawed func(v vectors.NarrowRead) bool
	}{
		asm.Legacy: {vectors.LegacyReader(), hashes, func(v vectors.NarrowRead) bool {
			return v.BodyLen == 0 && !bytes.Equal(v.Trailer, make([]byte, 5))
		}},
		asm.LevelDB: {vectors.LevelDBReader(), keyhash.LevelDB32.AppendHashes(nil, vectors.Keys("user8", 0, 256)), func(v vectors.NarrowRead) bool {
			return v.BodyLen == 0 && v.HasK
		}},
		asm.Ribbon: {vectors.RibbonReader(), hashes, func(v vectors.NarrowRead) bool {
			return v.Trailer[0] == 0xfe && (v.BodyLen < 16 || v.BodyLen%16 != 0)
		}},
	} {
		for i, v := range c.reads {
			data := v.Data()
			hits, ok := checkRead(t, format, data, c.hashes)
			if ok == (len(data) > 0 && c.flawed(v)) {
				t.Errorf("format %d, vector %d, %d bytes, trailer %x: no flaw is %v", format, i, v.BodyLen, v.Trailer, ok)
			}
			if err := v.CheckAnswers(hits); ok && err != nil {
				t.Errorf("format %d, vector %d, %d bytes, trailer %x: %v", format, i, v.BodyLen, v.Trailer, err)
			}
		}
	}
}

// TestWhatIsWrittenIsRead writes trailers of every setting.
func TestWhatIsWrittenIsRead(t *testing.T) {
	var all []contents.Contents
	for probes := 1; probes <= 127; probes++ {
		for _, size := range []int{64, 192, 640} {
			body := make([]byte, size)
			if probes <= asm.MaxProbes {
				all = append(all, contents.Contents{Format: asm.FastLocal, Body: body, Probes: probes}, contents.Contents{Format: asm.LevelDB, Body: body[:size-9], Probes: probes})
			}
			all = append(all, contents.Contents{Format: asm.Legacy, Body: body, Lines: uint32(size / 64), Probes: probes})
		}
		for _, blocks := range []int{paired.SpeedbBlocks, paired.PublishedBlocks} {
			if probes <= asm.MaxProbes {
				all = append(all, contents.Contents{Format: asm.Paired, Body: make([]byte, 3*64*blocks), BatchBlocks: blocks, Probes: probes})
			}
		}
	}
	for seed := range 256 {
		for _, blocks := range []uint32{fallback.LeastRibbonBlocks, 3, 1<<24 - 1} {
			all = append(all, contents.Contents{Format: asm.Ribbon, Body: make([]byte, 160), Blocks: blocks, Seed: byte(seed)})
		}
	}
	for bits := range 256 {
		for layers := range fallback.MaxLinearLayers + 1 {
			if fallback.LinearSlotsOf(bits) == 0 {
				continue
			}
			var multipliers [][2]uint32
			cut := 0
			for i := range layers {
				of := [2]uint32{0, uint32(layers - i)}
				if bits%2 == 0 && bits < fallback.MostLinearBits {
					of[0], cut = 2, 7*bits%64
				}
				multipliers = append(multipliers, of)
			}
			c := layered(cut, bits, multipliers...)
			all = append(all, c)
		}
	}
	for _, want := range all {
		trailer := trailerOf(want)
		if got := linear.TrailerBytes(uint64(max(len(want.Trailer), 8)/8 - 1)); want.Format == asm.Linear && int(got) != len(trailer) {
			t.Errorf("a trailer of %d bytes, not %d", len(trailer), got)
		}
		got, err := ReaderOf(want.Format).Read(append(slices.Clone(want.Body), trailer...))
		if err != nil || !bytes.Equal(got.Body, want.Body) {
			t.Fatalf("format %d, trailer %x: a body of %d bytes, %v", want.Format, trailer, len(got.Body), err)
		}
		got.Body, want.Body, got.Prepare = nil, nil, nil
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("trailer %x: %+v, want %+v", trailer, got, want)
		}
	}
}

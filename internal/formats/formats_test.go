package formats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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
	"github.com/simdbloom/simdbloom/internal/test/testmem"
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
	for table, n := range map[string]int{"readers": len(readers), "places": len(places), "estimates": len(estimates), "adders": len(adders), "byHand": len(byHand)} {
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

// TestHostileBytes reads bytes beside memory that must not be touched: filters whose trailer has another
// byte or more, cut short, or of another format.
func TestHostileBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	trailers := []contents.Contents{
		{Format: asm.FastLocal, Probes: 6},
		{Format: asm.Paired, BatchBlocks: 32, Probes: 7},
		{Format: asm.Paired, BatchBlocks: 128, Probes: 1},
		layered(0, 8),
		layered(0, 16, [2]uint32{0, 1}),
		layered(20, 12, [2]uint32{3, 4}, [2]uint32{0, 1}, [2]uint32{1, 1}),
		{Format: asm.Ribbon, Blocks: 2, Seed: 3},
		{Format: asm.Ribbon, Blocks: 1 << 20, Seed: 200},
		{Format: asm.Legacy, Lines: 1, Probes: 6},
		{Format: asm.Legacy, Lines: 5, Probes: 100},
		{Format: asm.Legacy, Lines: 1<<26 + 5, Probes: 6},
		{Format: asm.LevelDB, Probes: 6},
		{Format: asm.SplitBlock},
		{Format: asm.Blobloom, Probes: 6},
	}
	sizes := []int{0, 1, 2, 15, 16, 63, 64, 65, 80, 320, 321, 2048, 8192}
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	flawed, fine := make([]int, len(readers)), make([]int, len(readers))
	for range rounds {
		for _, c := range trailers {
			for _, size := range sizes {
				body := make([]byte, size)
				for i := range body {
					body[i] = byte(r.Uint32() | r.Uint32())
				}
				trailer := trailerOf(c)
				frame := headerOf(contents.Contents{Format: c.Format, Body: body, Probes: c.Probes})
				if frame == nil {
					frame = trailer
				}
				for range min(r.IntN(4), len(frame)) {
					frame[r.IntN(len(frame))] = [...]byte{0, 1, 6, 0x80, 0xff, byte(r.Uint32())}[r.IntN(6)]
				}
				data := append(body, trailer...)
				if len(trailer) == 0 {
					data = slices.Concat(frame, body)
				}
				if r.IntN(4) == 0 {
					data = data[r.IntN(len(data)+1):]
				}
				hashes := []uint64{0, 1, math.MaxUint64, math.MaxUint32, 1 << 31, r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
				testmem.BesideGuards(t, data, func(data []byte) {
					for format := range readers {
						if readers[format] == nil {
							continue
						}
						if _, ok := checkRead(t, asm.Format(format), data, hashes); ok {
							fine[format]++
						} else {
							flawed[format]++
						}
					}
				})
			}
		}
	}
	for format, read := range readers {
		if least := min(flawed[format], fine[format]); read != nil && least < rounds && format != int(asm.LevelDB) {
			t.Errorf("format %d: %d filters have a flaw, %d have none", format, flawed[format], fine[format])
		}
	}
	for _, none := range []asm.Format{asm.Reserved, asm.Empty, asm.Format(len(readers)), 255} {
		if ReaderOf(none) != nil {
			t.Errorf("the format %d has a reader", none)
		}
	}
}

// TestFlaws has one flaw each.
func TestFlaws(t *testing.T) {
	zeros := func(n int, trailer ...byte) []byte { return append(make([]byte, n), trailer...) }
	counting := func(body int, lines uint32) []byte {
		return binary.LittleEndian.AppendUint32(zeros(body, 6), lines)
	}
	layers := func(lines, cut, bits, layers int, multipliers ...[2]uint32) []byte {
		data := linear.AppendTrailer(make([]byte, 65*lines), multipliers, cut, bits)
		data[len(data)-6] = byte(layers)
		return data
	}
	type of = [2]uint32
	for _, c := range []struct {
		format asm.Format
		data   []byte
		flaw   string
	}{
		{asm.FastLocal, zeros(5), "too short for a block and the trailer, 69 bytes"},
		{asm.FastLocal, zeros(63, 0xff, 0, 6, 0, 0), "too short for a block and the trailer, 69 bytes"},
		{asm.Paired, zeros(4), "too short for a batch and the trailer, 2,052 bytes"},
		{asm.Paired, zeros(2047, 1, 6, 0, 0), "not a whole number of batches and the trailer"},
		{asm.Paired, zeros(2048, 1, 6, 7, 0), "not a whole number of batches and the trailer"},
		{asm.Ribbon, zeros(5), "too short for a segment and the trailer, 21 bytes"},
		{asm.Ribbon, zeros(15, 0xfe, 0, 2, 0, 0), "too short for a segment and the trailer, 21 bytes"},
		{asm.Ribbon, zeros(63, 0xff, 0, 6, 0, 0), "too short for a block and the trailer, 69 bytes"},
		{asm.Ribbon, zeros(17, 0xfe, 0, 2, 0, 0), "a Ribbon filter, but not a whole number of 16-byte segments and the trailer"},
		{asm.Legacy, zeros(4), "too short for a line and the trailer, 6 bytes"},
		{asm.Legacy, counting(0, 1), "too short for a line and the trailer, 6 bytes"},
		{asm.Legacy, counting(64, 1<<26+1), "not as long as the lines of 64 bytes that it counts"},
		{asm.Legacy, counting(192, 63<<26+3), "not as long as the lines of 64 bytes that it counts"},
		{asm.LevelDB, zeros(0, 6), "too short for a body and the number of probes, 2 bytes"},
		{asm.Linear, zeros(7), "too short for the trailer, 8 bytes"},
		{asm.Linear, zeros(8), "the trailer is not a linear filter's"},
		{asm.Linear, append(zeros(65), "\x00\x08\x01\x80LLF1"...), "format 1 of linear filters, which no release wrote, is not read"},
		{asm.Linear, layers(1, 0, 200, 1, of{0, 1}), "no fingerprints have that many bits"},
		{asm.Linear, layers(1, 64, 8, 1, of{1, 1}), "no sections have that cut"},
		{asm.Linear, layers(1, 1, 32, 1, of{0, 1}), "no sections have that cut"},
		{asm.Linear, layers(1, 0, 8, 17, of{0, 1}), "more than 16 layers"},
		{asm.Linear, layers(0, 0, 8, 2, of{0, 1}), "too short for the layers"},
		{asm.Linear, layers(1, 0, 8, 2, of{0, 0}, of{0, 1}), "a layer has no lines"},
		{asm.Linear, layers(2, 0, 8, 1, of{1, 1}), "a layer has a section that the cut leaves no keys"},
		{asm.Linear, layers(1, 0, 8, 1, of{0, 2}), "the layers do not add up to the filter's size"},
		{asm.Linear, layers(0, 0, 8, 2, of{0, math.MaxUint32}, of{0, 1}), "the layers do not add up to the filter's size"},
	} {
		if _, flaw := ReaderOf(c.format)(c.data); flaw != c.flaw {
			t.Errorf("format %d, %x: %q, want %q", c.format, c.data, flaw, c.flaw)
		}
	}
}

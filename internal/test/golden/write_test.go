package golden_test

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/golden"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/sliced"
)

// write writes the filters of a new version, and what they answer.
func write(t *testing.T, folder string) {
	t.Helper()
	var rows []golden.Row
	for _, b := range builtNow() {
		for file, data := range b.files {
			golden.Store(folder, file, data)
		}
		rows = append(rows, b.rows...)
	}
	golden.List(t, folder, golden.Filters, rows, open)
	lines := []string{"# text\tname\tformat\thash\tbits"}
	for _, text := range texts {
		lines = append(lines, parsed(text))
	}
	golden.WriteList(folder, golden.Names, lines)
}

// texts are names that package policy parses, each with bits per key. The first of a name is built.
var texts = withAll(policyNames(), []string{
	"simdbloom.FastLocal:10", "simdbloom.Paired:23.4", "simdbloom.Linear:7.5", "simdbloom.Ribbon:14",
	"simdbloom.SplitBlock:10", "rocksdb.BloomFilter:10", "bloomfilter:9.9", "rocksdb.internal.FastLocalBloomFilter:16",
	"rocksdb.RibbonFilter:10", "ribbonfilter:23.4", "rocksdb.internal.Standard128RibbonFilter:12",
	"rocksdb.internal.LegacyBloomFilter:10", "leveldb.BuiltinBloomFilter2:10", "speedb.PairedBloomFilter:23.4",
	"speedb_paired_bloom_filter:16",

	"simdbloom.FastLocal.XX64:8", "simdbloom.Paired128.XX64:16", "simdbloom.Linear.XX64:17", "simdbloom.Ribbon.XX64:8",
	"simdbloom.FastLocal.XXPH3:8", "simdbloom.Ribbon.XXPH3:8", "simdbloom.Legacy.RocksDB32:6", "simdbloom.LevelDB.LevelDB32:14",
	"simdbloom.Paired32.XXPH3:12", "simdbloom.SplitBlock.XX64:16",

	"rocksdb.BloomFilter:10:false", "bloomfilter:4:false", "rocksdb.RibbonFilter:10:2", "ribbonfilter:10.5:-1",
	"rocksdb.BloomFilter:0.2", "simdbloom.Linear:3", "simdbloom.Paired:0.75", "leveldb.BuiltinBloomFilter2:9.5",
})

// withAll returns the texts, and one for each name that has none.
func withAll(names, texts []string) []string {
	for _, name := range names {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, name+":") }) {
			texts = append(texts, name+":10")
		}
	}
	return texts
}

// policyNames returns the names that package policy has in its source, and those that it records.
func policyNames() (names []string) {
	source := contract.Must(os.ReadFile("../../../policy/formats.go"))
	for _, name := range regexp.MustCompile(`(?m)^\t\t\{"([^"]+)", `).FindAllSubmatch(source, -1) {
		names = append(names, string(name[1]))
	}
	for _, p := range policy.Readers() {
		names = append(names, p.Name())
	}
	return names
}

// built is what this version writes.
type built struct {
	rows     []golden.Row      // without answers, bytes and formats
	files    map[string][]byte // by their names
	promised bool              // the bytes are those of another program, and so the same for ever
}

// isPromised says whether filters by a name have the bytes of another program.
func isPromised(text string) bool { return !strings.HasPrefix(text, "simdbloom.") }

// builtNow builds everything.
func builtNow() (all []built) {
	one := func(promised bool, file string, data []byte, r golden.Row, openedAs ...string) {
		b := built{files: map[string][]byte{file: data}, promised: promised}
		for _, r.OpenedAs = range openedAs {
			r.File = file
			b.rows = append(b.rows, r)
		}
		all = append(all, b)
	}
	filterOf := func(b *simdbloom.Builder, n int) *simdbloom.Filter {
		b.AddKeys(golden.Present[:n])
		return contract.Must(b.Filter())
	}
	fileOf := func(f filterfile.Source, n int, bitsPerKey float64) []byte {
		return contract.Must(filterfile.Append(nil, f, filterfile.WithKeys(n), filterfile.WithBitsPerKey(bitsPerKey)))
	}

	// A file and raw bytes by a policy.
	byPolicy := func(text, to string, n int, options ...simdbloom.Option) {
		p := contract.Must(policy.Parse(text))
		f := filterOf(p.NewBuilder(options...), n)
		r := golden.Row{Name: p.Name(), Hash: p.Hash().Name(), Keys: n}
		one(isPromised(text), "raw/"+to+".raw", f.Bytes(), r, "raw")
		if strings.HasPrefix(text, "rocksdb.internal.") { // RocksDB's formats are read under each other's names
			rows := &all[len(all)-1].rows
			for _, other := range []string{"simdbloom.FastLocal.XXPH3", "simdbloom.Ribbon.XXPH3", "simdbloom.Legacy.RocksDB32"} {
				if q := contract.Must(policy.ForName(other)); other != p.Name() {
					r := (*rows)[0]
					r.Name, r.Hash = other, q.Hash().Name()
					*rows = append(*rows, r)
				}
			}
		}
		r.Name = f.Name() // a flushed table's filter is FastLocal, which the policy reads under its own name, too
		one(isPromised(text), "files/"+to+".filter", fileOf(f, n, p.BitsPerKey()), r, "file")
	}
	seen := make(map[string]bool)
	for _, text := range texts {
		if name, _, _ := strings.Cut(text, ":"); !seen[name] {
			seen[name] = true
			byPolicy(text, strings.ReplaceAll(text, ":", "-"), golden.MostKeys)
		}
	}
	for _, text := range []string{
		"simdbloom.FastLocal:10", "simdbloom.Paired:16", "simdbloom.Linear:12", "simdbloom.Ribbon:10", "simdbloom.SplitBlock:10",
		"leveldb.BuiltinBloomFilter2:10", "rocksdb.internal.LegacyBloomFilter:10",
	} {
		name, _, _ := strings.Cut(text, ":")
		byPolicy(text, "none-"+name, 0)
	}
	byPolicy("simdbloom.Linear:17", "one-simdbloom.Linear", 1)
	byPolicy("simdbloom.Ribbon:17", "one-simdbloom.Ribbon", 1)
	byPolicy("ribbonfilter:10", "flushed-ribbonfilter", golden.MostKeys, policy.WithLevel(-1))
	byPolicy("rocksdb.BloomFilter:0.2", "alwaystrue-rocksdb.BloomFilter", golden.MostKeys)
	byPolicy("simdbloom.Linear:0.2", "alwaystrue-simdbloom.Linear", golden.MostKeys)

	// The format without a policy, with a header, without, and with a hash of somebody else; the hash without a policy.
	const k = 7
	dump := filterOf(contract.Must(blobloom.NewBuilder(10, keyhash.XX64)), golden.MostKeys)
	r := golden.Row{Name: dump.Name(), Hash: "XX64", Keys: golden.MostKeys}
	one(true, "files/blobloom.Blobloom-10.filter", fileOf(dump, golden.MostKeys, 10), r, "file")
	one(true, "raw/blobloom.Blobloom-10.raw", dump.Bytes(), r, "raw")
	m := contract.Must(blobloom.New(golden.MostKeys*10, k, keyhash.XX64))
	m.AddKeys(golden.Present)
	one(true, "raw/blobloom.Blobloom.blocks", m.Bytes()[64:], r, fmt.Sprint("blocks,", k))
	for _, f := range []*simdbloom.Filter{
		filterOf(contract.Must(blobloom.NewBuilder(12, foreign)), golden.MostKeys),
		filterOf(contract.Must(bloom.NewBuilder(12, foreign)), golden.MostKeys),
	} {
		r := golden.Row{Name: f.Name(), Hash: foreign.Name(), Keys: golden.MostKeys}
		one(false, "files/foreign-"+f.Format().String()+".filter", fileOf(f, golden.MostKeys, 12), r, "file")
	}
	signed := filterOf(contract.Must(leveldb.NewBuilder(10, keyhash.LevelDB32Signed)), golden.MostKeys)
	one(true, "files/signed-LevelDB.filter", fileOf(signed, golden.MostKeys, 10),
		golden.Row{Name: signed.Name(), Hash: "LevelDB32Signed", Keys: golden.MostKeys}, "file")

	// Files of version 2, in pieces of 4 KiB: two in FastLocal, and one.
	for _, text := range []string{"simdbloom.FastLocal:160", "simdbloom.Linear:12"} {
		p := contract.Must(policy.Parse(text))
		f := filterOf(p.NewBuilder(), golden.MostKeys)
		data := contract.Must(filterfile.Append(nil, f, filterfile.WithKeys(golden.MostKeys), filterfile.WithPieceBytes(4096)))
		one(false, "files/pieces-"+f.Format().String()+".filter", data, golden.Row{Name: f.Name(), Hash: "XX64", Keys: golden.MostKeys}, "file")
	}

	// Text, and filters that accept keys: as files and as raw bytes.
	text := filterOf(contract.Must(bloom.NewBuilder(10, keyhash.XX64)), golden.MostKeys)
	r.Name = text.Name()
	one(false, "text/FastLocal.txt", contract.Must(text.MarshalText()), r, "text")
	for _, of := range contract.Adders() {
		format := of.Format
		m := contract.Must(simdbloom.NewMutable(format, golden.MostKeys, 10, keyhash.XX64))
		c := contract.Must(simdbloom.NewConcurrent(format, golden.MostKeys, 14, keyhash.XX64))
		m.AddKeys(golden.Present)
		c.AddKeys(golden.Present)
		r.Name = m.Name()
		to := "growing/" + format.String()
		one(false, to+"-mutable.filter", contract.Must(m.MarshalBinary()), r, "mutable")
		one(false, to+"-mutable.raw", m.Bytes(), r, "mutable", "raw")
		one(false, to+"-concurrent.filter", contract.Must(c.MarshalBinary()), r, "concurrent")
		one(false, to+"-concurrent.raw", c.Bytes(), r, "concurrent", "raw")
	}

	one(false, "files/filters.sliced", slicedFilters(), golden.Row{Name: "simdbloom.Sliced.XX64", Hash: "XX64", Keys: golden.MostKeys}, "sliced")

	// What bits-and-blooms/bloom writes.
	for _, rate := range []float64{0.1, 0.01, 0.0001} {
		m := contract.Must(bitsandblooms.NewForRate(golden.MostKeys, rate))
		for _, key := range golden.Present {
			m.Add(key)
		}
		one(true, fmt.Sprint("bitsandblooms/rate-", rate, ".bloom"), m.Bytes(), golden.Row{Name: "-", Hash: "-", Keys: golden.MostKeys}, "bitsandblooms")
	}

	// The filters of tables: in one piece, and in partitions, whose index earlier RocksDBs wrote in two other ways.
	for _, text := range []string{
		"simdbloom.FastLocal:10", "simdbloom.Linear:12", "simdbloom.SplitBlock:10", "rocksdb.BloomFilter:10",
		"rocksdb.internal.Standard128RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10", "leveldb.BuiltinBloomFilter2:10",
	} {
		for _, made := range []string{"whole", "fixed:4", "whole,capped:3"} {
			all = append(all, block(text, "block,"+made))
		}
	}
	for _, text := range []string{"simdbloom.Paired:12", "simdbloom.Ribbon:10", "speedb.PairedBloomFilter:16"} {
		all = append(all, block(text, "block,whole"))
	}
	for _, made := range []string{"whole", "fixed:4", "whole,capped:3", "whole,capped:3,fullhandles", "whole,capped:3,internalkeys,fullhandles"} {
		all = append(all, block("rocksdb.BloomFilter:10", "partitions,"+made))
	}
	all = append(all, block("simdbloom.FastLocal:10", "partitions,whole,capped:3"))

	for _, text := range []string{
		"simdbloom.FastLocal:10", "simdbloom.Linear:9", "simdbloom.Ribbon:10", "simdbloom.Paired:16", "simdbloom.SplitBlock:10",
		"speedb.PairedBloomFilter:16", "rocksdb.BloomFilter:10", "rocksdb.RibbonFilter:10",
	} {
		all = append(all, set(text, ""))
	}
	return append(all, set("simdbloom.FastLocal:400", "pieces-", filterset.WithPieceBytes(4096)))
}

// slicedFilters has 100 filters, each with three keys that those before have not: two matrices, filters that stay as
// they are, and removed ones.
func slicedFilters() []byte {
	s := sliced.New(keyhash.XX64)
	for i := range 100 {
		format := simdbloom.FastLocal
		if i >= 90 {
			format = simdbloom.SplitBlock
		} else if i%2 == 1 {
			format = simdbloom.Blobloom
		}
		b := contract.Must(simdbloom.NewBuilder(format, 10, keyhash.XX64))
		b.AddKeys(golden.Present[3*i : min(3*i+40, golden.MostKeys)])
		f := contract.Must(b.Filter())
		for range 1 + i%10/9 {
			contract.Must(s.Append(f))
		}
	}
	contract.Must(s.Append(contract.Must(bloom.Open(nil, keyhash.XX64))))
	for id := 9; id < 100; id += 11 { // one of two
		golden.Check(s.Remove(id))
	}
	var file bytes.Buffer
	contract.Must(s.WriteTo(&file))
	return file.Bytes()
}

// block is a table's filter, which is opened as the words say.
func block(text, openedAs string) built {
	words := strings.Split(openedAs, ",")
	read, _ := readOptions(words[1:])
	p := contract.Must(policy.Parse(text))
	o := filterblock.Options{WholeKeys: read.WholeKeys, Prefix: read.Prefix, Index: read.Index}
	b := built{files: make(map[string][]byte), promised: isPromised(text)}
	words[0], _, _ = strings.Cut(text, ":")
	base, extension := "blocks/"+strings.ReplaceAll(strings.Join(words, "-"), ":", ""), ".block"
	if strings.HasPrefix(openedAs, "partitions") {
		const trailer = 5 // as behind every block of RocksDB's tables
		var partitions []byte
		extension = ".index"
		o.PartitionBytes = 140
		o.Store = func(partition []byte) (filterblock.Handle, error) {
			h := filterblock.Handle{Offset: uint64(len(partitions)), Size: uint64(len(partition))}
			partitions = append(append(partitions, partition...), make([]byte, trailer)...)
			b.files[base+".partitions"] = partitions
			return h, nil
		}
	}
	w := contract.Must(filterblock.NewWriter(p, o))
	for _, key := range slices.SortedFunc(slices.Values(golden.Present), bytes.Compare) {
		w.Add(key)
	}
	b.files[base+extension] = contract.Must(w.Finish())
	r := golden.Row{File: base + extension, OpenedAs: openedAs, Name: p.Name(), Hash: p.Hash().Name(), Keys: golden.MostKeys}
	b.rows = append(b.rows, r)
	if o.Prefix != nil {
		r.OpenedAs += ",prefixes"
		b.rows = append(b.rows, r)
	}
	return b
}

// set is a folder with a manifest and two layers, whose parts have the bytes that a Builder writes.
func set(text, prefix string, options ...filterset.Option) built {
	p := contract.Must(policy.Parse(text))
	name, _, _ := strings.Cut(text, ":")
	r := golden.Row{File: "sets/" + prefix + name + ".set", OpenedAs: "set", Name: p.Name(), Hash: p.Hash().Name(), Keys: golden.MostKeys}
	b := built{rows: []golden.Row{r}, files: make(map[string][]byte), promised: isPromised(text)}
	info := filterset.Info{Format: r.Name, Hash: r.Hash}
	for i, keys := range [][][]byte{golden.Present[:200], golden.Present[200:]} {
		parts := 2 >> i // 100 or so keys each
		layer := filterset.Layer{ID: fmt.Sprintf("%016x", i+1), BitsPerKey: p.BitsPerKey(), Parts: make([]filterset.Part, parts)}
		hashes := make([][]uint64, parts)
		for _, hash := range p.Hash().AppendHashes(nil, keys) {
			part := filterset.PartOf(hash, parts)
			hashes[part] = append(hashes[part], hash)
		}
		for part := range parts {
			data, made, err := filterset.BuildPart(p, hashes[part], options...)
			golden.Check(err)
			layer.Parts[part] = made
			b.files[path.Join(r.File, layer.Folder(), filterset.PartFile(part))] = data
		}
		info.Layers = append(info.Layers, layer)
	}
	b.files[path.Join(r.File, filterset.Manifest)] = contract.Must(info.MarshalText())
	return b
}

// TestNothingIsForgotten: a new format, or a name, must be in the next version's folder.
func TestNothingIsForgotten(t *testing.T) {
	recorded, formats := make(map[string]bool), make(map[string]bool)
	for _, b := range builtNow() {
		for _, r := range b.rows {
			recorded[r.Name] = true
			if parts := strings.Split(r.Name, "."); len(parts) > 2 {
				formats[strings.TrimRight(parts[1], "0123456789")] = true
			}
		}
	}
	for _, p := range policy.Readers() {
		if !recorded[p.Name()] {
			t.Errorf("no filter is written under the recorded name %s", p.Name())
		}
	}
	for f := range simdbloom.Format(255) {
		if _, err := simdbloom.Open(f, nil, keyhash.XX64); err == nil && f > simdbloom.Empty && !formats[f.String()] {
			t.Errorf("no filter has the format %v", f)
		}
	}
	if names := policyNames(); len(names) < 25 {
		t.Fatalf("%d names found in package policy, which had 25", len(names))
	}
}

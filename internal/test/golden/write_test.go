package golden

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

var update = flag.String("update-golden", "", "write the folder of this new `version`, such as v0.2.0")

// The most that a version's folder takes.
const (
	mostBytes       = 300_000
	mostBytesInFile = 100_000
)

// texts are names that package policy parses, each with bits per key. The first of a name is built.
var texts = []string{
	"simdbloom.FastLocal:10", "simdbloom.Bloom:12", "simdbloom.Paired:23.4", "simdbloom.Linear:7.5", "simdbloom.Ribbon:14",
	"simdbloom.SplitBlock:10", "rocksdb.BloomFilter:10", "bloomfilter:9.9", "rocksdb.internal.FastLocalBloomFilter:16",
	"rocksdb.RibbonFilter:10", "ribbonfilter:23.4", "rocksdb.internal.Standard128RibbonFilter:12",
	"rocksdb.internal.LegacyBloomFilter:10", "leveldb.BuiltinBloomFilter2:10", "speedb.PairedBloomFilter:23.4",
	"speedb_paired_bloom_filter:16",

	"simdbloom.FastLocal.XX64:8", "simdbloom.Paired128.XX64:16", "simdbloom.Linear.XX64:17", "simdbloom.Ribbon.XX64:8",
	"simdbloom.FastLocal.XXPH3:8", "simdbloom.Ribbon.XXPH3:8", "simdbloom.Legacy.RocksDB32:6", "simdbloom.LevelDB.LevelDB32:14",
	"simdbloom.Paired32.XXPH3:12", "simdbloom.SplitBlock.XX64:16",

	"rocksdb.BloomFilter:10:false", "bloomfilter:4:false", "rocksdb.RibbonFilter:10:2", "ribbonfilter:10.5:-1",
	"rocksdb.BloomFilter:0.2", "simdbloom.Linear:3", "simdbloom.Paired:0.75", "leveldb.BuiltinBloomFilter2:9.5",
}

// built is what this version writes.
type built struct {
	rows     []row             // without answers, bytes and formats
	files    map[string][]byte // by their names
	promised bool              // the bytes are those of another program, and so the same for ever
}

// builtNow builds everything.
func builtNow(t *testing.T) (all []built) {
	t.Helper()
	one := func(promised bool, data []byte, rows ...row) {
		all = append(all, built{rows, map[string][]byte{rows[0].file: data}, promised})
	}
	keys := presentKeys
	filterOf := func(b *simdbloom.Builder, n int) *simdbloom.Filter {
		b.AddKeys(keys[:n])
		return contract.Must(b.Filter())
	}
	fileOf := func(f filterfile.Source, n int, bitsPerKey float64) []byte {
		return contract.Must(filterfile.Append(nil, f, filterfile.WithKeys(n), filterfile.WithBitsPerKey(bitsPerKey)))
	}

	// A file and raw bytes under every name.
	seen := make(map[string]bool)
	for _, text := range texts {
		name, _, _ := strings.Cut(text, ":")
		if seen[name] {
			continue
		}
		seen[name] = true
		p := contract.Must(policy.Parse(text))
		f := filterOf(p.NewBuilder(), mostKeys)
		to := strings.ReplaceAll(text, ":", "-")
		r := row{name: p.Name(), hash: p.Hash().Name(), keys: mostKeys}
		promised := !strings.HasPrefix(text, "simdbloom.")
		one(promised, fileOf(f, mostKeys, p.BitsPerKey()), r.as("files/"+to+".filter", "file"))
		raw := []row{r.as("raw/"+to+".raw", "raw")}
		if strings.HasPrefix(text, "rocksdb.internal.") { // RocksDB's formats are read under each other's names
			for _, other := range []string{"simdbloom.FastLocal.XXPH3", "simdbloom.Ribbon.XXPH3", "simdbloom.Legacy.RocksDB32"} {
				if q := contract.Must(policy.ForName(other)); other != p.Name() {
					raw = append(raw, row{name: other, hash: q.Hash().Name(), keys: mostKeys}.as(raw[0].file, "raw"))
				}
			}
		}
		one(promised, f.Bytes(), raw...)
	}

	// What policies build of few keys, of none, in a flushed table, and below 0.5 bits per key.
	for _, c := range []struct {
		text, name string
		keys       int
		options    []simdbloom.Option
	}{
		{"simdbloom.FastLocal:10", "none-simdbloom.FastLocal", 0, nil},
		{"simdbloom.Paired:16", "none-simdbloom.Paired", 0, nil},
		{"simdbloom.Linear:12", "none-simdbloom.Linear", 0, nil},
		{"simdbloom.Ribbon:10", "none-simdbloom.Ribbon", 0, nil},
		{"simdbloom.SplitBlock:10", "none-simdbloom.SplitBlock", 0, nil},
		{"leveldb.BuiltinBloomFilter2:10", "none-leveldb.BuiltinBloomFilter2", 0, nil},
		{"rocksdb.internal.LegacyBloomFilter:10", "none-rocksdb.internal.LegacyBloomFilter", 0, nil},
		{"simdbloom.Linear:17", "one-simdbloom.Linear", 1, nil},
		{"simdbloom.Ribbon:17", "one-simdbloom.Ribbon", 1, nil},
		{"ribbonfilter:10", "flushed-ribbonfilter", mostKeys, []simdbloom.Option{policy.WithLevel(-1)}},
		{"rocksdb.BloomFilter:0.2", "alwaystrue-rocksdb.BloomFilter", mostKeys, nil},
		{"simdbloom.Linear:0.2", "alwaystrue-simdbloom.Linear", mostKeys, nil},
	} {
		p := contract.Must(policy.Parse(c.text))
		f := filterOf(p.NewBuilder(c.options...), c.keys)
		r := row{name: p.Name(), hash: p.Hash().Name(), keys: c.keys}
		promised := !strings.HasPrefix(c.text, "simdbloom.")
		one(promised, f.Bytes(), r.as("raw/"+c.name+".raw", "raw"))
		r.name = f.Name() // a flushed table's filter is FastLocal, which the policy reads under its own name, too
		one(promised, fileOf(f, c.keys, p.BitsPerKey()), r.as("files/"+c.name+".filter", "file"))
	}

	// The format without a policy, with a header, without, and with a hash of somebody else.
	const k = 7
	dump := filterOf(contract.Must(blobloom.NewBuilder(10, keyhash.XX64)), mostKeys)
	r := row{name: dump.Name(), hash: "XX64", keys: mostKeys}
	one(true, fileOf(dump, mostKeys, 10), r.as("files/blobloom.Blobloom-10.filter", "file"))
	one(true, dump.Bytes(), r.as("raw/blobloom.Blobloom-10.raw", "raw"))
	m := contract.Must(blobloom.New(mostKeys*10, k, keyhash.XX64))
	m.AddKeys(keys)
	one(true, m.Bytes()[64:], r.as("raw/blobloom.Blobloom.blocks", fmt.Sprint("blocks,", k)))
	for _, f := range []*simdbloom.Filter{
		filterOf(contract.Must(blobloom.NewBuilder(12, foreign)), mostKeys),
		filterOf(contract.Must(bloom.NewBuilder(12, foreign)), mostKeys),
	} {
		r := row{name: f.Name(), hash: foreign.Name(), keys: mostKeys}
		one(false, fileOf(f, mostKeys, 12), r.as("files/foreign-"+f.Format().String()+".filter", "file"))
	}

	// Text, and filters that grow: as files and as raw bytes.
	text := filterOf(contract.Must(bloom.NewBuilder(10, keyhash.XX64)), mostKeys)
	one(false, contract.Must(text.MarshalText()), row{name: text.Name(), hash: "XX64", keys: mostKeys}.as("text/FastLocal.txt", "text"))
	for _, format := range []simdbloom.Format{simdbloom.FastLocal, simdbloom.SplitBlock, simdbloom.Blobloom} {
		m := contract.Must(simdbloom.NewMutable(format, mostKeys, 10, keyhash.XX64))
		c := contract.Must(simdbloom.NewConcurrent(format, mostKeys, 14, keyhash.XX64))
		m.AddKeys(keys)
		c.AddKeys(keys)
		r := row{name: m.Name(), format: format.String(), hash: "XX64", keys: mostKeys}
		to := "growing/" + format.String()
		one(false, contract.Must(m.MarshalBinary()), r.as(to+"-mutable.filter", "mutable"))
		one(false, m.Bytes(), r.as(to+"-mutable.raw", "mutable"), r.as(to+"-mutable.raw", "raw"))
		one(false, contract.Must(c.MarshalBinary()), r.as(to+"-concurrent.filter", "concurrent"))
		one(false, c.Bytes(), r.as(to+"-concurrent.raw", "concurrent"), r.as(to+"-concurrent.raw", "raw"))
	}

	// What bits-and-blooms/bloom writes.
	for _, rate := range []float64{0.1, 0.01, 0.0001} {
		m := contract.Must(bitsandblooms.NewForRate(mostKeys, rate))
		for _, key := range keys {
			m.Add(key)
		}
		r := row{name: "-", hash: "-", keys: mostKeys}
		one(true, m.Bytes(), r.as(fmt.Sprint("bitsandblooms/rate-", rate, ".bloom"), "bitsandblooms"))
	}

	all = append(all, blocks()...)
	return append(all, sets()...)
}

// as returns the row of another file.
func (r row) as(file, openedAs string) row {
	r.file, r.openedAs = file, openedAs
	return r
}

// blocks are the filters of tables.
func blocks() (all []built) {
	keys := slices.SortedFunc(slices.Values(presentKeys), func(a, b []byte) int { return strings.Compare(string(a), string(b)) })
	for _, text := range []string{
		"simdbloom.FastLocal:10", "simdbloom.Linear:12", "simdbloom.SplitBlock:10", "rocksdb.BloomFilter:10",
		"rocksdb.internal.Standard128RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10", "leveldb.BuiltinBloomFilter2:10",
	} {
		for _, made := range []string{"whole", "fixed:4", "whole,capped:3"} {
			all = append(all, block(keys, text, made, ""))
			if text == "rocksdb.BloomFilter:10" {
				all = append(all, block(keys, text, made, "now"))
			}
		}
	}
	for _, index := range []string{"fullhandles", "internalkeys,fullhandles"} { // of RocksDB's earlier versions
		all = append(all, block(keys, "rocksdb.BloomFilter:10", "whole,capped:3", index))
	}
	all = append(all, block(keys, "simdbloom.FastLocal:10", "whole,capped:3", "now"))
	return all
}

// block is a table's filter, made of what the words say. index says how that of partitions is written; without it,
// the filter is in one piece.
func block(keys [][]byte, text, made, index string) built {
	p := contract.Must(policy.Parse(text))
	name, _, _ := strings.Cut(text, ":")
	openedAs, extension, words := "block,"+made, "block", strings.Split(made, ",")
	if index != "" {
		openedAs, extension = "partitions,"+made, "index"
	}
	if index != "" && index != "now" {
		openedAs += "," + index
		words = append(words, strings.Split(index, ",")...)
	}
	read, _, err := blockOptions(words)
	must(err)
	o := filterblock.Options{WholeKeys: read.WholeKeys, Prefix: read.Prefix, Index: read.Index}
	b := built{files: make(map[string][]byte), promised: !strings.HasPrefix(text, "simdbloom.")}
	base := path.Join("blocks", strings.NewReplacer(":", "", ",", "-").Replace(strings.Join(append([]string{name}, words...), "-")))
	if index != "" {
		const trailer = 5 // as behind every block of RocksDB's tables
		var partitions []byte
		o.PartitionBytes = 140
		o.Store = func(partition []byte) (filterblock.Handle, error) {
			h := filterblock.Handle{Offset: uint64(len(partitions)), Size: uint64(len(partition))}
			partitions = append(append(partitions, partition...), make([]byte, trailer)...)
			b.files[base+".partitions"] = partitions
			return h, nil
		}
	}
	w := contract.Must(filterblock.NewWriter(p, o))
	for _, key := range keys {
		w.Add(key)
	}
	b.files[base+"."+extension] = contract.Must(w.Finish())
	r := row{name: p.Name(), hash: p.Hash().Name(), keys: mostKeys}
	b.rows = append(b.rows, r.as(base+"."+extension, openedAs))
	if o.Prefix != nil {
		b.rows = append(b.rows, r.as(base+"."+extension, openedAs+",prefixes"))
	}
	return b
}

// sets are folders with a manifest and two layers, whose parts have the bytes that a SetBuilder writes.
func sets() (all []built) {
	for _, text := range []string{"simdbloom.FastLocal:10", "simdbloom.Linear:9", "simdbloom.Ribbon:10", "speedb.PairedBloomFilter:16", "rocksdb.BloomFilter:10"} {
		p := contract.Must(policy.Parse(text))
		name, _, _ := strings.Cut(text, ":")
		base := "sets/" + name + ".set"
		b := built{
			rows:     []row{row{name: p.Name(), hash: p.Hash().Name(), keys: mostKeys}.as(base, "set")},
			files:    make(map[string][]byte),
			promised: !strings.HasPrefix(text, "simdbloom."),
		}
		info := filterfile.SetInfo{Format: p.Name(), Hash: p.Hash().Name()}
		for i, keys := range [][][]byte{presentKeys[:200], presentKeys[200:]} {
			parts := 2 >> i // 100 or so keys each
			layer := filterfile.SetLayer{ID: fmt.Sprintf("%016x", i+1), BitsPerKey: p.BitsPerKey(), Parts: make([]filterfile.SetPart, parts)}
			hashes := make([][]uint64, parts)
			for _, hash := range p.Hash().AppendHashes(nil, keys) {
				part := filterfile.PartOf(hash, parts)
				hashes[part] = append(hashes[part], hash)
			}
			for part := range parts {
				data, made, err := filterfile.BuildPart(p, hashes[part])
				must(err)
				layer.Parts[part] = made
				b.files[path.Join(base, layer.Folder(), filterfile.PartFile(part))] = data
			}
			info.Layers = append(info.Layers, layer)
		}
		b.files[path.Join(base, filterfile.SetManifest)] = contract.Must(info.MarshalText())
		all = append(all, b)
	}
	return all
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// write writes the folder of a new version, with what it answers.
func write(t *testing.T, version string) {
	t.Helper()
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+$`).MatchString(version) {
		t.Fatalf("-update-golden=%s: give a version such as v0.2.0", version)
	}
	folder := filepath.Join(root, version)
	if err := os.MkdirAll(root, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatalf("what a version stored never changes: %v", err)
	}
	done := false
	defer func() {
		if !done {
			os.RemoveAll(folder)
		}
	}()
	size := 0
	store := func(file string, data []byte) {
		if size += len(data); len(data) > mostBytesInFile || size > mostBytes {
			t.Fatalf("%s: more than %d bytes, or %d in all", file, mostBytesInFile, mostBytes)
		}
		to := filepath.Join(folder, filepath.FromSlash(file))
		must(os.MkdirAll(filepath.Dir(to), 0o777))
		must(os.WriteFile(to, data, 0o666))
	}
	lines := [][]string{rowHeads}
	written := make(map[string]bool)
	for _, b := range builtNow(t) {
		for file, data := range b.files {
			if written[file] {
				t.Fatalf("%s is written twice", file)
			}
			written[file] = true
			store(file, data)
		}
		for _, r := range b.rows {
			o, err := open(folder, r)
			if err != nil {
				t.Fatalf("%s as %s: %v", r.file, r.openedAs, err)
			}
			r.format, r.bytes = o.format, digest(o.content)
			r.hits, r.answers = o.answers(t, r)
			lines = append(lines, r.fields())
		}
	}
	store(filtersFile, aligned(lines))
	lines = [][]string{nameHeads}
	for _, text := range texts {
		lines = append(lines, contract.Must(parsed(text)))
	}
	store(namesFile, aligned(lines))
	done = !t.Failed()
}

// aligned returns lines with their fields in columns.
func aligned(lines [][]string) []byte {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, fields := range lines {
		fmt.Fprintln(w, strings.Join(fields, "\t"))
	}
	must(w.Flush())
	return []byte(text.String())
}

// TestNothingIsForgotten: a new format, or a name, must be in the next version's folder.
func TestNothingIsForgotten(t *testing.T) {
	recorded, formats := make(map[string]bool), make(map[string]bool)
	for _, b := range builtNow(t) {
		for _, r := range b.rows {
			recorded[r.name] = true
			if parts := strings.Split(r.name, "."); len(parts) > 2 {
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
	source, err := os.ReadFile("../../../policy/parse.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t\t\{"([^"]+)", `).FindAllStringSubmatch(string(source), -1)
	if len(names) < 16 {
		t.Fatalf("%d names found in policy/parse.go, which had 16", len(names))
	}
	for _, name := range names {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, name[1]+":") }) {
			t.Errorf("no filter is written under the name %s", name[1])
		}
	}
}

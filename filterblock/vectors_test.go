package filterblock_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

func parse(t testing.TB, name string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func extractor(t testing.TB, text string) *filterblock.Extractor {
	t.Helper()
	e, err := filterblock.ParseExtractor(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func newWriter(t testing.TB, p *policy.Policy, o filterblock.Options) *filterblock.Writer {
	t.Helper()
	w, err := filterblock.NewWriter(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func finish(t testing.TB, w *filterblock.Writer) []byte {
	t.Helper()
	block, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return block
}

// scheme builds filters by a function.
type scheme struct {
	building.InOrder
	build func(log *hashlog.Log, memory building.Memory) ([]byte, error)
}

func (scheme) Size(*hashlog.Log) (bytes uint64, allowed bool) { return 1 << 33, false }

func (s scheme) Build(log *hashlog.Log, _ int, memory building.Memory) ([]byte, error) {
	return s.build(log, memory)
}

// buildBy makes a writer build its filters by a function.
func buildBy(t *testing.T, w *filterblock.Writer, build func(log *hashlog.Log, memory building.Memory) ([]byte, error)) {
	t.Helper()
	formats.Link(asm.Reserved, func(float64, *building.Options) (building.Scheme, error) { return scheme{build: build}, nil }, nil)
	b, err := simdbloom.NewBuilder(simdbloom.Reserved, 10, keyhash.XXPH3)
	if err != nil {
		t.Fatal(err)
	}
	w.BuildBy(b)
}

// ofNothing reports whether a filter has neither keys nor prefixes. RocksDB writes none then, and NewWriter
// refuses the options.
func ofNothing(t *testing.T, v vectors.TableFilter) bool {
	t.Helper()
	if v.WholeKeys || v.Extractor() != "" {
		return false
	}
	if v.NumEntries != 0 || v.HasFilter || len(v.Partitions) > 0 || v.TotalLen != 0 {
		t.Errorf("RocksDB's filter of neither keys nor prefixes is %+v", v)
	}
	return true
}

// TestEntriesAreRocksDBs: the hashes in order, then the filter.
func TestEntriesAreRocksDBs(t *testing.T) {
	all := vectors.FullEntries()
	if len(all) < 100 {
		t.Fatalf("%d vectors", len(all))
	}
	for i, v := range all {
		if ofNothing(t, v) {
			continue
		}
		w := newWriter(t, parse(t, v.Policy()), filterblock.Options{WholeKeys: v.WholeKeys, Prefix: extractor(t, v.Extractor())})
		write := func() []byte {
			for _, key := range v.Keys() {
				w.Add(key)
			}
			return finish(t, w)
		}
		if err := vectors.CheckSum(write(), v.TotalLen, v.SHA256); err != nil {
			t.Errorf("vector %d, %s, prefix %s: %v", i, v.Policy(), v.Extractor(), err)
		}
		var hashes []uint64
		buildBy(t, w, func(log *hashlog.Log, _ building.Memory) ([]byte, error) {
			for some := range log.All() {
				hashes = append(hashes, some...)
			}
			return nil, nil
		})
		write()
		if err := checkEntries(v, hashes); err != nil {
			t.Fatalf("vector %d, %s, prefix %s: %v", i, v.Policy(), v.Extractor(), err)
		}
	}
}

func checkEntries(v vectors.TableFilter, hashes []uint64) error {
	if len(hashes) != v.NumEntries {
		return fmt.Errorf("%d entries, want %d", len(hashes), v.NumEntries)
	}
	var array []byte
	for i, hash := range hashes {
		array = binary.LittleEndian.AppendUint64(array, hash)
		text := fmt.Sprintf("%016x", hash)
		if v.Kind == "legacy" {
			text = text[8:]
		}
		if i < len(v.Entries) && text != v.Entries[i] {
			return fmt.Errorf("entry %d is %s, want %s", i, text, v.Entries[i])
		}
	}
	if v.Entries == nil {
		return vectors.CheckSum(array, len(array), v.EntriesSum)
	}
	return nil
}

// file is where a test stores partitions.
type file struct {
	offset     uint64 // of the first
	partitions map[filterblock.Handle][]byte
	handles    []filterblock.Handle
	reads      []filterblock.Handle
}

func (f *file) store(partition []byte) (filterblock.Handle, error) {
	h := filterblock.Handle{Offset: f.offset, Size: uint64(len(partition))}
	if f.partitions == nil {
		f.partitions = make(map[filterblock.Handle][]byte)
	}
	f.partitions[h] = partition
	f.handles = append(f.handles, h)
	f.offset += h.Size + 5
	return h, nil
}

func (f *file) load(h filterblock.Handle) ([]byte, error) {
	f.reads = append(f.reads, h)
	partition, ok := f.partitions[h]
	if !ok {
		return nil, fmt.Errorf("no partition at %v", h)
	}
	return partition, nil
}

// TestPartitionsAreRocksDBs: where they end, their bytes, and the index.
func TestPartitionsAreRocksDBs(t *testing.T) {
	all := vectors.PartitionedFilters()
	if len(all) < 100 {
		t.Fatalf("%d vectors", len(all))
	}
	for i, v := range all {
		if ofNothing(t, v) {
			continue
		}
		var f file
		w := newWriter(t, parse(t, v.Policy()), filterblock.Options{
			WholeKeys: v.WholeKeys, Prefix: extractor(t, v.Extractor()),
			PartitionBytes: v.PartitionSize * 10 / 9, Store: f.store,
		})
		if got := w.Target(); got != v.EntriesPerPartition {
			t.Errorf("vector %d, %s, prefix %s: %d entries a partition, want %d", i, v.Policy(), v.Extractor(), got, v.EntriesPerPartition)
		}
		for _, key := range v.Keys() {
			w.Add(key)
		}
		if err := checkPartitions(v, &f, finish(t, w), filterblock.IndexFormat{}); err != nil {
			t.Errorf("vector %d, %s, prefix %s: %v", i, v.Policy(), v.Extractor(), err)
		}
	}
}

func checkPartitions(v vectors.TableFilter, f *file, index []byte, format filterblock.IndexFormat) error {
	if err := vectors.CheckSum(index, v.IndexLen, v.IndexSum); err != nil && v.IndexLen > 0 {
		return fmt.Errorf("the index: %w", err)
	}
	x, err := filterblock.ReadIndex(index, format)
	if err != nil {
		return err
	}
	if x.Len() != len(v.Partitions) {
		return fmt.Errorf("%d partitions, want %d", x.Len(), len(v.Partitions))
	}
	for i, want := range v.Partitions {
		if !bytes.Equal(x.Key(i), want.IndexKey) {
			return fmt.Errorf("the key of partition %d is %x, want %x", i, x.Key(i), want.IndexKey)
		}
		partition, err := f.load(x.Handle(i))
		if err == nil {
			err = vectors.CheckSum(partition, want.TotalLen, want.SHA256)
		}
		if err != nil {
			return fmt.Errorf("partition %d: %w", i, err)
		}
	}
	return nil
}

// TestTablesOfRocksDB78: the filters of keys of its files. Partitions end where RocksDB's index of data blocks
// ends its own. Where filters have prefixes, RocksDB up to 9.4 adds other entries: see TestOlderReaders.
func TestTablesOfRocksDB78(t *testing.T) {
	tested := 0
	for i, v := range vectors.TableFilters78() {
		if ofNothing(t, v) || v.Extractor() != "" {
			continue
		}
		tested++
		if err := checkTable78(t, v); err != nil {
			t.Errorf("vector %d, %s, %s, version %d: %v", i, v.Type, v.Policy(), v.FormatVersion, err)
		}
	}
	if tested != 12 {
		t.Errorf("%d vectors", tested)
	}
}

func checkTable78(t *testing.T, v vectors.TableFilter) error {
	o := filterblock.Options{
		WholeKeys: true,
		Index:     filterblock.IndexFormat{FullHandles: v.FormatVersion < 4},
	}
	var f file
	if v.Type == "partitioned" {
		o.PartitionBytes, o.Store, o.CutByCaller = v.MetadataBlockSize, f.store, true
		if v.HasFilter {
			f.offset = v.Partitions[0].Offset
		}
	}
	w := newWriter(t, parse(t, v.Policy()), o)
	ends := v.Partitions
	for _, key := range v.Keys() {
		if len(ends) > 0 && bytes.Compare(key, ends[0].IndexKey) > 0 {
			w.Cut(ends[0].IndexKey)
			ends = ends[1:]
		}
		w.Add(key)
	}
	if len(ends) > 0 {
		w.Cut(ends[0].IndexKey)
	}
	block := finish(t, w)
	switch {
	case !v.HasFilter:
		if len(block) > 0 {
			return fmt.Errorf("%d bytes, and RocksDB has no filter", len(block))
		}
		return nil
	case v.Type == "full":
		return vectors.CheckSum(block, v.TotalLen, v.SHA256)
	}
	for i, p := range v.Partitions {
		if i < len(f.handles) && f.handles[i].Offset != p.Offset {
			return fmt.Errorf("partition %d is at %d, want %d", i, f.handles[i].Offset, p.Offset)
		}
	}
	if !slices.Equal(block, v.Index) && v.Index != nil {
		return fmt.Errorf("the index is %x, want %x", block, v.Index)
	}
	return checkPartitions(v, &f, block, o.Index)
}

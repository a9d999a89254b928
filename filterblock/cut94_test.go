package filterblock_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

// TestEntriesNextToCuts: what the partitions on both sides of a cut have by the rules of RocksDB
// 9.4: exactly the filter of these entries. At 100 bits a key, 5 entries fill a line of 64 bytes,
// and one more, even a repeated one, takes another line.
func TestEntriesNextToCuts(t *testing.T) {
	p := parse(t, "bloomfilter:100")
	for name, c := range map[string]struct {
		keys       string   // "|" is a cut
		partitions []string // their entries
	}{
		"the prefix goes on":         {"aa1 aa2 aa3 aa4 | aa5", []string{"aa aa1 aa2 aa3 aa4", "aa aa5"}},
		"another prefix":             {"aa1 aa2 aa3 | bb1 bb2", []string{"aa aa1 aa2 aa3 bb", "aa bb bb1 bb2"}},
		"no prefix behind":           {"aa1 aa2 aa3 aa4 | b", []string{"aa aa1 aa2 aa3 aa4", "aa b"}},
		"no prefix before":           {"a | bb1", []string{"a bb", "bb bb1"}},
		"a key in two partitions":    {"aa1 aa2 | aa2 aa3", []string{"aa aa1 aa2", "aa aa2 aa3"}},
		"a key alone, in three":      {"aa1 | aa1 | aa1", []string{"aa aa1", "aa aa1", "aa aa1"}},
		"two cuts within one prefix": {"aa1 | aa2 | aa3", []string{"aa aa1", "aa aa2", "aa aa3"}},
	} {
		var f file
		w := newWriter(t, p, filterblock.Options{
			WholeKeys: true, Prefix: extractor(t, "fixed:2"), Rules: filterblock.UpToRocksDB94,
			PartitionBytes: 1000, Store: f.store,
		})
		last := ""
		for _, key := range strings.Fields(c.keys) {
			if key == "|" {
				w.Cut([]byte(last))
			} else {
				w.Add([]byte(key))
				last = key
			}
		}
		finish(t, w)
		if len(f.handles) != len(c.partitions) {
			t.Errorf("%s: %d partitions, want %d", name, len(f.handles), len(c.partitions))
			continue
		}
		for i, entries := range c.partitions {
			b := p.NewBuilder()
			for _, entry := range strings.Fields(entries) {
				b.Add([]byte(entry))
			}
			want, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			if got := f.partitions[f.handles[i]]; !bytes.Equal(got, want) {
				t.Errorf("%s: partition %d has %d bytes and is not the filter of %q, of %d bytes", name, i, len(got), entries, len(want))
			}
		}
	}
}

package policy_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// TestRocksDBsOptionStrings has texts and what RocksDB 9.7.4 and 10.5.1 both made of them: the id of the policy, or
// "refused". (RocksDB 7.8: internal/test/modules/rocksdb.)
func TestRocksDBsOptionStrings(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "option-strings.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	read := 0
	for lines.Scan() {
		quoted, id, _ := strings.Cut(lines.Text(), "\t")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatal(err)
		}
		if id == "refused" {
			checkRefused(t, text)
		} else {
			checkSame(t, text, id)
			read++
		}
	}
	if lines.Err() != nil || read < 80 {
		t.Errorf("%d texts are read, %v", read, lines.Err())
	}
}

// TestObjects: names that RocksDB does not have may be ids, too. No filter is one that may contain every key.
func TestObjects(t *testing.T) {
	for text, same := range map[string]string{
		"": "bloomfilter:0", "nullptr": "bloomfilter:0", "{id=rocksdb.BuiltinBloomFilter}": "bloomfilter:0",

		"id=speedb.PairedBloomFilter:23.4":      "speedb.PairedBloomFilter:23.4",
		"{id=simdbloom.Linear:17}":              "simdbloom.Linear:17",
		"{ id = {simdbloom.Paired:16} ; }":      "simdbloom.Paired:16",
		"id=simdbloom.Paired32.XXPH3:16":        "speedb.PairedBloomFilter:16",
		"{{id=leveldb.BuiltinBloomFilter2:10}}": "leveldb.BuiltinBloomFilter2:10",
		"bloomfilter:10:true":                   "bloomfilter:10",

		`id=ribbonfilter:10;bloom_before_level=\r2`: "ribbonfilter:10:2",
		`id=ribbonfilter:10;bloom_before_level=\n3`: "ribbonfilter:10:3",
		"id=ribbonfilter:10;bloom_before_level=1g":  "ribbonfilter:10:1073741824",
	} {
		checkSame(t, text, same)
	}
	for _, text := range []string{
		"id=simdbloom.Ribbon:10;bloom_before_level=0", "{id=simdbloom.Linear:17;bits=17}", "id=bloomfilter:10\n;\x00=", "id=simdbloom.Linear",
		"=5;id=simdbloom.Linear:17", "id=simdbloom.Linear:17;=", "id={simdbloom.Linear:17", "id={simdbloom.Linear:17}x", "id=simdbloom.Linear:17;bits_per_key={",
	} {
		checkRefused(t, text)
	}
}

// TestMistakesInObjects: the error says what is wrong with a text.
func TestMistakesInObjects(t *testing.T) {
	for text, want := range map[string]string{
		"id={simdbloom.Linear:17":   "a brace is not closed",
		"id={simdbloom.Linear:17}x": "must be a semicolon",
		"=5;id=simdbloom.Linear:17": "an option has no key",
	} {
		if _, err := policy.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// checkSame: a text is read as the plain name, and its policy builds the same filters in every level.
func checkSame(t *testing.T, text, same string) {
	t.Helper()
	p, err := policy.Parse(text)
	if err != nil || p.String() != text {
		t.Errorf("%q: %v, %v", text, p, err)
		return
	}
	keys := vectors.Keys("le64", 0, 200)
	q := parse(t, same)
	for _, level := range []int{-1, 0, 1, 2, 3, 4, 5, 6, 2047, 2048, 1 << 30} {
		got, want := build(t, p.NewBuilder(policy.WithLevel(level)), keys), build(t, q.NewBuilder(policy.WithLevel(level)), keys)
		if !bytes.Equal(got, want) || p.Name() != q.Name() {
			t.Errorf("%q: not as %s in level %d", text, same, level)
		}
	}
}

func checkRefused(t *testing.T, text string) {
	t.Helper()
	p, err := policy.Parse(text)
	if p != nil || err == nil || !strings.HasPrefix(err.Error(), "policy: Could not load FilterPolicy: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%q: %v, %v", text, p, err)
	}
}

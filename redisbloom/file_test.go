package redisbloom_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/redisbloom"
)

// replies returns what "redis-cli --raw BF.SCANDUMP" prints until the iterator is 0: the bytes of the links in parts
// of at most the given size, which no part exceeds.
func replies(data []byte, links []redisbloom.Link, headerBytes, most int) (all []byte) {
	all = fmt.Appendf(nil, "1\n%s\n", data[:headerBytes])
	data = data[headerBytes:]
	size, done := len(data)/len(links), 0
	for len(data) > 0 {
		n := min(most, len(data), size-done%size)
		done += n
		all = fmt.Appendf(all, "%d\n%s\n", 1+done, data[:n])
		data = data[n:]
	}
	return all
}

func write(t testing.TB, data []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "dump")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// headerBytes returns the length of a stored dump's header.
func headerBytes(name string, links int) int {
	if name == "v1.1.0" || name == "v1.1.0-noround" || name == "v2.0.3" {
		return 16 + 49*links
	}
	return 20 + 53*links
}

// TestFilesAnswerAsDumps has files of dumps and of replies, whole and without the last one, which is empty.
func TestFilesAnswerAsDumps(t *testing.T) {
	for _, d := range dumps {
		data := stored(t, d.name)
		want := open(t, data)
		var keys [][]byte
		for i := range 3000 {
			keys = append(keys, key(i))
		}
		hits, wanted := make([]bool, len(keys)), make([]bool, len(keys))
		want.ContainsKeys(keys, wanted)
		header := headerBytes(d.name, d.links)
		for i, file := range [][]byte{
			data,
			replies(data, want.Links(), header, 100),
			append(replies(data, want.Links(), header, 1<<20), "0\n\n"...),
			append(replies(data, want.Links(), header, 1), "0\n"...),
			bytes.TrimSuffix(replies(data, want.Links(), header, 1<<20), []byte("\n")),
		} {
			f, err := redisbloom.OpenFile(write(t, file))
			if err != nil {
				t.Fatalf("%s: file %d: %v", d.name, i, err)
			}
			f.ContainsKeys(keys, hits)
			for j := range keys {
				if hits[j] != wanted[j] || f.Contains(keys[j]) != wanted[j] {
					t.Fatalf("%s: file %d: key %d: not %v", d.name, i, j, wanted[j])
				}
			}
			if !bytes.Equal(f.Bytes(), data) || f.Verify() != nil || f.EstimatedFPR() != want.EstimatedFPR() {
				t.Errorf("%s: file %d: other bytes", d.name, i)
			}
			f.Close()
			f.Close()
		}
		if !redisbloom.IsDump(data[:min(len(data), 128)]) || !redisbloom.IsDump(append([]byte("1\n"), data[:73]...)) {
			t.Errorf("%s: no dump", d.name)
		}
	}
}

func TestCorruptFiles(t *testing.T) {
	data := stored(t, "noround")
	header := headerBytes("noround", 4)
	all := replies(data, open(t, data).Links(), header, 1000)
	second := 2 + header + 1
	line, _, _ := bytes.Cut(all[second:], []byte("\n"))
	end, _ := strconv.Atoi(string(line))
	last := 1 + len(data) - header
	changed := func(at int, text string) []byte {
		b := bytes.Clone(all)
		copy(b[at:], text)
		return b
	}
	for _, c := range []struct {
		data []byte
		says string
	}{
		{nil, "too short for a header"},
		{[]byte("1\n"), "too short for a header"},
		{data[:len(data)-1], "too short for the links' bits"},
		{all[:len(all)-2], "a part is missing"},
		{all[:second], "too short for the links' bits, and the last reply, of the iterator 0, is missing: call BF.SCANDUMP until it returns 0"},
		{all[:second+len(line)+end+1], "the iterator 0, is missing"}, // a whole reply
		{append(bytes.Clone(all), "3000\n"...), "a part is missing"},
		{append(bytes.Clone(all), "x"...), "a part is missing"},
		{fmt.Appendf(bytes.Clone(all), "%d\n\n", last), "a part is missing"},
		{fmt.Appendf(bytes.Clone(all), "%d\n\n", last-1), "a part is missing"},
		{append(bytes.Clone(all), "0\nmore\n"...), "a part is missing"},
		{append(bytes.Clone(all), "2648\n0123456789\n"...), "corrupt"},
		{changed(second, "1\n"), fmt.Sprintf("the reply at byte %d does not continue", second)},
		{changed(second, "x"), "a part is missing"},
		{changed(second, "99999999999999999999999999\n"), "a part is missing"},
		{changed(second, "18446744073709551615\n"), "a part is missing"},
		{changed(second-1, "x"), "corrupt"},
		{changed(second+len(line)+end, "x"), "a part is missing"}, // in place of the newline behind bits
		{bytes.Repeat([]byte("1\n"), 100), "corrupt"},
	} {
		f, err := redisbloom.OpenFile(write(t, c.data))
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) || f != nil {
			t.Errorf("%q: %v, want %q", c.data[:min(len(c.data), 20)], err, c.says)
		}
	}
	_, err := redisbloom.OpenFile(write(t, append(bytes.Clone(all[:second]), "0\n\n"...)))
	if !errors.Is(err, simdbloom.ErrCorrupt) || strings.Contains(err.Error(), "iterator") {
		t.Errorf("replies that end without the bits: %v", err)
	}
	path := write(t, nil)
	for n := 0; n < len(all)-1; n += 1 + n%7 {
		if err := os.WriteFile(path, all[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := redisbloom.OpenFile(path); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("%d of %d bytes: %v", n, len(all), err)
		}
	}
	for _, text := range []string{"", "1\n", "text", strings.Repeat("x", 200), string(make([]byte, 200)), "\x01" + string(make([]byte, 100))} {
		if redisbloom.IsDump([]byte(text)) {
			t.Errorf("%q is a dump", text)
		}
	}
	if _, err := redisbloom.OpenFile(t.TempDir()); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := redisbloom.OpenFile(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestClosedFiles uses what is left of a file that is closed.
func TestClosedFiles(t *testing.T) {
	f, err := redisbloom.OpenFile(write(t, stored(t, "rounded")))
	if err != nil {
		t.Fatal(err)
	}
	filter := f.Filter
	f.Close()
	for range 5 {
		runtime.GC()
		if hits := make([]bool, 1); true {
			if filter.ContainsKeys([][]byte{key(3)}, hits); !hits[0] || !filter.Contains(key(2)) {
				t.Fatal("no key")
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f.Contains(key(1))
}

// TestClosedFilesAreUnmapped, once nothing uses them.
func TestClosedFilesAreUnmapped(t *testing.T) {
	path := write(t, stored(t, "rounded"))
	mapped := func() bool {
		maps, _ := os.ReadFile("/proc/self/maps")
		return bytes.Contains(maps, []byte(path))
	}
	f, err := redisbloom.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !mapped() {
		t.Skip("the system does not list mapped files")
	}
	runtime.GC()
	if !mapped() || !f.Contains(key(1)) {
		t.Error("unmapped before it is closed")
	}
	f.Close()
	for range 100 {
		if runtime.GC(); !mapped() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("still mapped")
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRedisBloomDumps: info, check and verify read dumps, which RedisBloom wrote with the keys 0 to 999, and replies of
// redis-cli. The number of those that are present among the keys 1,000 to 19,999 is RedisBloom's answer.
func TestRedisBloomDumps(t *testing.T) {
	folder := t.TempDir()
	var rows strings.Builder
	rows.WriteString("n,key\n")
	for i := range 20_000 {
		key := fmt.Sprint(i) + strings.Repeat(string([]byte{byte(i)}), i%40)
		fmt.Fprintf(&rows, "%d,\"%s\"\n", i, strings.ReplaceAll(key, `"`, `""`))
	}
	for _, d := range []struct {
		name                 string
		header               int
		keys, links, present int
		hash                 string
	}{
		{"noround", 232, 996, 4, 146, "MurmurHash64A"},
		{"rounded", 179, 997, 3, 153, "MurmurHash64A"},
		{"narrow", 179, 994, 3, 152, "MurmurHash2"},
		{"v2.0.3", 163, 989, 3, 245, "MurmurHash64A"},
		{"raw", 73, 1000, 1, 10, "MurmurHash64A"},
	} {
		data, err := os.ReadFile(filepath.Join("..", "..", "redisbloom", "testdata", d.name+".dump"))
		if err != nil {
			t.Fatal(err)
		}
		for name, file := range map[string]string{
			"dump":    string(data),
			"replies": fmt.Sprintf("1\n%s\n%d\n%s\n0\n\n", data[:d.header], 1+len(data)-d.header, data[d.header:]),
		} {
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := must(t, folder, rows.String(), "check -raw -csv=key -json {}/"+name); got != fmt.Sprintf(`{"keys":20000,"may_contain":%d}`+"\n", 1000+d.present) {
				t.Errorf("%s, %s: %s", d.name, name, got)
			}
			if got := must(t, folder, rows.String(), "check -raw -csv=key -v -count {}/"+name); got != fmt.Sprintln(19_000-d.present) {
				t.Errorf("%s, %s: %s absent keys", d.name, name, got)
			}
			if got := must(t, folder, "1\n0\n999999999\n80\n", "check {}/"+name); got != "0\n80\n" {
				t.Errorf("%s, %s: %q", d.name, name, got)
			}
			var f facts
			rate := 1.5 * float64(d.present) / 19_000
			if err := json.Unmarshal([]byte(must(t, folder, "", "info -json -estimate {}/"+name)), &f); err != nil || f.Kind != redisKind || f.Keys != int64(d.keys) || f.Layers != d.links ||
				f.Hash != d.hash || f.Bytes != int64(len(data)) || f.PredictedFPR > rate || d.name != "raw" && f.PredictedFPR < rate/3 || *f.EstimatedFPR > rate {
				t.Errorf("%s, %s: %+v, %v", d.name, name, f, err)
			}
			must(t, folder, "", "verify {}/"+name)
		}
	}
	if text := must(t, folder, "", "info {}/dump"); !strings.Contains(text, "kind           RedisBloom dump") || !strings.Contains(text, "made for       1,485 keys, rate 0.005") {
		t.Error(text)
	}
}

// TestCorruptRedisBloomDumps has a dump of one key, whose first bytes are those of DCSO's filters, too.
func TestCorruptRedisBloomDumps(t *testing.T) {
	folder := t.TempDir()
	whole := []byte("\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00\x02\x00\x00\x00" +
		"\x08\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" +
		"\x7b\x14\xae\x47\xe1\x7a\x74\x3f\xe9\x86\x2f\xb2\x35\x0e\x26\x40" +
		"\x08\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x11\x80\x08\x40\x04\x00\x22")
	put := func(data string) {
		if err := os.WriteFile(filepath.Join(folder, "a"), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(string(whole))
	if got := must(t, folder, "apple\ncherry\n", "check {}/a"); got != "apple\n" {
		t.Error(got)
	}
	for says, data := range map[string]string{
		"too short for the links' bits": string(whole[:len(whole)-1]),
		"longer than the links' bits":   string(whole) + "x",
		"a part is missing":             "1\n" + string(whole[:73]) + "\n" + string(whole[73:]) + "\n",
	} {
		put(data)
		for _, command := range []string{"info", "check", "verify"} {
			status, stdout, stderr := call(t, folder, "key\n", command+" {}/a")
			if status == 0 || stdout != "" || !strings.Contains(stderr, says) {
				t.Errorf("%s, %s: %d\n%s%s", command, says, status, stdout, stderr)
			}
		}
	}
	changed := bytes.Clone(whole)
	changed[0]++ // the number of keys
	put(string(changed))
	if status, _, stderr := call(t, folder, "", "verify {}/a"); status != 1 || !strings.Contains(stderr, "the links have 1 keys, and the filter 2") {
		t.Errorf("%d, %s", status, stderr)
	}
	if status, _, stderr := call(t, folder, "", "check -rule=added {}/a"); status != 2 {
		t.Errorf("%d, %s", status, stderr)
	}
}

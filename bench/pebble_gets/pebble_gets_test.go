package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

func TestSmallStores(t *testing.T) {
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	if status := run([]string{
		"-json", "-keys=40000", "-gets=2000", "-rounds=1", "-cache=1", "-dir=" + dir,
		"-filters=none,Pebble:10,Legacy:10,FastLocal:10,Paired:23.4,Linear:16,Ribbon:10",
	}, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr.Bytes())
	}
	var out output
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Stores) != 7 {
		t.Fatalf("%d stores, Pebble %s", len(out.Stores), out.Pebble)
	}
	sizes := make(map[string]uint64)
	falsePositives := make(map[string][]uint64)
	for _, st := range out.Stores {
		sizes[st.Filter] = st.FilterBytes
		filtered := st.Filter != "none"
		if (st.FilterBytes > 0) != filtered || st.TableBytes < 40_000*(keyBytes+100) || len(st.Levels) == 0 {
			t.Errorf("%s: %+v", st.Filter, st)
		}
		var keys uint64
		for _, level := range st.Levels {
			keys += level.Keys
		}
		if keys != 40_000 {
			t.Errorf("%s: %d keys", st.Filter, keys)
		}
		for i, l := range lookups {
			r := st.Lookups[i]
			falsePositives[st.Filter] = append(falsePositives[st.Filter], r.FalsePositives)
			if r.Lookup != l.name || r.Gets != 2000 || r.PerSec <= 0 || r.P50 <= 0 || r.P99 < r.P50 || r.Worst < r.P999 {
				t.Errorf("%s, %s: %+v", st.Filter, l.name, r)
			}
			if r.Data+r.Filter > r.All || !filtered && (r.Data == 0 || r.Filter > 0) {
				t.Errorf("%s, %s: %+v", st.Filter, l.name, r.Reads)
			}
			if l.name == "absent, Get with L6's filters" && (r.Queried >= 2000) != filtered || r.FPR > 0.05 {
				t.Errorf("%s: %d filters queried, rate %v", st.Filter, r.Queried, r.FPR)
			}
		}
	}
	if a, b := falsePositives["Pebble:10"], falsePositives["Legacy:10"]; !slices.Equal(a, b) || sizes["Pebble:10"] != sizes["Legacy:10"] {
		t.Errorf("false positives %d with Pebble's own reader, and %d in the same bytes", a, b)
	}
	if linear, paired := sizes["Linear:16"], sizes["Paired:23.4"]; linear < 2*38_000 || linear > 2*40_000+1000 || linear*5 > paired*4 {
		t.Errorf("filters of %d bytes at 16 bits/key, and %d at 23.4", linear, paired)
	}
	if ribbon, bloom := sizes["Ribbon:10"], sizes["FastLocal:10"]; ribbon*5 > bloom*4 {
		t.Errorf("Ribbon filters of %d bytes, and Bloom filters of %d", ribbon, bloom)
	}
}

func TestText(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-keys=2000", "-gets=1000", "-rounds=1", "-dir=" + t.TempDir(), "-filters=Paired:23.4"}, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr.Bytes())
	}
	for _, want := range []string{"2000 keys of 16 bytes", "Paired:23.4", "== stores", "== absent, DB.Get", "== present, Get with L6's filters", "95 % interval"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is missing in\n%s", want, stdout.Bytes())
		}
	}
}

func TestInterruptCleansUp(t *testing.T) {
	dir := t.TempDir()
	s, err := parseSettings([]string{"-keys=2000", "-gets=1000", "-rounds=1", "-dir=" + dir, "-filters=Paired:23.4"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(command.ErrInterrupted)
	if err := new(output).measure(ctx, s, new(progress.Bar)); !errors.Is(err, command.ErrInterrupted) {
		t.Error(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("left %v, %v", files, err)
	}
}

func TestKeysDiffer(t *testing.T) {
	seen := make(map[string]bool)
	for i := range 1000 {
		key := appendKey(nil, i)
		if len(key) != keyBytes || seen[string(key)] {
			t.Fatalf("key %d: %x", i, key)
		}
		seen[string(key)] = true
	}
	for n := range 20 {
		if value := appendValue(nil, 1, n); len(value) != n {
			t.Errorf("value of %d bytes, not %d", len(value), n)
		}
	}
}

func TestSettingsThatAreRefused(t *testing.T) {
	for _, args := range [][]string{
		{"-filters=Bloom:10"},
		{"-filters=Paired"},
		{"-filters=Paired:NaN"},
		{"-filters=Linear"},
		{"-filters=Ribbon"},
		{"-filters=Pebble:9.5"},
		{"-filters=Legacy:9.5"},
		{"-filters="},
		{"-keys=10"},
		{"-gets=1"},
		{"-rounds=0"},
		{"-cache=0"},
		{"-value_bytes=-1"},
		{"more"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(args, &stdout, &stderr); status != 2 || stderr.Len() == 0 {
			t.Errorf("%v: exit status %d, %q", args, status, stderr.String())
		}
	}
}

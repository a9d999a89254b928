package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// small are the flags of little work, for peers that have one rate each.
func small(out string, more ...string) []string {
	return append([]string{"-rounds=1", "-queries=1000", "-largest=13", "-rate_queries=1000", "-peers=cuckoo|fuse 8", "-o=" + out}, more...)
}

// measured runs the command and returns what it has written, and its log.
func measured(t *testing.T, out string, args []string) (*results.Run, string) {
	t.Helper()
	var log bytes.Buffer
	if status := run(args, new(bytes.Buffer), &log); status != 0 {
		t.Fatalf("status %d: %s", status, &log)
	}
	measured, err := results.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if parts, _ := filepath.Glob(out + ".part*"); parts != nil {
		t.Errorf("%q are left", parts)
	}
	return measured, log.String()
}

// TestGoesOn interrupts a run after its times and one of its rates.
func TestGoesOn(t *testing.T) {
	out := filepath.Join(t.TempDir(), "peers.json")
	whole, _ := measured(t, out, small(out))
	times := whole.Peer("cuckoo").Sizes[0].Build[0]
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	whole.Peer("cuckoo").Rates = nil
	whole.Peer("binary fuse 8").Rates[0].FalsePositives = 12345 // which nothing measures
	s := &settings{out: out}
	if err := s.keep(whole); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	if status := run(small(out, "-rounds=2"), new(bytes.Buffer), &log); status != 1 || !strings.Contains(log.String(), "other settings") {
		t.Errorf("a part of other settings: status %d, %s", status, &log)
	}
	again, text := measured(t, out, small(out))
	if !strings.Contains(text, "going on with "+out+".part") {
		t.Errorf("log %q", text)
	}
	if again.Peer("cuckoo").Sizes[0].Build[0] != times || again.Peer("binary fuse 8").Rates[0].FalsePositives != 12345 {
		t.Error("what was kept was measured again")
	}
	if rates := again.Peer("cuckoo").Rates; len(rates) != 1 || rates[0].Queries == 0 {
		t.Errorf("the rest was not measured: %+v", rates)
	}
}

// TestOnly measures rates again, of one peer and of one that was not there, and the times of all.
func TestOnly(t *testing.T) {
	out := filepath.Join(t.TempDir(), "peers.json")
	first, _ := measured(t, out, small(out))
	rates, _ := measured(t, out, small(out, "-only=rates", "-peers=fuse", "-rate_queries=600000"))
	var names []string
	for _, p := range rates.Peers {
		names = append(names, p.Name)
	}
	if want := []string{"binary fuse 8", "binary fuse 16", "cuckoo"}; !reflect.DeepEqual(names, want) {
		t.Fatalf("peers %q, want %q", names, want)
	}
	if got := rates.Peer("binary fuse 8"); !reflect.DeepEqual(got.Sizes, first.Peer("binary fuse 8").Sizes) || got.Rates[0].Queries <= first.Peer("binary fuse 8").Rates[0].Queries {
		t.Errorf("%+v", got)
	}
	if got := rates.Peer("cuckoo"); !reflect.DeepEqual(got, first.Peer("cuckoo")) {
		t.Errorf("a peer that was not to be measured changed: %+v", got)
	}
	times, _ := measured(t, out, small(out, "-only=times", "-peers=", "-rounds=2"))
	if len(times.Peers) != len(peers) || times.Rounds != 2 {
		t.Errorf("%d peers, %d rounds", len(times.Peers), times.Rounds)
	}
	for _, p := range times.Peers {
		if len(p.Sizes) != 1 || len(p.Sizes[0].Batch) != 2 {
			t.Errorf("%s: %+v", p.Name, p.Sizes)
		}
		if before := rates.Peer(p.Name); before != nil && !reflect.DeepEqual(p.Rates, before.Rates) {
			t.Errorf("%s: rates %+v", p.Name, p.Rates)
		}
	}
}

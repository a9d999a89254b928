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

// small are the flags of little work, for peers that have few rates.
func small(out string, more ...string) []string {
	return append([]string{"-rounds=1", "-queries=1000", "-largest=13", "-rate_queries=1000", "-peers=ristretto|fuse", "-o=" + out}, more...)
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

// TestGoesOn interrupts a run after its rates and the times of one.
func TestGoesOn(t *testing.T) {
	out := filepath.Join(t.TempDir(), "peers.json")
	whole, _ := measured(t, out, small(out))
	times := whole.Peer("ristretto").Sizes[0].Build[0]
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	for _, p := range whole.Peers {
		p.Sizes = p.Sizes[:1]
	}
	whole.Peer("binary fuse").Rates[0].FalsePositives = 12345 // which nothing measures
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
	if again.Peer("ristretto").Sizes[0].Build[0] != times || again.Peer("binary fuse").Rates[0].FalsePositives != 12345 {
		t.Error("what was kept was measured again")
	}
	if sizes := again.Peer("ristretto").Sizes; len(sizes) != 2 || len(sizes[1].Batch) != 1 {
		t.Errorf("the rest was not measured: %+v", sizes)
	}
}

// TestOnly measures rates again, of one peer and of one that was not there, and the times of those
// that have rates.
func TestOnly(t *testing.T) {
	out := filepath.Join(t.TempDir(), "peers.json")
	first, _ := measured(t, out, small(out))
	rates, _ := measured(t, out, small(out, "-only=rates", "-peers=fuse|cuckoo", "-rate_queries=600000"))
	var names []string
	for _, p := range rates.Peers {
		names = append(names, p.Name)
	}
	if want := []string{"ristretto", "binary fuse", "cuckoo"}; !reflect.DeepEqual(names, want) {
		t.Fatalf("peers %q, want %q", names, want)
	}
	if got := rates.Peer("binary fuse"); !reflect.DeepEqual(got.Sizes, first.Peer("binary fuse").Sizes) || got.Rates[0].Queries <= first.Peer("binary fuse").Rates[0].Queries {
		t.Errorf("%+v", got)
	}
	if got := rates.Peer("ristretto"); !reflect.DeepEqual(got, first.Peer("ristretto")) {
		t.Errorf("a peer that was not to be measured changed: %+v", got)
	}
	times, _ := measured(t, out, small(out, "-only=times", "-peers=", "-rounds=2"))
	if len(times.Peers) != len(peers) || times.Rounds != 2 {
		t.Errorf("%d peers, %d rounds", len(times.Peers), times.Rounds)
	}
	for _, name := range []string{"FastLocal", "ristretto", "binary fuse"} {
		if sizes := times.Peer(name).Sizes; len(sizes) != 2 || len(sizes[0].Batch) != 2 {
			t.Errorf("%s: %+v", name, sizes)
		}
	}
	for _, p := range times.Peers {
		if before := rates.Peer(p.Name); before != nil && !reflect.DeepEqual(p.Rates, before.Rates) {
			t.Errorf("%s: rates %+v", p.Name, p.Rates)
		}
	}
}

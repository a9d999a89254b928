//go:build race

package sliced_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/sliced"
)

// TestRacesAreFound: the race detector finds what changes Filters beside lookups. Each race happens in a process of its
// own, which fails.
func TestRacesAreFound(t *testing.T) {
	const planted = "SIMDBLOOM_PLANTED_RACE"
	s, filters, hashes := newFilters(someFilters(100)), someFilters(40), []uint64{1, 2}
	lookups := func(s *sliced.Filters) {
		s.AppendHits(nil, 1)
		for range s.Hits(hashes) {
		}
		for range s.Candidates(hashes, []uint64{3}) {
		}
	}
	races := map[string][2]func(){
		"":                         {func() { lookups(s) }, func() { lookups(s); s.Filter(3); s.SizeBytes() }},
		"Append and a lookup":      {func() { s.Append(filters[0]) }, func() { s.AppendHits(nil, 1) }},
		"AppendAll and Hits":       {func() { s.AppendAll(filters) }, func() { lookups(s) }},
		"Remove and a lookup":      {func() { s.Remove(7) }, func() { s.AppendHits(nil, 1) }},
		"Remove and Candidates":    {func() { s.Remove(7) }, func() { lookups(s) }},
		"Append and Filter":        {func() { s.Append(filters[0]) }, func() { s.Filter(3) }},
		"Append twice":             {func() { s.Append(filters[0]) }, func() { s.Append(filters[1]) }},
		"Remove and saving a file": {func() { s.Remove(7) }, func() { s.WriteFile(os.DevNull + "/no") }},
	}
	if name, ok := os.LookupEnv(planted); ok {
		done := make(chan bool)
		go func() {
			races[name][0]()
			done <- true
		}()
		races[name][1]()
		<-done
		return
	}
	for name := range races {
		var said []byte
		var err error
		found := false
		for range 3 { // the detector may miss one on a busy machine
			c := exec.Command(os.Args[0], "-test.run=^TestRacesAreFound$")
			c.Env = append(os.Environ(), planted+"="+name)
			said, err = c.CombinedOutput()
			if found = strings.Contains(string(said), "DATA RACE"); found {
				break
			}
		}
		if found != (name != "") || found != (err != nil) {
			t.Errorf("%q: %v, %s", name, err, said)
		}
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/policy"
)

// filesOf is where a store's filter files are. Each is named for its first key's number, and records how
// many keys it has, whose numbers follow. A kill leaves the old file or the new one.
func filesOf(store string) string { return filepath.Clean(store) + ".filters" }

// writeFile replaces one of the thread's filter files by a filter that is built of batches, and looks up
// keys in it.
func (t *thread) writeFile() error {
	t.tally[filterFiles].Add(1)
	choice := t.plan.Policies[t.random.IntN(numLevels)]
	kind := kindOf(choice.Text)
	if kind.ofPebble() {
		return nil
	}
	p, err := policy.Parse(kind.recorded + ":" + strings.Split(choice.Text, ":")[1])
	if err != nil {
		return err
	}
	first := t.lo + t.random.IntN(4)*(t.hi-t.lo)/4
	keys := appendKeys(nil, first, first+1+t.random.IntN(2<<t.random.IntN(14)))
	b := p.NewBuilder(choice.options()...)
	for from := 0; from < len(keys); {
		batch := keys[from:min(from+batchSize(t.random), len(keys))]
		switch t.random.IntN(3) {
		case 0:
			b.AddKeys(batch)
		case 1:
			b.AddHashes(p.Hash().AppendHashes(nil, batch))
		default:
			for _, key := range batch {
				b.Add(key)
			}
		}
		from += len(batch)
	}
	f, err := b.Filter()
	if err != nil {
		return err
	}
	path := filepath.Join(filesOf(t.plan.Store), strconv.Itoa(first))
	if err := filterfile.WriteFile(path, f, filterfile.WithKeys(len(keys))); err != nil {
		return err
	}
	return t.verifyFile(path)
}

// verifyFiles reads all filter files, and looks up their keys.
func (s *store) verifyFiles() error {
	entries, err := os.ReadDir(filesOf(s.plan.Store))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(filesOf(s.plan.Store), entry.Name())
		if strings.HasPrefix(entry.Name(), ".") { // a kill left it
			err = os.Remove(path)
		} else {
			err = s.verifyFile(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *store) verifyFile(path string) error {
	s.tally[filtersRead].Add(1)
	first, err := strconv.Atoi(filepath.Base(path))
	if err != nil {
		return err
	}
	r := generator(s.plan.Seed, first)
	f, err := filterfile.Open(path, sometimesLazy(r)...)
	if err != nil {
		return &failure{err.Error()}
	}
	defer f.Close()
	info := f.Info()
	keys := appendKeys(nil, first, first+int(info.Keys))
	var absent [][]byte
	for i := range max(len(keys), leastAbsent) {
		absent = append(absent, appendMissingKey(nil, first+i))
	}
	positive, err := lookUp(f, keys, absent, r)
	if err == nil && roomy(len(keys), f.SizeBytes()) && !slices.Contains(positive, false) {
		err = errVacuous
	}
	if err != nil {
		return &failure{fmt.Sprintf("filter file %s, %q of %d keys: %v\n  %v", path, info.Format, len(keys), err, s.plan)}
	}
	return nil
}

func sometimesLazy(r *rand.Rand) []filterfile.OpenOption {
	if r.IntN(2) == 0 {
		return nil
	}
	return []filterfile.OpenOption{filterfile.WithLazyCheck()}
}

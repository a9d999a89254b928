package main

import (
	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

// mutable is simdbloom.Mutable.
type mutable struct {
	*root.Mutable
	inMemory
}

func (mutable) own() {}

func (mutable) name() string { return "mutable" }

func (m *mutable) place(_ []byte, fill filling) (bytes int, has chosen, err error) {
	if m.Mutable, err = bloom.NewMutable(int(fill.keys), fill.bitsPerKey, keyhash.XX64); err != nil {
		return 0, chosen{}, err
	}
	m.memory = m.Bytes()
	return m.SizeBytes(), probes(m.NumProbes()), nil
}

func (m *mutable) addHashes(hashes []uint64) {
	f := m.Mutable
	for _, hash := range hashes {
		f.AddHash(hash)
	}
}

func (m *mutable) addKeys(keys [][]byte) {
	f := m.Mutable
	for _, key := range keys {
		f.Add(key)
	}
}

func (m *mutable) turnHashes(added, queried []uint64) (found int) {
	f := m.Mutable
	for i, hash := range added {
		f.AddHash(hash)
		found += tables.One(f.ContainsHash(queried[i]))
	}
	return found
}

func (m *mutable) turnKeys(added, queried [][]byte) (found int) {
	f := m.Mutable
	for i, key := range added {
		f.Add(key)
		found += tables.One(f.Contains(queried[i]))
	}
	return found
}

func (m *mutable) batchHashes(hashes []uint64) { m.AddHashes(hashes) }

func (m *mutable) batchKeys(keys [][]byte) { m.AddKeys(keys) }

// concurrent is simdbloom.Concurrent.
type concurrent struct{ *root.Concurrent }

func (concurrent) own() {}

func (concurrent) shared() {}

func (concurrent) name() string { return "concurrent" }

func (c *concurrent) place(_ []byte, fill filling) (bytes int, has chosen, err error) {
	if c.Concurrent, err = bloom.NewConcurrent(int(fill.keys), fill.bitsPerKey, keyhash.XX64); err != nil {
		return 0, chosen{}, err
	}
	return c.SizeBytes(), probes(c.NumProbes()), nil
}

func (c *concurrent) save() (restore func()) {
	saved := c.Clone()
	return func() {
		c.Reset()
		if err := c.Union(saved); err != nil {
			panic(err) // it is a clone
		}
	}
}

func (c *concurrent) addHashes(hashes []uint64) {
	f := c.Concurrent
	for _, hash := range hashes {
		f.AddHash(hash)
	}
}

func (c *concurrent) addKeys(keys [][]byte) {
	f := c.Concurrent
	for _, key := range keys {
		f.Add(key)
	}
}

func (c *concurrent) turnHashes(added, queried []uint64) (found int) {
	f := c.Concurrent
	for i, hash := range added {
		f.AddHash(hash)
		found += tables.One(f.ContainsHash(queried[i]))
	}
	return found
}

func (c *concurrent) turnKeys(added, queried [][]byte) (found int) {
	f := c.Concurrent
	for i, key := range added {
		f.Add(key)
		found += tables.One(f.Contains(queried[i]))
	}
	return found
}

func (c *concurrent) batchHashes(hashes []uint64) { c.AddHashes(hashes) }

func (c *concurrent) batchKeys(keys [][]byte) { c.AddKeys(keys) }

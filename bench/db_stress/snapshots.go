package main

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"
)

// snapshot is a store as it was, and the versions that a thread's own keys had then.
type snapshot struct {
	*pebble.Snapshot
	versions []version
}

// readSnapshot reads some of this thread's keys from a snapshot, which stays open for some reads. It keeps older
// versions of keys in tables.
func (t *thread) readSnapshot() error {
	t.tally[snapshots].Add(1)
	if t.snapshot.Snapshot == nil {
		t.snapshot.Snapshot = t.NewSnapshot()
		t.snapshot.versions = t.snapshot.versions[:0]
		for i := t.lo; i < t.hi; i++ {
			t.snapshot.versions = append(t.snapshot.versions, t.state.before(i))
		}
	}
	numbers := make([]int, batchSize(t.random))
	for j := range numbers {
		numbers[j] = t.lo + t.random.IntN(t.hi-t.lo)
	}
	by, found, err := t.foundInSnapshot(numbers)
	if wrong := (*failure)(nil); errors.As(err, &wrong) {
		return t.ofSnapshot(wrong, wrong.key)
	}
	if err != nil {
		return t.harmless(err)
	}
	for j, i := range numbers {
		v := t.snapshot.versions[i-t.lo]
		if err := t.check(i, by, found[j], span{v, v}); err != nil {
			return t.ofSnapshot(err.(*failure), i)
		}
	}
	if t.oneIn(8) {
		return t.closeSnapshot()
	}
	return nil
}

// foundInSnapshot reads keys in one of the ways.
func (t *thread) foundInSnapshot(numbers []int) (by string, found []version, err error) {
	if t.oneIn(2) {
		found, err = t.foundMany(t.snapshot.Snapshot, numbers, t.random)
		return "GetMany of a snapshot", found, err
	}
	g := bothGets[t.random.IntN(2)]
	found = make([]version, len(numbers))
	for j, i := range numbers {
		if found[j], err = t.foundIn(t.snapshot.Snapshot, g, i); err != nil {
			break
		}
	}
	return g.by + " of a snapshot", found, err
}

// ofSnapshot adds to a failure where the key was read.
func (t *thread) ofSnapshot(f *failure, i int) error {
	v := t.snapshot.versions[i-t.lo]
	f.reader, f.want = t.snapshot.Snapshot, span{v, v}
	return f
}

func (t *thread) closeSnapshot() error {
	if t.snapshot.Snapshot == nil {
		return nil
	}
	err := t.snapshot.Close()
	t.snapshot.Snapshot = nil
	return err
}

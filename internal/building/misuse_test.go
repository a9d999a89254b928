package building

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// intruding is a format that calls a function while a filter is filled: a second use of
// the builder at the same time.
type intruding struct {
	pliant
	intrude func()
}

func (i *intruding) layOut(hashes uint64) Format {
	f := i.pliant.layOut(hashes)
	f.Fill = func([]byte, Part, Format) { i.intrude() }
	return f
}

// TestConcurrentUse uses a builder in the middle of Finish. (Two goroutines would be a
// data race, with a random result.)
func TestConcurrentUse(t *testing.T) {
	i := &intruding{pliant: pliant{most: asm.MaxBodyBytes, unit: 1, exactly: asm.BlockBytes}}
	b := newBuilder(i.layOut, *Apply[func(*Options)](nil))
	finishes := map[string]func(){
		"Finish":       func() { _, _ = b.Finish() },
		"AppendFinish": func() { _, _ = b.AppendFinish(nil) },
	}
	for finish, during := range finishes {
		for what, use := range map[string]func(){
			"Add":          func() { b.Add([]byte("key")) },
			"AddString":    func() { b.AddString("key") },
			"AddKeys":      func() { b.AddKeys([][]byte{{1}}) },
			"AddUint64":    func() { b.AddUint64(1) },
			"AddColumn":    func() { b.AddColumn(keyhash.Values([]uint64{1})) },
			"AddHash":      func() { b.AddHash(1) },
			"AddHashes":    func() { b.AddHashes([]uint64{1}) },
			"Finish":       finishes["Finish"],
			"AppendFinish": finishes["AppendFinish"],
			"Reset":        b.Reset,
		} {
			i.intrude = use
			b.AddHashes([]uint64{1, 2, 3})
			said := panicOf(during)
			if said != "simdbloom: concurrent use of a Builder" {
				t.Errorf("%s during %s: panic %v", what, finish, said)
			}
			i.intrude = func() {}
			if data, err := b.Finish(); err != nil || len(data) == 0 || b.Len() != 0 {
				t.Errorf("%s during %s: the builder is unusable after the panic: %v", what, finish, err)
			}
		}
	}
}

func panicOf(f func()) (said any) {
	defer func() { said = recover() }()
	f()
	return nil
}

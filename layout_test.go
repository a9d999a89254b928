package simdbloom

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
)

// TestFiltersAreWholeCacheLines: Go allocates sizes that are multiples of 64 at such addresses, and a
// lookup then reads one line of the filter.
func TestFiltersAreWholeCacheLines(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) < 8 {
		t.Skip("the sizes are those of 64-bit machines")
	}
	if size := unsafe.Sizeof(Filter{}); size > 192 {
		t.Errorf("a Filter has %d bytes: a thousand of them are looked up at the speed of their lines", size)
	}
	for name, size := range map[string]uintptr{
		"Filter": unsafe.Sizeof(Filter{}), "Mutable": unsafe.Sizeof(Mutable{}), "Concurrent": unsafe.Sizeof(Concurrent{}),
	} {
		if size%64 != 0 {
			t.Errorf("a %s has %d bytes", name, size)
		}
	}
	if f, m := new(Filter), new(Mutable); f.first() != &f.kernel || m.first() != &m.kernel {
		t.Error("the kernel is not first")
	}
}

// TestNilFilters: lookups do not compare with nil by themselves.
func TestNilFilters(t *testing.T) {
	for name, use := range map[string]func(f *Filter, m *Mutable){
		"ContainsHash":    func(f *Filter, _ *Mutable) { f.ContainsHash(1) },
		"Contains":        func(f *Filter, _ *Mutable) { f.Contains([]byte("key")) },
		"Contains, empty": func(f *Filter, _ *Mutable) { f.Contains(nil) },
		"Add":             func(_ *Filter, m *Mutable) { m.Add([]byte("key")) },
		"AddHash":         func(_ *Filter, m *Mutable) { m.AddHash(1) },
		"AddHashIfAbsent": func(_ *Filter, m *Mutable) { m.AddHashIfAbsent(1) },
	} {
		for _, level := range []cpu.Level{cpu.Generic, cpu.Machine()} {
			func() {
				defer cpu.Limit(level)()
				defer func() {
					if _, ok := recover().(runtime.Error); !ok {
						t.Errorf("%s, %v: no panic of the runtime", name, level)
					}
				}()
				use(nil, nil)
			}()
		}
	}
}

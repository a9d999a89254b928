//go:build linux

package powercut

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
)

type kind int

const (
	write    kind = iota
	truncate      // or extend with zeros
	put           // a name, of a new node or one that has another name
	drop          // a name
	move          // of a name inside a folder
	sync
)

// operation changes a disk, or stores changes.
type operation struct {
	kind   kind
	of     *node // the file, or the folder whose names change
	name   string
	child  *node
	to     string // move: the new name
	offset int64  // write; truncate: the size
	data   []byte
	covers int // sync: the operations before it that it stores
	failed bool
}

// numbers are in the names of files and layers, and differ in each run.
var numbers = regexp.MustCompile(`[0-9a-f]{16,}|[0-9]{6,}`)

// String is the same text in each run.
func (o *operation) String() string {
	path := func(name string) string { return o.of.path + "/" + name }
	text := ""
	switch o.kind {
	case write:
		text = fmt.Sprintf("write %s: %d bytes at %d", o.of.path, len(o.data), o.offset)
	case truncate:
		text = fmt.Sprintf("truncate %s: %d bytes", o.of.path, o.offset)
	case put:
		text = fmt.Sprintf("make %s", path(o.name))
	case drop:
		text = fmt.Sprintf("remove %s", path(o.name))
	case move:
		text = fmt.Sprintf("rename %s to %s", path(o.name), o.to)
	case sync:
		text = fmt.Sprintf("fsync %s", o.of.path)
	}
	return numbers.ReplaceAllString(text, "N")
}

// fate says how much of an operation that was not stored is on the disk.
type fate byte

const (
	kept fate = iota
	lost
	zeros // of a write: in the place of its bytes
	torn  // of a write: the first half
)

// fates returns how many may become of an operation.
func (o *operation) fates() int {
	if o.kind == write {
		return 4
	}
	return 2
}

// apply changes the disk.
func (o *operation) apply(d *disk, became fate) {
	names := d.entries[o.of]
	if names == nil && o.kind >= put && o.kind <= move { // a folder that was made
		names = make(map[string]*node)
		d.entries[o.of] = names
	}
	switch {
	case became == lost || o.kind == sync:
	case o.kind == write:
		data := o.data
		if became == torn {
			data = data[:len(data)/2]
		}
		end := int(o.offset) + len(data)
		copied := d.resize(o.of, max(len(d.bytes[o.of]), end))[o.offset:end]
		if copy(copied, data); became == zeros {
			clear(copied)
		}
	case o.kind == truncate:
		d.resize(o.of, int(o.offset))
	case o.kind == put:
		names[o.name] = o.child
	case o.kind == drop:
		delete(names, o.name)
	case o.kind == move:
		if names[o.name] == o.child {
			delete(names, o.name)
		}
		names[o.to] = o.child
	}
}

// history has a writer's operations.
type history struct {
	before     *disk
	operations []operation
	after      *disk
	err        error // the writer's
}

// syncs returns the numbers of the operations that store something.
func (h *history) syncs() (all []int) {
	for i := range h.operations {
		if h.operations[i].kind == sync {
			all = append(all, i)
		}
	}
	return all
}

// state is a disk after a cut.
type state struct {
	*disk
	cut   int
	fates []fate // of all operations
}

// states returns the states after the first operations, as if the one with the number without, a sync, had been left
// out. There are at most about most, and more if each operation alone has another fate.
func (h *history) states(cut, without, most int) iter.Seq[state] {
	var open []int // operations that may be lost
	total := 1
	for i := range cut {
		o := &h.operations[i]
		stored := o.kind == sync
		for j := i + 1; j < cut && !stored; j++ {
			s := &h.operations[j]
			stored = s.kind == sync && s.of == o.of && i < s.covers && !s.failed && j != without
		}
		if !stored {
			open = append(open, i)
			total = min(total*o.fates(), most+1)
		}
	}
	return func(yield func(state) bool) {
		fates := make([]fate, cut)
		give := func() bool {
			d := h.before.clone()
			for i, f := range fates {
				h.operations[i].apply(d, f)
			}
			return yield(state{d, cut, fates})
		}
		set := func(f fate) {
			for _, i := range open {
				if fates[i] = kept; int(f) < h.operations[i].fates() {
					fates[i] = f
				}
			}
		}
		if total <= most {
			for more := true; more; {
				if !give() {
					return
				}
				more = false
				for _, i := range open {
					if fates[i]++; int(fates[i]) < h.operations[i].fates() {
						more = true
						break
					}
					fates[i] = kept
				}
			}
			return
		}
		for f := kept; f <= torn; f++ {
			if set(f); !give() {
				return
			}
			for _, i := range open {
				for of := range fate(h.operations[i].fates()) {
					if f <= lost && of != f {
						set(f)
						if fates[i] = of; !give() {
							return
						}
					}
				}
			}
		}
		random := rand.New(rand.NewPCG(uint64(cut), uint64(len(open))))
		for range most {
			likely := random.Float64()
			for _, i := range open {
				if fates[i] = kept; random.Float64() < likely {
					fates[i] = fate(random.IntN(h.operations[i].fates()))
				}
			}
			if !give() {
				return
			}
		}
	}
}

// describe returns the operations and their fates.
func (s *state) describe(h *history) (lines []string) {
	for i, f := range s.fates {
		lines = append(lines, fmt.Sprintf("%-6s %v", [...]string{"", "lost", "zeros", "torn"}[f], &h.operations[i]))
	}
	return lines
}

// Package hashlog keeps the hashes that a filter's builder collects until their number is
// known.
//
// A small filter's hashes lie in chunks, in the order of arrival. Once their filter would
// be larger than a cache, they are put into 512 lists as they arrive, each for a part of
// the filter. Filling it part by part then stays in the cache, and needs neither a second
// area nor a second pass.
package hashlog

import (
	"iter"
	"math"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
)

// Log is a list of hashes that drops each one that equals the one before it. Only one
// goroutine may use it at a time; after Flush, several may read it together.
type Log struct {
	linear     int // the most hashes that are kept in chunks only
	goroutines int // the most that put hashes into lists
	keepEqual  bool
	countOnly  bool
	mix        Mix
	passOn     func(hashes []uint64) // if not nil, where hashes go instead of being kept
	room       []uint64              // for hashes that are not passed on yet

	last   []uint64 // the memory being filled: a chunk, or the staging of lists; its end is the newest hash
	n      int      // hashes that are not in last
	listed int      // hashes at the beginning of last that are in the lists, too, or passed on: one at most

	chunks chunks
	lists  *lists // nil until they were needed first
	inUse  bool   // the lists are, not the chunks

	busy busy
}

const (
	staged = 4096    // hashes that come one by one until they are put into lists
	fewest = 1024    // hashes that are put into lists without being staged
	share  = 1 << 14 // hashes for which another goroutine pays
	piece  = 1 << 12 // hashes that one of several goroutines puts into lists at a time
)

// New returns an empty log that puts hashes into lists when it has more than linear. For
// long slices it does so with at most the given number of goroutines, and no more than
// GOMAXPROCS.
func New(linear, goroutines int) Log { return Log{linear: linear, goroutines: goroutines} }

// Counted returns a log that has a number of hashes, of which it keeps none: the sizes of filters are computed from it.
func Counted(hashes int) Log { return Log{n: hashes} }

// KeepEqual makes an empty log keep hashes that equal the one before. It must not have lists.
func (l *Log) KeepEqual() { l.keepEqual = true }

// Mix is a one-to-one function of hashes, and its inverse. Both set dst[i] by hashes[i], and dst may be
// the hashes.
type Mix struct{ Do, Undo func(dst, hashes []uint64) }

// MixInLists makes an empty log have mixed hashes in its lists, by whose bits they are chosen. Those
// that are in no list are as they were added. It must not have lists.
func (l *Log) MixInLists(mix Mix) { l.mix = mix }

// CountOnly makes an empty log count hashes, and keep few of them. It must not have lists.
func (l *Log) CountOnly() { l.countOnly, l.keepEqual = true, true }

// PassOn makes an empty log give its hashes away, some at a time and in order, and all that are left in Flush.
// It keeps and yields none, and counts them. It must not have lists.
func (l *Log) PassOn(to func(hashes []uint64)) { l.passOn, l.linear = to, math.MaxInt }

// passed is the number of hashes that are passed on at a time: the first-level cache holds them beside others.
const passed = 1024

// pass passes all hashes on.
func (l *Log) pass() {
	n := len(l.last)
	if n == 0 {
		if l.room == nil {
			l.room = make([]uint64, 0, passed)
		}
		l.last = l.room
		return
	}
	if n > l.listed {
		l.passOn(l.last[l.listed:])
	}
	l.count(n - 1)
	l.last = append(l.last[:0], l.last[n-1])
	l.listed = 1
}

// mostCounted is the most that a log counts which keeps no hashes: their number may be above an int of 32 bits.
const mostCounted = math.MaxInt - chunkSize

// count counts hashes that are not kept.
func (l *Log) count(n int) { l.n = min(l.n, mostCounted-n) + n }

// Len returns the number of hashes kept, or counted.
func (l *Log) Len() int { return l.n + len(l.last) }

// TryAdd is Add where a hash is only stored, and reports false elsewhere. It is inlined, which Add is too large for:
// by a call, adding a number takes 7 % longer in AVX2, and a key 2 to 4 % (Emerald Rapids).
func (l *Log) TryAdd(hash uint64) bool {
	n := len(l.last)
	if l.busy || n == 0 || n == cap(l.last) || l.last[n-1] == hash {
		return false
	}
	l.busy = true
	l.last = append(l.last, hash)
	l.busy = false
	return true
}

// Add appends one hash, unless it equals the one before.
func (l *Log) Add(hash uint64) {
	l.busy.begin()
	if n := len(l.last); n == 0 || n == cap(l.last) {
		l.addGrowing(hash)
	} else if l.last[n-1] != hash || l.keepEqual {
		l.last = l.last[:n+1]
		l.last[n] = hash
	}
	l.busy.end()
}

// addGrowing is Add where last is empty or full.
func (l *Log) addGrowing(hash uint64) {
	n := len(l.last)
	if n > 0 && l.last[n-1] == hash && !l.keepEqual {
		return
	}
	if n == cap(l.last) {
		l.grow()
	}
	l.last = append(l.last, hash)
}

// AddAll appends hashes in order, each unless it equals the one before. It keeps
// nothing of the slice, and no goroutine that it started.
func (l *Log) AddAll(hashes []uint64) {
	l.busy.begin()
	l.addAll(hashes)
	l.busy.end()
}

func (l *Log) addAll(hashes []uint64) {
	if len(hashes) >= fewest {
		if keeps := l.passOn == nil && !l.countOnly; keeps && !l.inUse && len(hashes) > l.linear-l.Len() {
			l.partition()
		}
		if l.inUse {
			l.addPieces(hashes)
			return
		}
	}
	for len(hashes) > 0 {
		n := len(l.last)
		if n == 0 || n == cap(l.last) {
			l.addGrowing(hashes[0])
			hashes = hashes[1:]
			continue
		}
		room := l.last[n:cap(l.last)]
		take := min(len(room), len(hashes))
		kept := take
		if l.keepEqual {
			copy(room, hashes[:take])
		} else {
			kept = asm.CopyUnequal(room, l.last[n-1], hashes[:take])
		}
		l.last = l.last[:n+kept]
		hashes = hashes[take:]
	}
}

// grow makes room for a hash in last.
func (l *Log) grow() {
	switch {
	case l.passOn != nil:
		l.pass()
	case l.countOnly && len(l.last) > 0:
		l.count(len(l.last))
		l.last = l.last[:0]
	case l.inUse:
		l.Flush()
	case l.Len() >= l.linear:
		l.partition()
	default:
		l.n += len(l.last)
		l.last = l.chunks.next(l.last, l.n)
		l.last = l.last[:0:min(cap(l.last), l.linear-l.n)]
	}
}

// partition changes from chunks to lists.
func (l *Log) partition() {
	if l.lists == nil {
		l.lists = newLists(l.mix.Do)
	}
	last := l.last
	l.inUse, l.n, l.last = true, 0, l.lists.staging[:0]
	if len(last) == 0 {
		return
	}
	newest := last[len(last)-1]
	l.chunks.drain(last, l.lists)
	l.listNewest(newest)
}

// Flush puts the hashes that still wait for it into lists, if the log has lists, or passes them on.
func (l *Log) Flush() {
	if l.passOn != nil {
		l.pass()
		return
	}
	if !l.inUse || len(l.last) == l.listed {
		return
	}
	l.lists.add(l.last[l.listed:])
	l.listNewest(l.last[len(l.last)-1])
}

// addPieces puts hashes into lists, a piece by each goroutine.
func (l *Log) addPieces(hashes []uint64) {
	l.Flush()
	before := ^hashes[0]
	if len(l.last) > 0 {
		before = l.last[0]
	}
	n := max(1, min(l.goroutines, runtime.GOMAXPROCS(0), len(hashes)/share))
	l.lists.addPieces(before, hashes, n)
	l.listNewest(hashes[len(hashes)-1])
}

// listNewest notes that all hashes are in lists, and which is the newest: the next ones are
// compared with it.
func (l *Log) listNewest(hash uint64) {
	l.last = append(l.last[:0], hash)
	l.listed = 1
	l.n = l.lists.len() - 1
}

// All yields the hashes, some at a time, as read-only slices. They are in order only while
// they are not in lists. (Not for a log that mixes hashes in lists: read it by List.)
func (l *Log) All() iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) { l.all(yield) }
}

func (l *Log) all(yield func([]uint64) bool) {
	if !l.inUse {
		l.chunks.all(l.last, yield)
		return
	}
	for list := range Lists {
		if !l.lists.all(list, yield) {
			return
		}
	}
	if staged := l.last[l.listed:]; len(staged) > 0 {
		yield(staged)
	}
}

// Partitioned reports whether the hashes are in lists, apart from those that wait for
// Flush.
func (l *Log) Partitioned() bool { return l.inUse }

// List yields the hashes of a list, some at a time, as read-only slices.
func (l *Log) List(list int) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) { l.lists.all(list, yield) }
}

// ListLen returns how many hashes a list has.
func (l *Log) ListLen(list int) int { return l.lists.listLen(list) }

// Reset empties the log; if it was claimed, it stays so. Slices that it yielded must no
// longer be in use. 8 KiB stay for the next use; the rest goes back to the pools
// that all logs share.
func (l *Log) Reset() {
	l.chunks.reset()
	if l.inUse {
		l.lists.reset()
	}
	*l = Log{
		linear: l.linear, goroutines: l.goroutines, keepEqual: l.keepEqual, countOnly: l.countOnly, mix: l.mix,
		passOn: l.passOn, room: l.room,
		chunks: l.chunks, lists: l.lists, busy: l.busy,
	}
}

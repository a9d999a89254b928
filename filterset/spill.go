package filterset

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

// spill keeps hashes in lists, by the top bits that choose a part. A list is a chain of blocks in one file: one
// file, and not one for each list, needs one descriptor, and is written from its beginning to its end. The
// block of a list that is being filled is in memory, and so are all as long as none is full.
type spill struct {
	shift  uint
	lists  []spillList
	room   int    // hashes in a block
	path   string // of the file, which is made when it is needed
	file   *os.File
	blocks uint32 // in the file

	free    chan []uint64
	full    chan fullBlock
	writing sync.WaitGroup
	failed  atomic.Pointer[error]
}

type spillList struct {
	block  []uint64 // that is being filled; its length is the room
	used   int      // hashes in block
	blocks []uint32 // the numbers of those in the file, all full
	last   int      // hashes of the last block in the file, if it is not full
}

type fullBlock struct {
	hashes []uint64
	number uint32
}

const (
	leastBlock = 4 << 10   // bytes
	mostBlock  = 256 << 10 // bytes: disks want no more at a time
	mostQueued = 16        // blocks
)

// newSpill returns a spill of a number of lists, a power of two, which needs at most the given number of bytes of
// memory.
func newSpill(path string, lists int, memory int64) *spill {
	queued := min(mostQueued, max(lists/4, 2))
	block := leastBlock
	for block < mostBlock && int64(2*block)*int64(lists+queued) <= memory {
		block *= 2
	}
	s := &spill{
		shift: partShift(lists), lists: make([]spillList, lists), room: block / 8, path: path,
		free: make(chan []uint64, queued), full: make(chan fullBlock, queued),
	}
	all := aligned.Words((lists + queued) * s.room)
	for i := range s.lists {
		s.lists[i].block, all = all[:s.room:s.room], all[s.room:]
	}
	for range queued {
		s.free <- all[:s.room:s.room]
		all = all[s.room:]
	}
	return s
}

// add puts hashes into their lists.
func (s *spill) add(hashes []uint64) {
	lists, shift := s.lists, s.shift
	for _, hash := range hashes {
		l := &lists[partOf(hash, shift)]
		l.block[l.used] = hash
		if l.used++; l.used == len(l.block) {
			s.next(l)
		}
	}
}

// next gives a list another block, and has the full one written.
func (s *spill) next(l *spillList) {
	block := l.block
	l.used = 0
	if s.failed.Load() != nil {
		return // the hashes are lost anyway
	}
	if s.file == nil && !s.begin() {
		return
	}
	if s.blocks == math.MaxUint32 {
		s.fail(errors.New("too many hashes for the file of hashes"))
		return
	}
	l.blocks = append(l.blocks, s.blocks)
	s.full <- fullBlock{block, s.blocks}
	s.blocks++
	l.block = <-s.free
}

// begin makes the file and starts the goroutine that writes.
func (s *spill) begin() bool {
	file, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		s.fail(err)
		return false
	}
	s.file = file
	s.writing.Add(1)
	go func() {
		defer s.writing.Done()
		for block := range s.full {
			if s.failed.Load() == nil {
				if _, err := file.WriteAt(asBytes(block.hashes), int64(block.number)*int64(8*s.room)); err != nil {
					s.fail(err)
				}
			}
			s.free <- block.hashes[:s.room]
		}
	}()
	return true
}

func (s *spill) fail(err error) {
	err = fmt.Errorf("filterset: the file of hashes: %w", err)
	s.failed.CompareAndSwap(nil, &err)
}

func (s *spill) err() error {
	if failed := s.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// end ends adding. If there is a file, everything is in it afterwards, and the memory is free.
func (s *spill) end() error {
	if s.file == nil {
		return s.err()
	}
	for i := range s.lists {
		l := &s.lists[i]
		if l.last = l.used; l.last > 0 {
			l.block = l.block[:l.last]
			s.next(l)
		}
		l.block = nil
	}
	s.stop()
	return s.err()
}

// stop ends the goroutine that writes.
func (s *spill) stop() {
	if s.full != nil {
		close(s.full)
		s.writing.Wait()
		s.full, s.free = nil, nil
	}
}

// remove closes and removes the file.
func (s *spill) remove() error {
	s.stop()
	if s.file == nil {
		return nil
	}
	s.file.Close()
	s.file = nil
	return os.Remove(s.path)
}

// len returns the number of hashes in a list.
func (s *spill) len(list int) int64 {
	l := &s.lists[list]
	n := int64(len(l.blocks)) * int64(s.room)
	switch {
	case s.file == nil:
		n += int64(l.used)
	case l.last > 0:
		n += int64(l.last - s.room)
	}
	return n
}

// each calls do for all hashes of a list, a block at a time, which the next call overwrites. Several
// goroutines may call it, each with memory of its own for a block.
func (s *spill) each(list int, block []uint64, do func(hashes []uint64)) error {
	l := &s.lists[list]
	if s.file == nil {
		do(l.block[:l.used])
		return nil
	}
	for i, number := range l.blocks {
		hashes := block[:s.room]
		if i == len(l.blocks)-1 && l.last > 0 {
			hashes = hashes[:l.last]
		}
		if _, err := s.file.ReadAt(asBytes(hashes), int64(number)*int64(8*s.room)); err != nil {
			return fmt.Errorf("filterset: the file of hashes: %w", err)
		}
		do(hashes)
	}
	return nil
}

// asBytes returns the memory of hashes. The same program reads the bytes that it writes.
func asBytes(hashes []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(hashes))), 8*len(hashes))
}

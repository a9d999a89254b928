package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/FastFilter/xorfilter"
	bloom "github.com/bits-and-blooms/bloom/v3"
	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/policy"
)

// lookups is the number of lookups after which pages are counted: so few that hardly two read the same page.
const lookups = 300

// measureDisk prints the pages that lookups read of files that the system had dropped.
func measureDisk() (err error) {
	if *folder, err = os.MkdirTemp(*folder, "cold"); err != nil {
		return err
	}
	defer os.RemoveAll(*folder)
	n := 16_000_000
	if *keys != 1e9 {
		n = int(*keys)
	}
	present, absent := hashesFrom(1, n), hashesFrom(2, 1_000_000)
	fmt.Printf("%d keys, pages of %d bytes, %d lookups, absent / present keys\n", n, os.Getpagesize(), lookups)
	fmt.Printf("%-34s %10s %22s %22s\n", "", "BITS/KEY", "PAGES A LOOKUP", "MAJOR FAULTS A LOOKUP")
	for _, text := range []string{"simdbloom.Linear:8.26", "simdbloom.FastLocal:12.13", "simdbloom.SplitBlock:12.13", "simdbloom.Ribbon:8.5"} {
		for _, pieceBytes := range []int{4 << 10, 64 << 10} {
			p, err := policy.Parse(text)
			if err != nil {
				return err
			}
			b := p.NewBuilder()
			b.AddHashes(present)
			f, err := b.Filter()
			if err != nil {
				return err
			}
			name := filepath.Join(*folder, "filter")
			if err := filterfile.WriteFile(name, f, filterfile.WithPieceBytes(pieceBytes)); err != nil {
				return err
			}
			err = show(fmt.Sprintf("%s, pieces of %d KiB", text, pieceBytes>>10), name, n, present, absent, func([]byte) (func(hash uint64) bool, func(), error) {
				f, err := filterfile.Open(name, filterfile.WithLazyCheck())
				if err != nil {
					return nil, nil, err
				}
				return f.ContainsHash, func() { f.Close() }, nil
			})
			if err != nil {
				return err
			}
		}
	}
	fuse, err := xorfilter.PopulateBinaryFuse8(append([]uint64(nil), present...))
	if err != nil {
		return err
	}
	err = showBytes("binary fuse (xorfilter)", fuse.Fingerprints, n, present, absent, func(mapped []byte) func(hash uint64) bool {
		f := *fuse
		f.Fingerprints = mapped
		return f.Contains
	})
	if err != nil {
		return err
	}
	bits := bloom.NewWithEstimates(uint(n), 1.0/256)
	for _, hash := range present {
		bits.Add((*[8]byte)(unsafe.Pointer(&hash))[:])
	}
	words := bits.BitSet().Words()
	return showBytes("bits-and-blooms", unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words)), n, present, absent, func(mapped []byte) func(hash uint64) bool {
		f := bloom.FromWithM(unsafe.Slice((*uint64)(unsafe.Pointer(&mapped[0])), len(words)), bits.Cap(), bits.K())
		return func(hash uint64) bool { return f.Test((*[8]byte)(unsafe.Pointer(&hash))[:]) }
	})
}

// showBytes measures another project's filter, whose bytes are mapped.
func showBytes(what string, data []byte, n int, present, absent []uint64, open func(mapped []byte) func(hash uint64) bool) error {
	name := filepath.Join(*folder, "other")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return err
	}
	return show(what, name, n, present, absent, func(mapped []byte) (func(hash uint64) bool, func(), error) {
		return open(mapped), func() {}, unix.Madvise(mapped, unix.MADV_RANDOM)
	})
}

// show measures lookups of absent keys, and of present ones.
func show(what, name string, n int, present, absent []uint64, open func(mapped []byte) (func(hash uint64) bool, func(), error)) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	var pages, faults [2]float64
	for i, hashes := range [][]uint64{absent, present} {
		mapped, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
		if err != nil {
			return err
		}
		for n := 0; resident(mapped) > 0; n++ {
			if n > 500 {
				return errors.New("the system keeps the file's pages: choose a -folder on a disk")
			}
			runtime.GC() // unmaps files that were closed
			if err := unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		contains, end, err := open(mapped)
		if err != nil {
			return err
		}
		if headers := info.Size() / 65; strings.HasPrefix(what, "simdbloom.Linear") { // they are read first
			if _, err := file.ReadAt(make([]byte, headers), info.Size()-headers); err != nil {
				return err
			}
		}
		before, first := resident(mapped), majorFaults()
		for _, hash := range hashes[:lookups] {
			contains(hash)
		}
		pages[i] = float64(resident(mapped)-before) / lookups
		faults[i] = float64(majorFaults()-first) / lookups
		end()
		unix.Munmap(mapped)
	}
	fmt.Printf("%-34s %10.2f %15.2f / %.2f %15.2f / %.2f\n", what, 8*float64(info.Size())/float64(n), pages[0], pages[1], faults[0], faults[1])
	return nil
}

// resident returns the number of a mapping's pages that are in memory.
func resident(mapped []byte) (n int) {
	size := os.Getpagesize()
	pages := make([]byte, (len(mapped)+size-1)/size)
	if _, _, errno := syscall.Syscall(syscall.SYS_MINCORE, uintptr(unsafe.Pointer(&mapped[0])), uintptr(len(mapped)), uintptr(unsafe.Pointer(&pages[0]))); errno != 0 {
		return -1
	}
	for _, page := range pages {
		n += int(page & 1)
	}
	return n
}

func majorFaults() int64 {
	var usage unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &usage)
	return int64(usage.Majflt)
}

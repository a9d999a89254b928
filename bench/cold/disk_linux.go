package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"github.com/FastFilter/xorfilter"
	bloom "github.com/bits-and-blooms/bloom/v3"
	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// lookups is the number of lookups after which pages are counted: so few that hardly two read the same page.
const lookups = 300

// oneIn256 is the rate of all filters.
const oneIn256 = 1.0 / 256

// measureDisk counts the pages that lookups read of files that the system had dropped.
func measureDisk() (r *onDisk, err error) {
	if *folder, err = os.MkdirTemp(*folder, "cold"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(*folder)
	n := 16_000_000
	if *keys != 1e9 {
		n = int(*keys)
	}
	present, absent := vectors.Hashes(1, n), vectors.Hashes(2, 1_000_000)
	r = &onDisk{Machine: measured.Describe(), Date: time.Now().UTC().Format(time.DateOnly), Keys: n, PageBytes: os.Getpagesize(), Lookups: lookups}
	for _, text := range []string{"simdbloom.Linear", "simdbloom.FastLocal", "simdbloom.SplitBlock", "simdbloom.Ribbon"} {
		for _, pieceBytes := range []int{4 << 10, 64 << 10} {
			if err := r.ours(fmt.Sprintf("%s:fpr=%v", text, oneIn256), pieceBytes, present, absent); err != nil {
				return nil, err
			}
		}
	}
	fuse, err := xorfilter.PopulateBinaryFuse8(append([]uint64(nil), present...))
	if err != nil {
		return nil, err
	}
	err = r.bytes("binary fuse", fuse.Fingerprints, present, absent, func(mapped []byte) func(hash uint64) bool {
		f := *fuse
		f.Fingerprints = mapped
		return f.Contains
	})
	if err != nil {
		return nil, err
	}
	bits := bloom.NewWithEstimates(uint(n), oneIn256)
	for _, hash := range present {
		bits.Add((*[8]byte)(unsafe.Pointer(&hash))[:])
	}
	words := bits.BitSet().Words()
	return r, r.bytes("bits-and-blooms", unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words)), present, absent, func(mapped []byte) func(hash uint64) bool {
		f := bloom.FromWithM(unsafe.Slice((*uint64)(unsafe.Pointer(&mapped[0])), len(words)), bits.Cap(), bits.K())
		return func(hash uint64) bool { return f.Test((*[8]byte)(unsafe.Pointer(&hash))[:]) }
	})
}

// ours measures a policy's filter in a file of its own.
func (r *onDisk) ours(text string, pieceBytes int, present, absent []uint64) error {
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
	filter := pages{Name: f.Format().String(), PieceBytes: pieceBytes}
	return r.measure(filter, name, present, absent, func([]byte) (func(hash uint64) bool, func(), error) {
		f, err := filterfile.Open(name, filterfile.WithLazyCheck())
		if err != nil {
			return nil, nil, err
		}
		return f.ContainsHash, func() { f.Close() }, nil
	})
}

// bytes measures another project's filter, whose bytes are mapped.
func (r *onDisk) bytes(what string, data []byte, present, absent []uint64, open func(mapped []byte) func(hash uint64) bool) error {
	name := filepath.Join(*folder, "other")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return err
	}
	return r.measure(pages{Name: what}, name, present, absent, func(mapped []byte) (func(hash uint64) bool, func(), error) {
		return open(mapped), func() {}, unix.Madvise(mapped, unix.MADV_RANDOM)
	})
}

// measure adds a filter, after lookups of absent keys, and of present ones.
func (r *onDisk) measure(filter pages, name string, present, absent []uint64, open func(mapped []byte) (func(hash uint64) bool, func(), error)) error {
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
		if headers := info.Size() / 65; filter.Name == simdbloom.Linear.String() { // they are read first
			if _, err := file.ReadAt(make([]byte, headers), info.Size()-headers); err != nil {
				return err
			}
		}
		before, first := resident(mapped), majorFaults()
		for _, hash := range hashes[:lookups] {
			contains(hash)
		}
		filter.Pages[i] = float64(resident(mapped)-before) / lookups
		filter.Faults[i] = float64(majorFaults()-first) / lookups
		end()
		unix.Munmap(mapped)
	}
	filter.BitsPerKey = 8 * float64(info.Size()) / float64(len(present))
	r.Filters = append(r.Filters, filter)
	fmt.Fprintln(os.Stderr, filter)
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

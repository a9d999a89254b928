// Package testmem lays out memory for tests: bytes right beside unreadable pages, so that a
// kernel's read or write out of bounds ends the test at once, and filters of gigabytes that
// take hardly any memory. It tells which files are mapped or open. Only tests import it.
package testmem

import (
	"bytes"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// BesideGuards calls f with a copy of data that begins right behind an unreadable page, and
// with one that ends right before one. The copies are valid until the test is over. (On
// systems without such pages, they are ordinary copies.)
func BesideGuards(t testing.TB, data []byte, f func(data []byte)) {
	t.Helper()
	for _, atEnd := range []bool{false, true} {
		placed := Between(t, len(data))
		if atEnd {
			placed = placed[len(placed)-len(data):]
		}
		placed = placed[:len(data):len(data)]
		copy(placed, data)
		f(placed)
	}
}

// Between returns zero bytes that fill the pages between two unreadable ones: n, rounded up
// to whole pages. They are valid until the test is over. (On systems without such pages,
// they are ordinary bytes, n rounded up to a multiple of 64.)
func Between(t testing.TB, n int) []byte {
	t.Helper()
	return between(t, n)
}

// Words returns the same memory as words. It begins at a multiple of 8, as that
// of Between does.
func Words(memory []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/8)
}

// HalfWords returns the same memory as words of 32 bits.
func HalfWords(memory []byte) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/4)
}

// Bools returns the same memory as bools. It holds zeros.
func Bools(memory []byte) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory))
}

// Bytes returns the same memory as bytes, 0 or 1, which are compared and counted
// faster.
func Bytes(bools []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(bools))), len(bools))
}

// ReadOnly makes memory from Between read-only until restore is called. (On systems
// without such pages, it does nothing.)
func ReadOnly(t testing.TB, memory []byte) (restore func()) {
	t.Helper()
	return readOnly(t, memory)
}

// Sparse returns n zero bytes that take memory only where they are touched, or nil if this
// machine cannot have or reserve a slice of that length. With CI set, only 32-bit machines
// and systems other than Unix may return nil. The bytes are valid until the test is over.
func Sparse(t testing.TB, n uint64) []byte {
	t.Helper()
	if n > math.MaxInt {
		return nil
	}
	memory := sparse(t, int(n))
	if memory == nil && strconv.IntSize == 64 && isUnix && os.Getenv("CI") != "" {
		t.Errorf("testmem: no address space for %d bytes", n)
	}
	return memory
}

// Mappings returns how often the process has a file mapped. It skips the test where the system does not say that.
func Mappings(t testing.TB, path string) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("the system does not say what is mapped: ", err)
	}
	return bytes.Count(maps, []byte(path))
}

// Collect has the garbage collector run until the file is not mapped any more.
func Collect(t testing.TB, path string) {
	t.Helper()
	for range 200 {
		if runtime.GC(); Mappings(t, path) == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%s is mapped %d times", path, Mappings(t, path))
}

// OpenFiles returns how many files in a folder this program has open, on Linux.
func OpenFiles(folder string) (n int, ok bool) {
	if runtime.GOOS != "linux" {
		return 0, false
	}
	open, err := os.ReadDir("/proc/self/fd")
	for _, file := range open {
		if path, _ := os.Readlink("/proc/self/fd/" + file.Name()); strings.HasPrefix(path, folder+"/") {
			n++
		}
	}
	return n, err == nil
}

package pages

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Default is the kind for large filters: huge pages where there are any.
const Default = Huge

// Mapping is memory outside Go's heap.
type Mapping struct {
	// Bytes are zero at first, and begin at a multiple of 2 MiB.
	Bytes []byte

	reserved []byte // Bytes, rounded up, between pages that may not be touched
	usable   []byte
}

// Map returns the given number of bytes, at least one, in pages of that kind, or of another
// kind if the system has no huge ones left.
func Map(kind Kind, bytes int) (*Mapping, error) {
	rounded := (bytes + HugeBytes - 1) / HugeBytes * HugeBytes
	reserved, err := unix.Mmap(-1, 0, rounded+2*HugeBytes, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("mapping %d bytes: %w", bytes, err)
	}
	skip := HugeBytes - int(uintptr(unsafe.Pointer(unsafe.SliceData(reserved)))%HugeBytes)
	usable := reserved[skip : skip+rounded : skip+rounded]
	m := &Mapping{Bytes: usable[:bytes:bytes], reserved: reserved, usable: usable}

	advice := unix.MADV_NOHUGEPAGE
	if kind == Huge {
		advice = unix.MADV_HUGEPAGE
	}
	// A kernel without huge pages refuses both advices, and gives ordinary ones.
	_ = unix.Madvise(usable, advice)
	if err := unix.Mprotect(usable, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		_ = m.Unmap()
		return nil, fmt.Errorf("making %d bytes writable: %w", bytes, err)
	}
	return m, nil
}

// Unmap gives the memory back. Nothing may use it any more.
func (m *Mapping) Unmap() error { return unix.Munmap(m.reserved) }

// HugeShare returns how much of what is in memory of the mapping is in huge
// pages, as the kernel says: 0 to 1.
func (m *Mapping) HugeShare() (float64, error) {
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, err
	}
	defer smaps.Close()
	start := uintptr(unsafe.Pointer(unsafe.SliceData(m.usable)))
	heading := fmt.Sprintf("%08x-%08x ", start, start+uintptr(len(m.usable)))
	var inside bool
	var resident, huge int // KiB
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		line := lines.Text()
		if !inside {
			inside = strings.HasPrefix(line, heading)
		} else if strings.HasPrefix(line, "Rss:") {
			_, err = fmt.Sscanf(line, "Rss: %d kB", &resident)
		} else if strings.HasPrefix(line, "AnonHugePages:") {
			_, err = fmt.Sscanf(line, "AnonHugePages: %d kB", &huge)
			if err == nil && resident > 0 {
				return float64(huge) / float64(resident), nil
			}
			break
		}
		if err != nil {
			return 0, fmt.Errorf("/proc/self/smaps: %w", err)
		}
	}
	return 0, fmt.Errorf("/proc/self/smaps has no resident memory at %s", heading)
}

package filterfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// TestLazyFilesReadWhatTheySay: of a file whose pages the system has dropped, opening it lazily reads the header and
// the last piece, and each lookup the pieces that it needs: one, if Linear's headers are in memory. Read ahead, all is
// read.
func TestLazyFilesReadWhatTheySay(t *testing.T) {
	if os.Getenv("SIMDBLOOM_TEST_EXEC") != "" {
		t.Skip("emulators keep from the system how a mapped file is used")
	}
	const keys, lookups = 4_000_000, 100
	present, absent := vectors.Hashes(1, keys), vectors.Hashes(2, lookups)
	page := os.Getpagesize()
	path := filepath.Join(t.TempDir(), "filter")
	for _, p := range []*policy.Policy{policy.FastLocal(12), policy.Linear(8.5), policy.Ribbon(8.5), policy.SplitBlock(12)} {
		b := p.NewBuilder()
		b.AddHashes(present)
		f := must(b.Filter())
		for _, pieceBytes := range []int{4 << 10, 64 << 10} {
			if err := filterfile.WriteFile(path, f, filterfile.WithPieceBytes(pieceBytes)); err != nil {
				t.Fatal(err)
			}
			c := mapPages(t, path)
			ofPiece := max(pieceBytes/page, 1)
			header := (len(c.mapped) - f.SizeBytes()) / page
			c.drop(t)
			lazy := must(filterfile.Open(path, filterfile.WithLazyCheck()))
			if n, most := c.resident(), header+2*ofPiece; n > most {
				t.Errorf("%v in pieces of %d: Open reads %d pages, want at most %d", p, pieceBytes, n, most)
			}
			if p.Format() == simdbloom.Linear {
				c.read(t, len(c.mapped)-f.SizeBytes()/65-pieceBytes)
			}
			before := c.resident()
			for _, hash := range absent {
				lazy.ContainsHash(hash)
			}
			each := float64(c.resident()-before) / float64(lookups*ofPiece)
			t.Logf("%v in pieces of %d: %.2f pieces a lookup", p, pieceBytes, each)
			if most := 1.05; each > most+0.1*float64(4096/pieceBytes) && p.Format() == simdbloom.Ribbon || each > most && p.Format() != simdbloom.Ribbon {
				t.Errorf("%v in pieces of %d: a lookup reads %.2f pieces", p, pieceBytes, each)
			}
			if err := lazy.Err(); err != nil {
				t.Error(err)
			}
			lazy.Close()
			c.drop(t)
			soon := must(filterfile.Open(path, filterfile.WithLazyCheck(), filterfile.WithReadAhead()))
			for n := 0; c.resident() < len(c.mapped)/page; n++ {
				if n%100 == 99 { // a busy system leaves pages out: another Open reads ahead again
					soon.Close()
					soon = must(filterfile.Open(path, filterfile.WithLazyCheck(), filterfile.WithReadAhead()))
				}
				if n > 1000 {
					t.Errorf("%v: %d of %d pages were read ahead", p, c.resident(), len(c.mapped)/page)
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			soon.Close()
			c.close()
		}
	}
}

// pages are a file's.
type pages struct {
	file   *os.File
	mapped []byte
}

func mapPages(t *testing.T, path string) *pages {
	t.Helper()
	file := must(os.OpenFile(path, os.O_RDWR, 0))
	size := must(file.Stat()).Size()
	mapped := must(unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED))
	return &pages{file, mapped}
}

func (p *pages) close() { unix.Munmap(p.mapped); p.file.Close() }

// drop has the system drop the pages, if it does so.
func (p *pages) drop(t *testing.T) {
	t.Helper()
	for range 50 {
		if err := p.file.Sync(); err != nil {
			t.Fatal(err)
		}
		if err := unix.Fadvise(int(p.file.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
			t.Fatal(err)
		}
		if p.resident() == 0 {
			return
		}
		runtime.GC() // unmaps files that were closed
		time.Sleep(10 * time.Millisecond)
	}
	t.Skipf("the file system keeps %d pages in memory", p.resident())
}

// read has pages from a byte on read.
func (p *pages) read(t *testing.T, from int) {
	t.Helper()
	if _, err := p.file.ReadAt(make([]byte, len(p.mapped)-from), int64(from)); err != nil {
		t.Fatal(err)
	}
}

// resident returns the number of pages that are in memory.
func (p *pages) resident() (n int) {
	size := os.Getpagesize()
	in := make([]byte, (len(p.mapped)+size-1)/size)
	if _, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&p.mapped[0])), uintptr(len(p.mapped)), uintptr(unsafe.Pointer(&in[0]))); errno != 0 {
		panic(errno)
	}
	for _, page := range in {
		n += int(page & 1)
	}
	return n
}

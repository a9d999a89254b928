package beam

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/ranges"
)

// Remote has the limits of each process that reads the set of [MayContainSetAt]. A zero is the default of
// [filterset.OpenAt].
type Remote struct {
	// Memory has the bytes of filterfile.WithMemory, at least 1 MiB. The headers of a set of Linear filters, 1.5 % of
	// its bytes, should fit half of it.
	Memory int64

	Concurrency int // the largest number of requests at once, as filterfile.WithConcurrency
}

// MayContainSetAt is [MayContainSet] with a set that stays where it is: each process reads the ranges of its files that
// lookups need, and keeps no copy. It pays where there are fewer keys than the set has pieces of 64 KiB (or as
// filterfile.WithPieceBytes said): a new key takes a request of one piece. Keys in the global window are looked up
// 8,192 at a time, and others one by one.
//
// The manifest's name begins with http:// or https://, with a scheme of [RegisterRanges], or it is of a file system
// that is registered with Beam and whose files are [io.ReaderAt] or [io.Seeker]. Local files are. Those of Beam's own
// gs:// and s3:// are not: register ranges for them.
//
// No key is dropped because of an error: requests that fail, a wrong checksum, a set that was removed, and a batch of
// keys that takes longer than 10 minutes fail the bundle, which the runner repeats. The counters simdbloom.requests and
// simdbloom.bytes, Beam's metrics, are the requests and the bytes that were read. It panics as [MayContain] does, and
// if a limit is below 0 or the memory below 1 MiB.
func MayContainSetAt(s beam.Scope, manifest, keys beam.PCollection, limits Remote) beam.PCollection {
	if limits.Memory != 0 && limits.Memory < 1<<20 || limits.Concurrency < 0 {
		panic(fmt.Sprintf("beam: a remote set needs 1 MiB of memory and requests, not %+v: 0 is the default", limits))
	}
	s = s.Scope("simdbloom.MayContainSetAt")
	return mayContain(s, lookups{Batch: 8192, OfSet: true, Remote: &limits}, beam.ParDo(s, bytesOfName, manifest), keys)
}

// registered has the functions of RegisterRanges by their schemes.
var registered sync.Map

// RegisterRanges has [MayContainSetAt] read folders whose names begin with scheme:// by what open returns. Names of
// files are relative to the folder dir, such as "gs://bucket/users". Workers call open often: the ranges that it
// returns should share a client. Call RegisterRanges in an init function, so that all workers do. It panics if the
// scheme is registered already.
func RegisterRanges(scheme string, open func(ctx context.Context, dir string) (filterfile.Ranges, error)) {
	if _, there := registered.LoadOrStore(scheme, open); there {
		panic(fmt.Sprintf("beam: ranges of %s:// are registered already", scheme))
	}
}

// rangesOf returns the ranges of a folder.
func rangesOf(ctx context.Context, dir string) (filterfile.Ranges, error) {
	scheme := schemeOf(dir)
	if open, ok := registered.Load(scheme); ok {
		return open.(func(context.Context, string) (filterfile.Ranges, error))(ctx, dir)
	}
	if scheme == "http" || scheme == "https" {
		return ranges.HTTP(nil, dir)
	}
	return folder(dir), CheckFileSystem(dir)
}

// folder reads ranges of the files in a folder of one of Beam's file systems.
type folder string

func (dir folder) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	name = string(dir) + "/" + name
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	r, err := fs.OpenRead(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	switch r := r.(type) {
	case io.ReaderAt:
		n, err := r.ReadAt(p, off)
		if n == len(p) {
			return nil
		}
		return err
	case io.ReadSeeker:
		if _, err := r.Seek(off, io.SeekStart); err != nil {
			return err
		}
		_, err := io.ReadFull(r, p)
		return err
	}
	return fmt.Errorf("beam: %s: files of this file system have no ranges: use RegisterRanges, or MayContainSet, which copies the set", name)
}

// remoteSet is a set whose files stay where they are.
type remoteSet struct {
	*filterfile.Remote

	mu      sync.Mutex
	counted filterfile.Counters // by Beam
}

// patience is how long the lookups of a batch may take. A server may never answer, and a runner may wait for ever.
var patience = 10 * time.Minute

var (
	requests  = beam.NewCounter("simdbloom", "requests")
	bytesRead = beam.NewCounter("simdbloom", "bytes")
)

// openRemote opens a set, and returns a text that differs if another set has replaced it.
func openRemote(ctx context.Context, dir string, limits Remote) (*remoteSet, string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	in, err := rangesOf(context.WithoutCancel(ctx), dir) // other bundles use it later
	if err != nil {
		return nil, "", err
	}
	var options []filterfile.OpenOption
	if limits.Memory != 0 {
		options = append(options, filterfile.WithMemory(limits.Memory))
	}
	if limits.Concurrency != 0 {
		options = append(options, filterfile.WithConcurrency(limits.Concurrency))
	}
	summed := &summing{Ranges: in, manifest: sha256.New()}
	set, err := filterset.OpenAt(ctx, summed, "", options...)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	return &remoteSet{Remote: set}, string(summed.manifest.Sum(nil)), nil
}

// summing sums what is read of the manifest, by one goroutine.
type summing struct {
	filterfile.Ranges
	manifest hash.Hash
}

func (s *summing) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	err := s.Ranges.ReadRange(ctx, name, p, off)
	if name == filterset.Manifest {
		s.manifest.Write(p)
	}
	return err
}

func (s *remoteSet) appendHits(ctx context.Context, dst []int, hashes []uint64) ([]int, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	hits := make([]bool, len(hashes))
	err := s.ContainsHashes(limited, hashes, hits)
	s.count(ctx)
	if err != nil {
		return dst, err
	}
	for i, hit := range hits {
		if hit {
			dst = append(dst, i)
		}
	}
	return dst, nil
}

// count gives Beam what was read since it was called.
func (s *remoteSet) count(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Counters()
	requests.Inc(ctx, now.Requests-s.counted.Requests)
	bytesRead.Inc(ctx, now.Bytes-s.counted.Bytes)
	s.counted = now
}

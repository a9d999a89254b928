package beam

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
)

// sideFilter is the filter of a side input, or the set that it names. It is opened again only if it is another one.
type sideFilter struct {
	data   []byte
	filter simdbloom.Filter
	set    *sharedSet // or nil
}

func (s *sideFilter) open(ctx context.Context, l lookups, data []byte) (err error) {
	if unsafe.SliceData(data) == unsafe.SliceData(s.data) && len(data) == len(s.data) && data != nil {
		return nil
	}
	switch {
	case !l.OfSet:
		err = s.filter.UnmarshalBinary(data)
	case s.set == nil || s.set.key.manifest != string(data):
		s.close()
		s.set, err = openShared(ctx, l, string(data))
	}
	if err == nil {
		s.data = data
	}
	return err
}

// Hash returns the key hash of the open filter or set.
func (s *sideFilter) Hash() keyhash.Hash {
	if s.set != nil {
		return s.set.Hash()
	}
	return s.filter.Hash()
}

// appendHits appends the indexes of the hashes that may be there.
func (s *sideFilter) appendHits(ctx context.Context, dst []int, hashes []uint64) ([]int, error) {
	if s.set == nil {
		return s.filter.AppendHits(dst, hashes), nil
	}
	dst, err := s.set.appendHits(ctx, dst, hashes)
	if _, remote := s.set.lookupSet.(*remoteSet); remote && err != nil {
		s.set.forget() // what replaced it, or a server that is well again
	}
	return dst, err
}

func (s *sideFilter) close() {
	if s.set != nil {
		s.set.close()
	}
	s.set, s.data = nil, nil
}

// sharedSet is a set that all workers of a process use. A set that replaces it has another manifest's text, and is
// another one.
type sharedSet struct {
	lookupSet
	key    setKey
	copied string // the folder that the set is copied to, or nothing
	users  int
}

// lookupSet is a localSet or a remoteSet.
type lookupSet interface {
	Hash() keyhash.Hash
	appendHits(ctx context.Context, dst []int, hashes []uint64) ([]int, error)
}

type setKey struct {
	manifest string // its name
	text     string // or a checksum of it
	limits   Remote // or nothing
}

// localSet is a set in a local folder.
type localSet struct{ *filterset.Set }

func (s localSet) appendHits(_ context.Context, dst []int, hashes []uint64) ([]int, error) {
	dst = s.AppendHits(dst, hashes)
	return dst, s.Err()
}

var shared struct {
	sync.Mutex
	sets map[setKey]*sharedSet
}

func openShared(ctx context.Context, l lookups, manifest string) (*sharedSet, error) {
	dir, found := strings.CutSuffix(manifest, "/"+filterset.Manifest)
	if !found {
		return nil, errors.New("beam: " + manifest + " is not the name of a set's manifest: FOLDER/" + filterset.Manifest)
	}
	if l.Remote != nil {
		set, sum, err := openRemote(ctx, dir, *l.Remote)
		if err != nil {
			return nil, err
		}
		return share(setKey{manifest, sum, *l.Remote}, func(s *sharedSet) error {
			s.lookupSet = set
			return nil
		})
	}
	fs, err := filesystem.New(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	text, err := filesystem.Read(ctx, fs, manifest)
	if err != nil {
		return nil, err
	}
	return share(setKey{manifest: manifest, text: string(text)}, func(s *sharedSet) (err error) {
		if schemeOf(manifest) != "" {
			if s.copied, err = os.MkdirTemp("", "simdbloom-set-"); err == nil {
				err = copySet(ctx, fs, dir, text, s.copied)
			}
			dir = s.copied
		}
		if err != nil {
			return err
		}
		set, err := filterset.Open(dir)
		s.lookupSet = localSet{set}
		return err
	})
}

// share returns the set with the key, which it opens if this process has not.
func share(key setKey, open func(*sharedSet) error) (*sharedSet, error) {
	shared.Lock()
	defer shared.Unlock()
	if there := shared.sets[key]; there != nil {
		there.users++
		return there, nil
	}
	s := &sharedSet{key: key, users: 1}
	if err := open(s); err != nil {
		s.remove()
		return nil, err
	}
	if shared.sets == nil {
		shared.sets = make(map[setKey]*sharedSet)
	}
	shared.sets[key] = s
	return s, nil
}

func (s *sharedSet) close() {
	shared.Lock()
	defer shared.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	s.unlist()
	if local, ok := s.lookupSet.(localSet); ok {
		local.Close()
	}
	s.remove()
}

// forget has the next worker open the set again: Beam may call no Teardown after an error.
func (s *sharedSet) forget() {
	shared.Lock()
	defer shared.Unlock()
	s.unlist()
}

// unlist removes the set from those that others find.
func (s *sharedSet) unlist() {
	if shared.sets[s.key] == s {
		delete(shared.sets, s.key)
	}
}

// remove removes the copy.
func (s *sharedSet) remove() {
	if s.copied != "" {
		os.RemoveAll(s.copied)
	}
}

// copySet copies the files of the set with the manifest to a local folder.
func copySet(ctx context.Context, fs filesystem.Interface, dir string, text []byte, to string) error {
	if err := os.WriteFile(filepath.Join(to, filterset.Manifest), text, 0o600); err != nil {
		return err
	}
	var info filterset.Info
	if err := info.UnmarshalText(text); err != nil {
		return err
	}
	for _, layer := range info.Layers {
		if err := os.Mkdir(filepath.Join(to, layer.Folder()), 0o700); err != nil {
			return err
		}
		for part := range layer.Parts {
			name := filterset.PartFile(part)
			if err := copyFile(ctx, fs, dir+"/"+layer.Folder()+"/"+name, filepath.Join(to, layer.Folder(), name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func copyFile(ctx context.Context, fs filesystem.Interface, from, to string) error {
	r, err := fs.OpenRead(ctx, from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

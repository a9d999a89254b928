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

func (s *sideFilter) open(l lookups, data []byte) (err error) {
	if unsafe.SliceData(data) == unsafe.SliceData(s.data) && len(data) == len(s.data) && data != nil {
		return nil
	}
	switch {
	case !l.OfSet:
		err = s.filter.UnmarshalBinary(data)
	case s.set == nil || s.set.manifest != string(data):
		s.close()
		s.set, err = openShared(context.Background(), string(data))
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
func (s *sideFilter) appendHits(dst []int, hashes []uint64) ([]int, error) {
	if s.set == nil {
		return s.filter.AppendHits(dst, hashes), nil
	}
	dst = s.set.AppendHits(dst, hashes)
	return dst, s.set.Err()
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
	*filterset.Set
	manifest string // its name
	text     string
	copied   string // the folder that the set is copied to, or nothing
	users    int
}

var shared struct {
	sync.Mutex
	sets map[string]*sharedSet // by the manifest's name and text
}

func openShared(ctx context.Context, manifest string) (*sharedSet, error) {
	dir, found := strings.CutSuffix(manifest, "/"+filterset.Manifest)
	if !found {
		return nil, errors.New("beam: " + manifest + " is not the name of a set's manifest: FOLDER/" + filterset.Manifest)
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
	shared.Lock()
	defer shared.Unlock()
	s := &sharedSet{manifest: manifest, text: string(text), users: 1}
	if there := shared.sets[s.key()]; there != nil {
		there.users++
		return there, nil
	}
	if schemeOf(manifest) != "" {
		if s.copied, err = os.MkdirTemp("", "simdbloom-set-"); err == nil {
			err = copySet(ctx, fs, dir, text, s.copied)
		}
		dir = s.copied
	}
	if err == nil {
		s.Set, err = filterset.Open(dir)
	}
	if err != nil {
		s.remove()
		return nil, err
	}
	if shared.sets == nil {
		shared.sets = make(map[string]*sharedSet)
	}
	shared.sets[s.key()] = s
	return s, nil
}

func (s *sharedSet) key() string { return s.manifest + "\n" + s.text }

func (s *sharedSet) close() {
	shared.Lock()
	defer shared.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	delete(shared.sets, s.key())
	s.Set.Close()
	s.remove()
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

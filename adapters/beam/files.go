package beam

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/simdbloom/simdbloom/filterset"
)

// schemes are the packages of Beam's file systems.
var schemes = map[string]string{"": "local", "gs": "gcs", "s3": "s3", "memfs": "memfs"}

// CheckFileSystem returns an error if the file system of a file, a folder or a pattern is not registered with Beam. It
// names the package to import: Beam's own transforms, such as textio.Read, panic then.
func CheckFileSystem(name string) (err error) {
	if strings.TrimSpace(name) == "" {
		return errors.New("beam: the name of a file or folder is empty")
	}
	defer func() {
		if recover() == nil {
			return
		}
		advice := "import a package that registers it"
		if known, ok := schemes[schemeOf(name)]; ok {
			advice = fmt.Sprintf("import _ %q", "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/"+known)
		}
		err = fmt.Errorf("beam: %s: the file system %q is not registered: %s", name, schemeOf(name), advice)
	}()
	filesystem.ValidateScheme(name)
	return nil
}

// schemeOf returns a name's scheme, or nothing for a local file.
func schemeOf(name string) string {
	scheme, _, found := strings.Cut(name, "://")
	if !found {
		return ""
	}
	return scheme
}

// write writes a file whole, or not at all. Where files can be renamed, another name is written first, one of its
// own for each attempt, and stored. Stores of objects, which cannot rename, have an object when it is closed.
func write(ctx context.Context, name string, data []byte) (err error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	renamer, renames := fs.(filesystem.Renamer)
	if !renames {
		return writeTo(ctx, fs, name, data)
	}
	attempt := name + temporary + rand.Text()
	if err = writeTo(ctx, fs, attempt, data); err == nil {
		err = store(attempt, os.O_RDWR)
	}
	if err == nil {
		err = renamer.Rename(ctx, attempt, name)
	}
	if err != nil {
		remove(ctx, fs, attempt)
	}
	return err
}

// temporary is in the names of files that are not whole.
const temporary = ".writing-"

func writeTo(ctx context.Context, fs filesystem.Interface, name string, data []byte) error {
	w, err := fs.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return errors.Join(err, w.Close())
}

// store has the system store the bytes of a local file, or the names in a local folder, which is opened with O_RDONLY.
// Beam's file systems do not, and a crash could lose files that were renamed before they were stored.
func store(name string, flag int) error {
	if schemeOf(name) != "" || flag == os.O_RDONLY && runtime.GOOS == "windows" {
		return nil
	}
	file, err := os.OpenFile(name, flag, 0)
	if err == nil {
		err = errors.Join(file.Sync(), file.Close())
	}
	if flag == os.O_RDONLY && (errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission)) {
		return nil // some file systems cannot, and some users may write in a folder, but not read it
	}
	return err
}

// storeFolders stores the names in a local folder, and its own name and its parents', which may have been made.
func storeFolders(name string) error {
	if schemeOf(name) != "" {
		return nil
	}
	for {
		if err := store(name, os.O_RDONLY); err != nil {
			return err
		}
		parent := filepath.Dir(name)
		if parent == name {
			return nil
		}
		name = parent
	}
}

func remove(ctx context.Context, fs filesystem.Interface, name string) {
	if remover, removes := fs.(filesystem.Remover); removes {
		remover.Remove(ctx, name)
	}
}

// readManifest returns the manifest of a folder, or nothing if the folder has none.
func readManifest(ctx context.Context, dir string) (info filterset.Info, err error) {
	name := dir + "/" + filterset.Manifest
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return info, err
	}
	defer fs.Close()
	if found, err := fs.List(ctx, name); err != nil || len(found) == 0 {
		return info, err
	}
	r, err := fs.OpenRead(ctx, name)
	if err != nil {
		return info, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err == nil {
		err = info.UnmarshalText(text)
	}
	if err != nil {
		return info, fmt.Errorf("%s: %w", name, err)
	}
	return info, nil
}

// removeOthers removes the files of a set that was replaced, and leftovers of attempts to write the other one. It is no
// error if something stays: no manifest names it.
func removeOthers(ctx context.Context, dir string, replaced filterset.Info, layer string) {
	fs, err := filesystem.New(ctx, dir)
	if err != nil {
		return
	}
	defer fs.Close()
	for _, old := range replaced.Layers {
		folder := dir + "/" + old.Folder()
		if folder == layer {
			continue // a repeated bundle: the set is there already
		}
		for part := range old.Parts {
			remove(ctx, fs, folder+"/"+filterset.PartFile(part))
		}
		remove(ctx, fs, folder)
	}
	for _, attempts := range []string{layer + "/*", dir + "/" + filterset.Manifest} {
		left, _ := fs.List(ctx, attempts+temporary+"*")
		for _, name := range left {
			remove(ctx, fs, name)
		}
	}
}

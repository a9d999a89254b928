//go:build linux

package powercut

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// node is a file, a folder or a symbolic link, whatever names it has.
type node struct {
	kind   fs.FileMode // 0, fs.ModeDir or fs.ModeSymlink
	target string      // of a link
	path   string      // where it was first
}

// disk has the contents of folders and files.
type disk struct {
	root    *node
	entries map[*node]map[string]*node
	bytes   map[*node][]byte
	own     map[*node]bool // those whose bytes no other disk has
}

// clone returns a copy. Bytes are shared.
func (d *disk) clone() *disk {
	c := &disk{d.root, make(map[*node]map[string]*node, len(d.entries)), maps.Clone(d.bytes), make(map[*node]bool)}
	for folder, names := range d.entries {
		c.entries[folder] = maps.Clone(names)
	}
	return c
}

// resize returns the bytes of a file, which it makes that long, and which may be changed.
func (d *disk) resize(file *node, size int) []byte {
	data := d.bytes[file]
	if !d.own[file] {
		data = slices.Clone(data)
		d.own[file] = true
	}
	if size > len(data) {
		data = append(data, make([]byte, size-len(data))...)
	}
	d.bytes[file] = data[:size]
	return data[:size]
}

// snapshot reads a folder.
func snapshot(dir string) (*disk, error) {
	d := &disk{entries: make(map[*node]map[string]*node), bytes: make(map[*node][]byte)}
	d.root = &node{fs.ModeDir, "", "."}
	linked := make(map[uint64]*node)
	var read func(folder *node, path string) error
	read = func(folder *node, path string) error {
		d.entries[folder] = make(map[string]*node)
		entries, err := os.ReadDir(filepath.Join(dir, path))
		for _, entry := range entries {
			name := filepath.Join(path, entry.Name())
			info, err := entry.Info()
			if err != nil {
				return err
			}
			made := &node{info.Mode().Type(), "", name}
			switch made.kind {
			case fs.ModeDir:
				err = read(made, name)
			case fs.ModeSymlink:
				made.target, err = os.Readlink(filepath.Join(dir, name))
			case 0:
				if number := info.Sys().(*syscall.Stat_t).Ino; linked[number] != nil {
					made = linked[number]
				} else {
					linked[number] = made
					d.bytes[made], err = os.ReadFile(filepath.Join(dir, name))
				}
			default:
				err = fmt.Errorf("%s: %v", name, made.kind)
			}
			if err != nil {
				return err
			}
			d.entries[folder][entry.Name()] = made
		}
		return err
	}
	return d, read(d.root, ".")
}

// find returns the folder of a path and its last element, and the node of that name or nil. The path begins at from.
// All are nil if the path leads out of the disk, or nowhere.
func (d *disk) find(from *node, path string, follow bool) (folder *node, name string, found *node) {
	return d.walk(from, path, follow, 20)
}

func (d *disk) walk(from *node, path string, follow bool, most int) (folder *node, name string, found *node) {
	parents := []*node{d.root}
	if from != d.root {
		parents = append(d.parentsOf(d.root, from), from)
	}
	steps := slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" || s == "." })
	found, name = from, "."
	for i, step := range steps {
		last := i == len(steps)-1
		folder = parents[len(parents)-1]
		if step == ".." {
			if len(parents) == 1 {
				return nil, "", nil
			}
			parents = parents[:len(parents)-1]
			found, name = parents[len(parents)-1], "."
			continue
		}
		found, name = d.entries[folder][step], step
		if found != nil && found.kind == fs.ModeSymlink && (follow || !last) {
			if most == 0 || strings.HasPrefix(found.target, "/") {
				return nil, "", nil
			}
			rest := strings.Join(append([]string{found.target}, steps[i+1:]...), "/")
			return d.walk(folder, rest, follow, most-1)
		}
		if last {
			return folder, name, found
		}
		if found == nil || found.kind != fs.ModeDir {
			return nil, "", nil
		}
		parents = append(parents, found)
	}
	return parents[len(parents)-1], name, found
}

// parentsOf returns the folders from the root to a folder's parent.
func (d *disk) parentsOf(at, wanted *node) []*node {
	for _, child := range d.entries[at] {
		if child == wanted {
			return []*node{at}
		}
		if child.kind == fs.ModeDir {
			if below := d.parentsOf(child, wanted); below != nil {
				return append([]*node{at}, below...)
			}
		}
	}
	return nil
}

// write makes the folder dir of what is on the disk.
func (d *disk) write(dir string) error {
	written := make(map[*node]string)
	var folder func(at *node, path string) error
	folder = func(at *node, path string) error {
		err := os.Mkdir(path, 0o777)
		for name, child := range d.entries[at] {
			to := filepath.Join(path, name)
			switch {
			case err != nil:
				return err
			case child.kind == fs.ModeDir:
				err = folder(child, to)
			case child.kind == fs.ModeSymlink:
				err = os.Symlink(child.target, to)
			case written[child] != "":
				err = os.Link(written[child], to)
			default:
				written[child] = to
				err = os.WriteFile(to, d.bytes[child], 0o666)
			}
		}
		return err
	}
	return folder(d.root, dir)
}

var seed = maphash.MakeSeed()

// sum returns a hash of the names, or of the names and the bytes.
func (d *disk) sum(names bool) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var folder func(at *node)
	folder = func(at *node) {
		for _, name := range slices.Sorted(maps.Keys(d.entries[at])) {
			child := d.entries[at][name]
			h.WriteString(name + "\x00" + child.target + "\x00")
			content := uint64(0)
			if !names {
				content = maphash.Bytes(seed, d.bytes[child])
			}
			h.Write(binary.LittleEndian.AppendUint64([]byte{byte(child.kind >> 24)}, content))
			folder(child)
		}
		h.WriteString("\x00")
	}
	folder(d.root)
	return h.Sum64()
}

// names returns the paths on the disk.
func (d *disk) names() (all []string) {
	var folder func(at *node, path string)
	folder = func(at *node, path string) {
		for name, child := range d.entries[at] {
			all = append(all, path+name)
			folder(child, path+name+"/")
		}
	}
	folder(d.root, "")
	slices.Sort(all)
	return all
}

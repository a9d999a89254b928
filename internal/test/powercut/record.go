//go:build linux

package powercut

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// record runs a program in a folder, and returns what it did to the files there. If failing is above 0, its fsync of
// that number fails.
func record(dir string, failing int, program *exec.Cmd) (*history, error) {
	before, err := snapshot(dir)
	if err != nil {
		return nil, err
	}
	trace, err := os.CreateTemp("", "trace")
	if err != nil {
		return nil, err
	}
	defer os.Remove(trace.Name())
	defer trace.Close()
	strace := exec.Command("strace", "-f", "--seccomp-bpf", "-qq", "-xx", "-a", "1", "-s", "16777216", "-e", "signal=none", "-e", "trace="+traced, "-o", trace.Name())
	if failing > 0 {
		strace.Args = append(strace.Args, "-e", fmt.Sprintf("inject=fsync:error=EIO:when=%d", failing))
	}
	strace.Args = append(append(strace.Args, program.Path), program.Args[1:]...)
	strace.Dir, strace.Env = dir, program.Env
	output, err := strace.CombinedOutput()
	h := &history{before: before}
	if status := (*exec.ExitError)(nil); errors.As(err, &status) && status.ExitCode() == failedWriter {
		h.err = errors.New(strings.TrimSpace(string(output)))
	} else if err != nil {
		return nil, fmt.Errorf("%w: %s", err, output)
	}
	calls, err := readCalls(trace)
	if err != nil {
		return nil, err
	}
	r := recorder{history: h, root: dir, disk: before.clone(), files: make(map[string]*openFile)}
	for i := range calls {
		r.covers = append(r.covers, len(h.operations))
		if err := r.add(&calls[i]); err != nil {
			return nil, fmt.Errorf("%s(%.200q): %w", calls[i].name, calls[i].args, err)
		}
	}
	h.after = r.disk
	after, err := snapshot(dir)
	if err == nil && after.sum(false) != h.after.sum(false) {
		err = fmt.Errorf("what was recorded makes %q, and there is %q, or files have other bytes", h.after.names(), after.names())
	}
	return h, err
}

// openFile is an open file or folder.
type openFile struct {
	*node
	at     int64
	append bool
}

// recorder makes operations of calls.
type recorder struct {
	*history
	root   string
	disk   *disk
	files  map[string]*openFile
	covers []int // operations before each call
}

var errUnknown = errors.New("this call is not understood")

func (r *recorder) do(o operation) {
	if o.kind == write && len(o.data) == 0 {
		return
	}
	o.apply(r.disk, kept)
	r.operations = append(r.operations, o)
}

// find is disk.find of a path that begins at the folder that the number names. Out of the folder, all are nil.
func (r *recorder) find(at, path string, follow bool) (folder *node, name string, found *node) {
	from := r.disk.root
	if filepath.IsAbs(path) {
		below, inside := strings.CutPrefix(path, r.root+"/")
		if !inside {
			return nil, "", nil
		}
		path = below
	} else if at != "AT_FDCWD" {
		opened := r.files[at]
		if opened == nil {
			return nil, "", nil
		}
		from = opened.node
	}
	return r.disk.find(from, path, follow)
}

func (r *recorder) add(c *call) error {
	args := c.args
	switch c.name { // the older names of calls lack folders and flags
	case "rename", "link":
		args = []string{"AT_FDCWD", args[0], "AT_FDCWD", args[1], "0"}
	case "renameat":
		args = append(args, "0")
	case "unlink", "mkdir":
		args = []string{"AT_FDCWD", args[0], "0"}
	case "rmdir":
		args = []string{"AT_FDCWD", args[0], "AT_REMOVEDIR"}
	case "symlink":
		args = []string{args[0], "AT_FDCWD", args[1]}
	}
	file := r.files[args[0]]
	result := strconv.FormatInt(c.result, 10)
	switch {
	case c.failed && c.name != "fsync":
		return nil
	case c.name == "openat":
		delete(r.files, result)
		return r.open(c, result)
	case c.name == "close":
		delete(r.files, args[0])
	case c.name == "dup", c.name == "fcntl" && strings.HasPrefix(args[1], "F_DUPFD"):
		if delete(r.files, result); file != nil {
			r.files[result] = file
		}
	case c.name == "dup3":
		if delete(r.files, args[1]); file != nil {
			r.files[args[1]] = file
		}
	case c.name == "read" && file != nil:
		file.at += c.result
	case c.name == "lseek" && file != nil:
		file.at = c.result
	case c.name == "write" && file != nil:
		if file.append {
			file.at = int64(len(r.disk.bytes[file.node]))
		}
		r.do(operation{kind: write, of: file.node, offset: file.at, data: []byte(args[1][:c.result])})
		file.at += c.result
	case c.name == "pwrite64" && file != nil:
		at, err := strconv.ParseInt(args[3], 0, 64)
		r.do(operation{kind: write, of: file.node, offset: at, data: []byte(args[1][:c.result])})
		return err
	case c.name == "ftruncate" && file != nil:
		size, err := strconv.ParseInt(args[1], 0, 64)
		r.do(operation{kind: truncate, of: file.node, offset: size})
		return err
	case (c.name == "fsync" || c.name == "fdatasync") && file != nil:
		r.do(operation{kind: sync, of: file.node, covers: r.covers[c.begun], failed: c.failed})
	case c.name == "copy_file_range" && r.files[args[2]] != nil:
		to := r.files[args[2]]
		if file == nil || args[1] != "NULL" || args[3] != "NULL" {
			return errUnknown
		}
		data := r.disk.bytes[file.node][file.at:][:c.result]
		r.do(operation{kind: write, of: to.node, offset: to.at, data: data})
		file.at, to.at = file.at+c.result, to.at+c.result
	case strings.HasPrefix(c.name, "rename"):
		return r.rename(args)
	case strings.HasPrefix(c.name, "link"):
		_, _, child := r.find(args[0], args[1], strings.Contains(args[4], "AT_SYMLINK_FOLLOW"))
		folder, name, _ := r.find(args[2], args[3], false)
		return r.put(folder, name, child)
	case strings.HasPrefix(c.name, "symlink"):
		folder, name, _ := r.find(args[1], args[2], false)
		return r.put(folder, name, &node{fs.ModeSymlink, args[0], args[2]})
	case strings.HasPrefix(c.name, "mkdir"):
		folder, name, _ := r.find(args[0], args[1], false)
		return r.put(folder, name, newNode(fs.ModeDir, folder, name))
	case strings.HasPrefix(c.name, "unlink"), c.name == "rmdir":
		if folder, name, child := r.find(args[0], args[1], false); folder != nil {
			r.do(operation{kind: drop, of: folder, name: name, child: child})
		}
	case c.name == "mmap":
		if mapped := r.files[args[4]]; mapped != nil && strings.Contains(args[2], "PROT_WRITE") && strings.Contains(args[3], "MAP_SHARED") {
			return errUnknown
		}
	case c.name == "fcntl", c.name == "read", c.name == "write", c.name == "pwrite64", c.name == "lseek", c.name == "ftruncate", c.name == "fsync", c.name == "fdatasync", c.name == "copy_file_range":
	default:
		return errUnknown
	}
	return nil
}

func newNode(kind fs.FileMode, folder *node, name string) *node {
	path := name
	if folder != nil {
		path = filepath.Join(folder.path, name)
	}
	return &node{kind, "", path}
}

func (r *recorder) put(folder *node, name string, child *node) error {
	switch {
	case folder == nil:
		return nil
	case child == nil:
		return errUnknown // of a file in another folder
	}
	r.do(operation{kind: put, of: folder, name: name, child: child})
	return nil
}

func (r *recorder) open(c *call, number string) error {
	flags := c.args[2]
	if strings.Contains(flags, "O_TMPFILE") {
		return errUnknown
	}
	folder, name, found := r.find(c.args[0], c.args[1], !strings.Contains(flags, "O_NOFOLLOW"))
	if found == nil && folder != nil && strings.Contains(flags, "O_CREAT") {
		found = newNode(0, folder, name)
		r.do(operation{kind: put, of: folder, name: name, child: found})
	}
	if found == nil {
		return nil
	}
	r.files[number] = &openFile{node: found, append: strings.Contains(flags, "O_APPEND")}
	if strings.Contains(flags, "O_TRUNC") && len(r.disk.bytes[found]) > 0 {
		r.do(operation{kind: truncate, of: found})
	}
	return nil
}

func (r *recorder) rename(args []string) error {
	from, name, child := r.find(args[0], args[1], false)
	to, newName, _ := r.find(args[2], args[3], false)
	switch {
	case from == nil && to == nil:
	case from == nil || to == nil || child == nil || args[4] != "0":
		return errUnknown
	case from == to:
		r.do(operation{kind: move, of: from, name: name, child: child, to: newName})
	default:
		r.do(operation{kind: put, of: to, name: newName, child: child})
		r.do(operation{kind: drop, of: from, name: name, child: child})
	}
	return nil
}

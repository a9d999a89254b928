//go:build linux

package powercut

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// traced are the calls that change files, or say which file another call changes. The second line's are not expected.
const traced = "openat,close,read,write,pwrite64,lseek,ftruncate,fsync,fdatasync,copy_file_range,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,symlink,symlinkat,dup,dup3,fcntl,mmap," +
	"open,creat,openat2,writev,pwritev,pwritev2,truncate,fallocate,sendfile,splice,sync,syncfs,sync_file_range,dup2,chdir,fchdir,io_uring_setup"

// call is a call that has returned.
type call struct {
	name   string
	args   []string // texts without quotes
	result int64
	failed bool
	begun  int // the number of calls that had returned before
}

// readCalls reads a log of strace. A call has its place where it returned, but close where it began: from then
// on another file may have the number.
func readCalls(from io.Reader) (calls []call, err error) {
	type begun struct {
		text string
		at   int
	}
	unfinished := make(map[string]begun) // of a thread
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return calls, nil
		}
		if err != nil {
			return nil, err
		}
		thread, line, _ := strings.Cut(strings.TrimSpace(line), " ")
		line = strings.TrimLeft(line, " ")
		started := len(calls)
		if strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---") || strings.HasSuffix(line, "<detached ...>") {
			continue
		}
		if text, cut := strings.CutSuffix(line, "<unfinished ...>"); cut {
			text = strings.TrimRight(text, " ")
			if strings.HasPrefix(text, "close(") {
				line = text + ") = 0"
			} else {
				unfinished[thread] = begun{text, started}
				continue
			}
		} else if text, resumed := strings.CutPrefix(line, "<... "); resumed {
			name, rest, _ := strings.Cut(text, " resumed>")
			if name == "close" {
				continue
			}
			b := unfinished[thread]
			line, started = b.text+rest, b.at
		}
		c, err := parseCall(line)
		if err != nil {
			return nil, err
		}
		c.begun = started
		calls = append(calls, c)
	}
}

// parseCall reads a line such as `write(3, "\x61\x62", 2) = 2`, or `fsync(3) = -1 EIO (Input/output error) (INJECTED)`.
func parseCall(line string) (c call, err error) {
	before, result, returned := strings.Cut(line, ") = ")
	name, args, called := strings.Cut(before, "(")
	if !returned || !called {
		return c, fmt.Errorf("strace: %.200q", line)
	}
	c.name = name
	for arg := range strings.SplitSeq(args, ", ") {
		if quoted, is := strings.CutPrefix(arg, `"`); is {
			quoted, whole := strings.CutSuffix(quoted, `"`)
			data, err := hex.DecodeString(strings.ReplaceAll(quoted, `\x`, ""))
			if err != nil || !whole {
				return c, fmt.Errorf("strace: %.200q, %v", line, err)
			}
			arg = string(data)
		}
		c.args = append(c.args, arg)
	}
	number, _, _ := strings.Cut(result, " ")
	if number == "?" { // the program ended
		c.failed = true
		return c, nil
	}
	c.result, err = strconv.ParseInt(number, 0, 64)
	c.failed = c.result < 0
	return c, err
}

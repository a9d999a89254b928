package sst

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/table"
)

// Progress tells how far -verify is. Any number of goroutines may use it at once.
type Progress interface {
	At(done, total uint64) // in bytes of the files
	Clear()                // clears the terminal's line
}

// verification looks up all keys of tables in their filters.
type verification struct {
	options  []table.Option
	asJSON   bool
	progress Progress // or nil
	out, err io.Writer

	total, done atomic.Uint64 // bytes
	counts      struct{ ok, unverified, missing, corrupt int }
}

// verified has the printed facts about a file. Its status is as in "simdbloom verify".
type verified struct {
	File        string      `json:"file"`
	Status      string      `json:"status"` // OK, not verified, missing keys, corrupt or unreadable
	Error       string      `json:"error,omitempty"`
	Format      string      `json:"format,omitempty"` // in words
	Name        string      `json:"name,omitempty"`   // that the filter is recorded under
	Blocks      uint64      `json:"data_blocks,omitempty"`
	Entries     uint64      `json:"entries,omitempty"`
	Keys        uint64      `json:"keys,omitempty"` // looked up
	Prefixes    uint64      `json:"prefixes,omitempty"`
	Missing     uint64      `json:"missing,omitempty"`
	First       *missingKey `json:"first_missing,omitempty"`
	NumDamaged  uint64      `json:"damaged_blocks,omitempty"`
	Damaged     []damaged   `json:"damaged,omitempty"`
	NumUnread   uint64      `json:"unread_blocks,omitempty"`
	NotVerified string      `json:"not_verified,omitempty"`
}

type missingKey struct {
	keyOrPrefix
	Block  string `json:"block"`
	Offset uint64 `json:"offset"`
}

type damaged struct {
	Block  string `json:"block"`
	Offset uint64 `json:"offset"`
	Size   uint64 `json:"size"`
	Error  string `json:"error"`
}

// run verifies files.
func (v *verification) run(names []string) int {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			v.total.Add(uint64(info.Size()))
		}
	}
	unreadable, err := readFiles(names, v.err, v.read, v.write)
	if err == nil && len(names) > 1 && !v.asJSON {
		unverified := ""
		if v.counts.unverified > 0 {
			unverified = fmt.Sprintf(", %d NOT VERIFIED", v.counts.unverified)
		}
		_, err = fmt.Fprintf(v.out, "%d files: %d OK%s, %d with missing keys, %d corrupt, %d that could not be read\n",
			len(names), v.counts.ok, unverified, v.counts.missing, v.counts.corrupt, unreadable)
	}
	return status(unreadable+v.counts.corrupt, err, v.counts.missing == 0, v.err)
}

// read verifies a file.
func (v *verification) read(file io.ReaderAt, size int64) (*verified, error) {
	var before uint64
	report := func(done uint64) {
		all := v.done.Add(done - before)
		before = done
		if v.progress != nil {
			v.progress.At(all, v.total.Load())
		}
	}
	defer func() { report(uint64(size)) }()
	if isFilterFile(file) {
		f, err := readFilterFile(file, size)
		if err != nil {
			return nil, err
		}
		return &verified{Format: f.format(), Name: f.info.Format, NotVerified: "a filter file has no keys"}, nil
	}
	t, err := table.Open(file, size, v.options...)
	if err != nil {
		return nil, err
	}
	found, err := t.Verify(context.Background(), table.VerifyOptions{Progress: func(done, _ uint64) { report(done) }})
	if err != nil {
		return nil, err
	}
	r := &verified{
		Format: t.Format.String(), Name: t.FilterName, Blocks: found.Blocks, Entries: found.Entries, Keys: found.Keys,
		Prefixes: found.Prefixes, Missing: found.Missing, NumDamaged: found.Damaged, NumUnread: found.Unread, NotVerified: found.NotVerified,
	}
	for _, p := range found.Problems {
		if p.Missing != nil {
			r.First = &missingKey{newKeyOrPrefix(p.Missing.Key, p.Missing.Prefix, false), p.Name, p.Offset}
		} else {
			r.Damaged = append(r.Damaged, damaged{p.Name, p.Offset, p.Size, p.Err.Error()})
		}
	}
	return r, nil
}

// write writes the findings in a file.
func (v *verification) write(name string, r *verified, err error) error {
	if v.progress != nil {
		v.progress.Clear()
	}
	if err != nil {
		r = &verified{Error: err.Error()}
	}
	r.File = name
	switch { // in this order, as in the exit status
	case err != nil:
		r.Status = "unreadable"
	case r.NumDamaged > 0:
		r.Status = "corrupt"
		v.counts.corrupt++
	case r.Missing > 0:
		r.Status = "missing keys"
		v.counts.missing++
	case r.NumUnread > 0:
		r.Status = "not verified"
		v.counts.unverified++
	default:
		r.Status = "OK"
		v.counts.ok++
	}
	for _, d := range r.Damaged {
		why := strings.TrimPrefix(d.Error, "the "+d.Block+": ") // the line has it already
		fmt.Fprintf(v.err, "simdbloom sst: %s: %s, %d bytes at %d: %s\n", printable(name), d.Block, d.Size, d.Offset, why)
	}
	if v.asJSON {
		return json.NewEncoder(v.out).Encode(r)
	}
	if err != nil {
		return nil
	}
	_, err = io.WriteString(v.out, r.text())
	return err
}

// text is a line for people, and another one if keys are missing.
func (r *verified) text() string {
	name, found := printable(r.File), r.Status
	switch {
	case r.NumDamaged > 0:
		found = "CORRUPT: " + counted(r.NumDamaged, "block", "blocks") + " could not be read"
	case r.Missing > 0:
		found = "keys are MISSING in the filter"
	case r.NumUnread > 0:
		found = "NOT VERIFIED"
	}
	parts := []string{found}
	if r.Blocks > 0 {
		parts = append(parts, counted(r.Entries, "entry", "entries")+" in "+counted(r.Blocks, "data block", "data blocks"))
	}
	if r.Keys > 0 {
		parts = append(parts, counted(r.Keys, "key", "keys")+" looked up")
	}
	if r.Prefixes > 0 {
		parts = append(parts, counted(r.Prefixes, "prefix", "prefixes")+" looked up")
	}
	if r.NotVerified != "" {
		parts = append(parts, "not looked up: "+r.NotVerified)
	}
	text := fmt.Sprintf("%s: %s\n", name, strings.Join(parts, ", "))
	if r.First != nil {
		text += fmt.Sprintf("%s: missing: %s; the first is %s, in %s at %d\n",
			name, figures.Thousands(int64(r.Missing)), r.First, r.First.Block, r.First.Offset)
	}
	return text
}

func counted(n uint64, one, many string) string {
	if n == 1 {
		many = one
	}
	return figures.Thousands(int64(n)) + " " + many
}

package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/simdbloom/simdbloom/table"
)

// answered is what a file's filter says about the keys.
type answered struct {
	format, filter string
	answers        []answer // of each key
}

// keyLookups looks up the same keys in one file after another.
type keyLookups struct {
	keys  [][]byte
	hex   bool
	found []bool // by keys: in any file
	out   io.Writer
}

func (l *keyLookups) read(file io.ReaderAt, size int64) (*answered, error) {
	read, err := lookUpIn(file, size, l.keys)
	if err != nil {
		return nil, err
	}
	for i, a := range read.answers {
		l.found[i] = l.found[i] || a.may
	}
	return read, nil
}

// lookUpIn answers for keys by a file's filter.
func lookUpIn(file io.ReaderAt, size int64, keys [][]byte) (*answered, error) {
	if isFilterFile(file) {
		f, err := readFilterFile(file, size)
		if err != nil {
			return nil, err
		}
		answers, err := f.lookUp(keys)
		return &answered{f.format(), f.info.Format, answers}, err
	}
	t, err := table.Open(file, size)
	if err != nil {
		return nil, err
	}
	answers, err := lookUp(t, keys)
	return &answered{t.Format.String(), t.FilterName, answers}, err
}

// all reports whether each key may be in one of the files.
func (l *keyLookups) all() bool {
	for _, found := range l.found {
		if !found {
			return false
		}
	}
	return true
}

// text writes a line for each key, for people.
func (l *keyLookups) text(name string, file *answered, err error) error {
	if err != nil {
		return nil
	}
	var text strings.Builder
	for i, a := range file.answers {
		says := "does not contain"
		if a.may {
			says = "may contain"
		}
		fmt.Fprintf(&text, "%s: %s: %s", printable(name), l.printableKey(l.keys[i]), says)
		if a.why != "" {
			fmt.Fprintf(&text, ": %s", a.why)
		}
		text.WriteByte('\n')
	}
	_, err = io.WriteString(l.out, text.String())
	return err
}

func (l *keyLookups) printableKey(key []byte) string {
	switch {
	case len(key) == 0:
		return `""`
	case l.hex:
		return hex.EncodeToString(key)
	}
	return printable(string(key))
}

// lookedUp is what is printed about a file with -json.
type lookedUp struct {
	File    string      `json:"file"`
	Error   string      `json:"error,omitempty"`
	Format  string      `json:"format,omitempty"` // in words
	Name    string      `json:"name,omitempty"`   // that the filter is recorded under
	Answers []keyAnswer `json:"answers,omitempty"`
}

// keyAnswer has a key in one of two ways.
type keyAnswer struct {
	Key        *string `json:"key,omitempty"`
	KeyHex     *string `json:"key_hex,omitempty"` // with -hex, and for keys that are not UTF-8
	MayContain bool    `json:"may_contain"`
	Why        string  `json:"why,omitempty"`
}

// json writes an object.
func (l *keyLookups) json(name string, file *answered, err error) error {
	object := lookedUp{File: name}
	if err != nil {
		object.Error = err.Error()
	} else {
		object.Format, object.Name = file.format, file.filter
		for i, a := range file.answers {
			object.Answers = append(object.Answers, l.keyAnswer(l.keys[i], a))
		}
	}
	return json.NewEncoder(l.out).Encode(object)
}

func (l *keyLookups) keyAnswer(key []byte, a answer) keyAnswer {
	object := keyAnswer{MayContain: a.may, Why: a.why}
	if text := string(key); !l.hex && utf8.ValidString(text) {
		object.Key = &text
	} else {
		text = hex.EncodeToString(key)
		object.KeyHex = &text
	}
	return object
}

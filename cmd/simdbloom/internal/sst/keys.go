package sst

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/decode"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/table"
)

// keyArguments are the flags that say which keys and prefixes to look up.
type keyArguments struct {
	given    []string // -key
	files    []string // -keys
	prefixes []string // -prefix
	hex      bool
	raw      bool
	verbose  bool
}

func (k *keyArguments) addTo(flags *flag.FlagSet) {
	appendTo := func(list *[]string) func(string) error {
		return func(value string) error {
			*list = append(*list, value)
			return nil
		}
	}
	flags.Func("key", "look up this `key` (repeatable)", appendTo(&k.given))
	flags.Func("keys", "look up the keys in this `file`, one a line, which may be compressed; - is the standard input (repeatable)", appendTo(&k.files))
	flags.Func("prefix", "look up keys that begin with this `prefix` (repeatable)", appendTo(&k.prefixes))
	flags.BoolVar(&k.hex, "hex", false, "keys and prefixes are given and printed in hexadecimal")
	flags.BoolVar(&k.raw, "raw", false, "with -keys: take all bytes as they are; decompress nothing, and drop no byte order mark")
	flags.BoolVar(&k.verbose, "v", false, "with keys or prefixes: print which blocks of the file were read")
}

func (k *keyArguments) any() bool { return len(k.given)+len(k.files)+len(k.prefixes) > 0 }

// read returns the queries: the keys of -key, then of -keys, and the prefixes.
func (k *keyArguments) read(stdin io.Reader) (queries []table.Query, err error) {
	if !k.any() {
		switch {
		case k.hex:
			return nil, errors.New("-hex needs -key, -keys or -prefix")
		case k.raw:
			return nil, errors.New("-raw needs -keys")
		case k.verbose:
			return nil, errors.New("-v needs -key, -keys or -prefix")
		}
	}
	if queries, err = k.appendGiven(queries, "-key", k.given, false); err != nil {
		return nil, err
	}
	for _, name := range k.files {
		data, err := k.readList(name, stdin)
		if err != nil {
			return nil, fmt.Errorf("-keys %s: %w", printable(name), failures.WithoutName(err))
		}
		for number := 1; len(data) > 0; number++ {
			var line []byte
			line, data, _ = bytes.Cut(data, []byte("\n"))
			if line = k.trimmed(line); len(line) == 0 {
				continue
			}
			key, err := k.parse(line)
			if err != nil {
				return nil, fmt.Errorf("-keys %s: line %d: %w", printable(name), number, err)
			}
			queries = append(queries, table.Query{Key: key})
		}
	}
	if queries, err = k.appendGiven(queries, "-prefix", k.prefixes, true); err != nil {
		return nil, err
	}
	if k.any() && len(queries) == 0 {
		return nil, errors.New("no keys: -keys has only empty lines, or none")
	}
	return queries, nil
}

// appendGiven appends the values of a flag.
func (k *keyArguments) appendGiven(queries []table.Query, flag string, given []string, prefix bool) ([]table.Query, error) {
	for _, text := range given {
		key, err := k.parse([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", flag, printable(text), err)
		}
		queries = append(queries, table.Query{Key: key, Prefix: prefix})
	}
	return queries, nil
}

// readList returns the lines of a file, which may be compressed.
func (k *keyArguments) readList(name string, stdin io.Reader) ([]byte, error) {
	from := stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	if k.raw {
		return io.ReadAll(from)
	}
	list := decode.NewReader(from, decode.ByteLines)
	defer list.Close()
	return io.ReadAll(list)
}

// trimmed returns the key in a line, without byte order marks and the carriage return of Windows' line ends. Spaces may
// be a key's, except in hexadecimal.
func (k *keyArguments) trimmed(line []byte) []byte {
	if !k.raw {
		line = decode.TrimMarks(line)
	}
	if k.hex {
		return bytes.TrimSpace(line)
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}

// parse returns the key that is written so.
func (k *keyArguments) parse(text []byte) ([]byte, error) {
	if !k.hex {
		return text, nil
	}
	text = bytes.TrimSpace(text)
	for _, prefix := range []string{"0x", "0X"} {
		text = bytes.TrimPrefix(text, []byte(prefix))
	}
	key := make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(key, text); err != nil {
		return nil, fmt.Errorf("not hexadecimal: %w", err)
	}
	return key, nil
}

package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// keyArguments are the flags that say which keys to look up.
type keyArguments struct {
	given []string // -key
	files []string // -keys
	hex   bool
}

func (k *keyArguments) addTo(flags *flag.FlagSet) {
	appendTo := func(list *[]string) func(string) error {
		return func(value string) error {
			*list = append(*list, value)
			return nil
		}
	}
	flags.Func("key", "look up this `key` (repeatable)", appendTo(&k.given))
	flags.Func("keys", "look up the keys in this `file`, one a line; - is the standard input (repeatable)", appendTo(&k.files))
	flags.BoolVar(&k.hex, "hex", false, "keys are given and printed in hexadecimal")
}

func (k *keyArguments) any() bool { return len(k.given)+len(k.files) > 0 }

// read returns the keys, those of -key first.
func (k *keyArguments) read(stdin io.Reader) (keys [][]byte, err error) {
	if k.hex && !k.any() {
		return nil, errors.New("-hex needs -key or -keys")
	}
	for _, text := range k.given {
		key, err := k.parse([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("-key %s: %w", printable(text), err)
		}
		keys = append(keys, key)
	}
	for _, name := range k.files {
		data, err := readKeys(name, stdin)
		if err != nil {
			return nil, fmt.Errorf("-keys %s: %w", printable(name), withoutName(err))
		}
		for number := 1; len(data) > 0; number++ {
			var line []byte
			line, data, _ = bytes.Cut(data, []byte("\n"))
			key, err := k.parse(line)
			if err != nil {
				return nil, fmt.Errorf("-keys %s: line %d: %w", printable(name), number, err)
			}
			keys = append(keys, key)
		}
	}
	if k.any() && len(keys) == 0 {
		return nil, errors.New("no keys: -keys has no lines")
	}
	return keys, nil
}

func readKeys(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
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

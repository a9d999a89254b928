package sst

import (
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"github.com/simdbloom/simdbloom/table"
)

// lookedUp is what is printed about a file with -json.
type lookedUp struct {
	File    string        `json:"file"`
	Error   string        `json:"error,omitempty"`
	Format  string        `json:"format,omitempty"` // in words
	Name    string        `json:"name,omitempty"`   // that the filter is recorded under
	Answers []queryAnswer `json:"answers,omitempty"`
	Reads   []readPart    `json:"reads,omitempty"`
}

// queryAnswer has a key or a prefix, in one of two ways.
type queryAnswer struct {
	Key        *string `json:"key,omitempty"`
	KeyHex     *string `json:"key_hex,omitempty"` // with -hex, and for keys that are not UTF-8
	Prefix     *string `json:"prefix,omitempty"`
	PrefixHex  *string `json:"prefix_hex,omitempty"`
	MayContain bool    `json:"may_contain"`
	Why        string  `json:"why,omitempty"`
}

// json writes an object.
func (l *lookups) json(name string, file *answered, err error) error {
	object := lookedUp{File: name}
	if err != nil {
		object.Error = err.Error()
	} else {
		object.Format, object.Name = file.format, file.filter
		for i, a := range file.answers {
			object.Answers = append(object.Answers, l.queryAnswer(l.queries[i], a))
		}
		if l.verbose {
			object.Reads = file.reads
		}
	}
	return json.NewEncoder(l.out).Encode(object)
}

func (l *lookups) queryAnswer(query table.Query, a table.Answer) queryAnswer {
	object := queryAnswer{MayContain: a.MayContain, Why: whyOf(a)}
	plain, inHex := &object.Key, &object.KeyHex
	if query.Prefix {
		plain, inHex = &object.Prefix, &object.PrefixHex
	}
	if text := string(query.Key); !l.hex && utf8.ValidString(text) {
		*plain = &text
	} else {
		text = hex.EncodeToString(query.Key)
		*inHex = &text
	}
	return object
}

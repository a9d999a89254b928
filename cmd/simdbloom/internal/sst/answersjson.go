package sst

import (
	"encoding/json"

	"github.com/simdbloom/simdbloom/table"
)

// lookedUp is a file's object of -json.
type lookedUp struct {
	File    string        `json:"file"`
	Error   string        `json:"error,omitempty"`
	Format  string        `json:"format,omitempty"` // in words
	Name    string        `json:"name,omitempty"`   // that the filter is recorded under
	Answers []queryAnswer `json:"answers,omitempty"`
	Reads   []readPart    `json:"reads,omitempty"`
}

type queryAnswer struct {
	keyOrPrefix
	MayContain bool   `json:"may_contain"`
	Why        string `json:"why,omitempty"`
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
	return queryAnswer{newKeyOrPrefix(query.Key, query.Prefix, l.hex), a.MayContain, whyOf(a)}
}

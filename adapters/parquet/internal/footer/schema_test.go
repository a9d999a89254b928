package footer

import (
	"slices"
	"testing"
)

// TestSchemas: a schema has a root, which may have no columns, and each node has the children that it says.
func TestSchemas(t *testing.T) {
	leaf := node{name: []byte("c")}
	// nested is a schema of columns in nine groups, each with ten names in its path.
	nested := func(columns int) []node {
		nodes := slices.Repeat([]node{{name: []byte("g"), children: 1}}, 10)
		nodes[9].children = int32(columns)
		return append(nodes, slices.Repeat([]node{leaf}, columns)...)
	}
	for what, c := range map[string]struct {
		nodes   []node
		columns int // -1 if the schema is refused
	}{
		"nothing":              {nil, -1},
		"a root":               {[]node{{}}, 0},
		"a column":             {[]node{{children: 1}, leaf}, 1},
		"two":                  {[]node{{children: 2}, leaf, leaf}, 2},
		"a missing column":     {[]node{{children: 2}, leaf}, -1},
		"one too many":         {[]node{{children: 1}, leaf, leaf}, -1},
		"one behind the root":  {[]node{{}, leaf}, -1},
		"nested":               {[]node{{children: 2}, {children: 1}, leaf, leaf}, 2},
		"a missing nested one": {[]node{{children: 1}, {children: 2}, leaf}, -1},
		"fewer than none":      {[]node{{children: -1}}, -1},
		"100 names":            {nested(10), 10},
		"110 names":            {nested(11), -1},
	} {
		columns, ok := leaves(c.nodes, 100)
		if ok != (c.columns >= 0) || ok && len(columns) != c.columns {
			t.Errorf("%s: %d columns, %v", what, len(columns), ok)
		}
	}
}

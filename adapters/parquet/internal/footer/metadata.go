package footer

import (
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// Footer is a footer's content: a FileMetaData of parquet.thrift, with the fields that filters need.
type Footer struct {
	Columns   []Column
	RowGroups [][]Chunk // with a Chunk for each column
	Places    [][]Place // of these
	CreatedBy string
	Encrypted bool // some columns, or the footer is signed: it cannot be changed
}

// Place is where a column chunk's ColumnMetaData is in the footer: empty if it is not there, or
// if the column's data is in another file.
type Place struct{ From, To int }

// The fields of parquet.thrift.
const (
	fileSchema, fileRows, fileRowGroups, fileCreatedBy                = 2, 3, 4, 6
	fileEncryption, fileSigningKey                                    = 8, 9
	schemaType, schemaLength, schemaName, schemaChildren              = 1, 2, 4, 5
	schemaConverted, schemaScale, schemaPrecision, schemaLogical      = 6, 7, 8, 10
	rowGroupColumns                                                   = 1
	chunkFilePath, chunkMetaData, chunkCrypto, chunkEncryptedMetaData = 1, 3, 8, 9
	metaEncodings, metaCodec, metaValues, metaEncodingStats           = 2, 4, 5, 13
	FilterOffsetField, FilterLengthField                              = 14, 15
	statsPage, statsEncoding, dataPage, dataPageV2                    = 1, 2, 0, 3
)

// Parse reads a footer: any bytes. Its errors wrap simdbloom.ErrCorrupt.
func Parse(footer []byte) (*Footer, error) {
	r, m := thrift.NewReader(footer), new(Footer)
	var nodes []node
	rows, listed := int64(-1), false
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		switch id {
		case fileSchema:
			nodes = readNodes(r, t)
		case fileRows:
			rows = r.Int(t, thrift.I64)
		case fileRowGroups:
			listed = true
			if !m.readRowGroups(r, t) {
				return nil, Corrupt("the footer: row group %d has no list of columns", len(m.RowGroups))
			}
		case fileCreatedBy:
			m.CreatedBy = optionalText(r, t)
		case fileEncryption, fileSigningKey:
			m.Encrypted = true
			r.Skip(t)
		default:
			r.Skip(t)
		}
	}
	if r.Err() != nil {
		return nil, Corrupt("the footer: %v", r.Err())
	}
	// A changed byte can hide row groups, and no value would be in them. With an empty list, there may be rows:
	// fastparquet's _common_metadata counts those of other files.
	switch rest := len(footer) - r.At(); {
	case rows != 0 && !listed:
		return nil, Corrupt("the footer: no list of row groups")
	case rest > 0 && !m.Encrypted: // a signature follows a signed footer
		return nil, Corrupt("the footer: %d bytes follow its last field", rest)
	}
	columns, ok := leaves(nodes, 1024+len(footer))
	if !ok {
		return nil, Corrupt("the footer: the schema is no tree, or too large")
	}
	m.Columns = columns
	for i, chunks := range m.RowGroups {
		if len(chunks) != len(columns) {
			return nil, Corrupt("the footer: row group %d has %d columns, and the schema %d", i, len(chunks), len(columns))
		}
	}
	return m, nil
}

// node is a SchemaElement. It is small, since a byte of a hostile footer can stand for one.
type node struct {
	name         []byte   // in the footer
	logical      *Logical // nil if it has none
	children     int32
	length       int32
	of           Type
	named, typed bool // whether it has a name and a physical type
}

func readNodes(r *thrift.Reader, t thrift.Type) []node {
	n, of := r.Elements(t)
	nodes := make([]node, 0, min(n, 1024)) // n may be a lie
	for ; n > 0 && r.Err() == nil; n-- {
		r.Expect(of, thrift.Struct)
		var e node
		var logical Logical
		converted, precision, scale := -1, 0, 0
		for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
			switch id {
			case schemaType:
				e.of, e.typed = Type(r.Int(t, thrift.I32)), true
			case schemaLength:
				e.length = int32(r.Int(t, thrift.I32))
			case schemaName:
				e.name, e.named = r.Bytes(t), true
			case schemaChildren:
				e.children = int32(r.Int(t, thrift.I32))
			case schemaConverted:
				converted = optionalInt(r, t, -1)
			case schemaScale:
				scale = optionalInt(r, t, 0)
			case schemaPrecision:
				precision = optionalInt(r, t, 0)
			case schemaLogical:
				logical = readLogical(r, t)
			default:
				r.Skip(t)
			}
		}
		if len(nodes) > 0 && !e.isSound() {
			return nil // before more of them take memory
		}
		if e.of != FixedLenByteArray {
			e.length = 0 // some writers write the number of bits
		}
		if logical == (Logical{}) {
			logical = Converted(converted, precision, scale)
		}
		if logical = logical.Of(e.of, int(e.length)); logical != (Logical{}) {
			e.logical = &logical
		}
		nodes = append(nodes, e)
	}
	return nodes
}

// isSound reports whether a node that is not the root has a name, and a type if it is a column.
func (n *node) isSound() bool { return n.named && (n.typed || n.children != 0) }

// optionalInt reads a field without which the file can be read: of another type than it must have, it is the given
// value.
func optionalInt(r *thrift.Reader, t thrift.Type, otherwise int) int {
	if t != thrift.I32 {
		r.Skip(t)
		return otherwise
	}
	return int(r.Int(t, thrift.I32))
}

// leaves returns the columns of a schema, whose nodes come in the order of a walk from its root. It refuses paths of
// more names than mostNames in all: in a hostile schema, a byte can stand for a column at any depth.
func leaves(nodes []node, mostNames int) (columns []Column, ok bool) {
	var path []string
	var missing []int // the children that the nodes of path still lack
	names, most := 0, 0
	for _, n := range nodes {
		if n.children == 0 {
			most++
		}
	}
	columns = make([]Column, 0, most)
	for i, n := range nodes {
		if i > 0 {
			for len(missing) > 0 && missing[len(missing)-1] == 0 {
				path, missing = path[:max(len(path)-1, 0)], missing[:len(missing)-1]
			}
			if len(missing) == 0 {
				return nil, false
			}
			missing[len(missing)-1]--
		}
		switch {
		case n.children < 0:
			return nil, false
		case i == 0:
			missing = append(missing, int(n.children))
		case n.children > 0:
			path, missing = append(path, string(n.name)), append(missing, int(n.children))
		default:
			if names += len(path) + 1; names > mostNames {
				return nil, false
			}
			columns = append(columns, n.column(path))
		}
	}
	for _, children := range missing {
		if children != 0 {
			return nil, false
		}
	}
	return columns, len(nodes) > 0
}

// column returns the Column of a node whose groups have the given names.
func (n *node) column(path []string) Column {
	c := Column{Path: append(path[:len(path):len(path)], string(n.name)), Type: n.of, Length: int(n.length)}
	if n.logical != nil {
		c.Logical = *n.logical
	}
	return c
}

// readRowGroups reports whether every row group has a list of columns, which may be empty.
func (m *Footer) readRowGroups(r *thrift.Reader, t thrift.Type) bool {
	for n, of := r.Elements(t); n > 0 && r.Err() == nil; n-- {
		r.Expect(of, thrift.Struct)
		var chunks []Chunk
		var places []Place
		listed := false
		for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
			if id != rowGroupColumns {
				r.Skip(t)
				continue
			}
			listed = true
			for n, of := r.Elements(t); n > 0 && r.Err() == nil; n-- {
				r.Expect(of, thrift.Struct)
				c, p := m.readChunk(r)
				chunks, places = append(chunks, c), append(places, p)
			}
		}
		if !listed && r.Err() == nil {
			return false
		}
		m.RowGroups, m.Places = append(m.RowGroups, chunks), append(m.Places, places)
	}
	return true
}

// readChunk reads a ColumnChunk.
func (m *Footer) readChunk(r *thrift.Reader) (c Chunk, p Place) {
	readable := true
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		switch id {
		case chunkMetaData:
			r.Expect(t, thrift.Struct)
			p.From = r.At()
			c = readColumnMetaData(r)
			p.To = r.At()
		case chunkFilePath: // the filter is in that file, too
			readable = readable && len(r.Bytes(t)) == 0
		case chunkCrypto, chunkEncryptedMetaData:
			readable, m.Encrypted = false, true
			r.Skip(t)
		default:
			r.Skip(t)
		}
	}
	if !readable {
		return Chunk{Values: c.Values}, Place{}
	}
	return c, p
}

// readColumnMetaData accepts the fields of filters only if they have their types. Dremio has written another one by the
// length's id, and Thrift skips what it does not expect.
func readColumnMetaData(r *thrift.Reader) (c Chunk) {
	all := uint32(0) // encodings, of levels and dictionaries, too
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		switch {
		case id == metaValues:
			c.Values = r.Int(t, thrift.I64)
		case id == metaCodec:
			c.Codec = optionalInt(r, t, 0)
		case id == metaEncodings && t == thrift.List:
			for n, of := r.Elements(t); n > 0 && r.Err() == nil; n-- {
				all |= EncodingBit(optionalInt(r, of, -1))
			}
		case id == metaEncodingStats && t == thrift.List:
			c.Encodings |= readEncodingStats(r, t)
		case id == FilterOffsetField && t == thrift.I64:
			c.FilterOffset = r.Int(t, thrift.I64)
		case id == FilterLengthField && t == thrift.I32:
			c.FilterLength = int(r.Int(t, thrift.I32))
		default:
			r.Skip(t)
		}
	}
	if c.Encodings == 0 {
		c.Encodings = all
	}
	return c
}

// readEncodingStats returns the encodings of data pages.
func readEncodingStats(r *thrift.Reader, t thrift.Type) (encodings uint32) {
	for n, of := r.Elements(t); n > 0 && r.Err() == nil; n-- {
		r.Expect(of, thrift.Struct)
		page, encoding := -1, -1
		for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
			switch id {
			case statsPage:
				page = optionalInt(r, t, -1)
			case statsEncoding:
				encoding = optionalInt(r, t, -1)
			default:
				r.Skip(t)
			}
		}
		if page == dataPage || page == dataPageV2 {
			encodings |= EncodingBit(encoding)
		}
	}
	return encodings
}

// EncodingBit returns the bit of [Chunk.Encodings] for an encoding: none if there is no such encoding.
func EncodingBit(encoding int) uint32 {
	if encoding < 0 || encoding > 31 {
		return 0
	}
	return 1 << encoding
}

// optionalText reads a field without which the file can be read: of another type than it must have, it is empty.
func optionalText(r *thrift.Reader, t thrift.Type) string {
	if t != thrift.Binary {
		r.Skip(t)
		return ""
	}
	return string(r.Bytes(t))
}

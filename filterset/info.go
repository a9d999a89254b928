package filterset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

const (
	// Manifest is the name of the file that lists the contents of a set's folder.
	Manifest = "set.manifest"

	mostParts        = 1 << 14 // of a layer
	mostLayers       = 1024
	setVersion       = 1
	mostManifest     = 256 << 20 // bytes
	layerDigits      = 16
	layerPrefix      = "layer-"
	manifestSum      = "xxh64 "
	manifestSumBytes = len(manifestSum) + 16 + 1
)

// Info is the content of a set's manifest. [Set.Info] returns it; programs that build parts elsewhere, such as
// on many machines, fill it and write the manifest themselves.
type Info struct {
	Format string  // the name of the format and the key hash: see [policy.Policy]'s Name
	Hash   string  // the name of the key hash
	Layers []Layer // a key may be in any of them
}

// Layer is a layer of a set: the keys that one [Builder] added.
type Layer struct {
	ID         string  // 16 hexadecimal digits, by which the layer's folder is named
	BitsPerKey float64 // the builder's setting
	Parts      []Part  // their number is a power of two
	Input      string  // how the keys were read from lists, or empty: see [WithInput]
}

// Part is a part of a layer: a filter file.
type Part struct {
	Keys  int64  // that were added, without repeated ones that were dropped
	Bytes int64  // of the file
	Sum   uint64 // the checksum of the file's header, which covers the filter's checksums
}

// Keys returns the number of keys that were added, in all layers.
func (i Info) Keys() (n int64) {
	for _, layer := range i.Layers {
		n += layer.Keys()
	}
	return n
}

// Keys returns the number of keys that were added to the layer.
func (l Layer) Keys() (n int64) {
	for _, part := range l.Parts {
		n += part.Keys
	}
	return n
}

// NumParts returns the number of parts, in all layers. A lookup reads one in each layer.
func (i Info) NumParts() (n int) {
	for _, layer := range i.Layers {
		n += len(layer.Parts)
	}
	return n
}

// SizeBytes returns the size of all parts' files.
func (i Info) SizeBytes() (n int64) {
	for _, layer := range i.Layers {
		for _, part := range layer.Parts {
			n += part.Bytes
		}
	}
	return n
}

// Folder returns the name of the layer's folder in the set's.
func (l Layer) Folder() string { return layerPrefix + l.ID }

// PartFile returns the name of a part's file in the layer's folder.
func PartFile(part int) string { return fmt.Sprintf("%05d.filter", part) }

// PartOf returns the part, of a layer with the given number of parts, that has a key with this hash:
// the top bits of hash * 0x9E3779B97F4A7C15 modulo 2^64. It never changes. It panics if the number is not a
// power of two.
func PartOf(hash uint64, parts int) int {
	if parts < 1 || parts&(parts-1) != 0 {
		panic(fmt.Sprintf("filterset: the number of parts must be a power of two, not %d", parts))
	}
	return int(partOf(hash, partShift(parts)))
}

// partMultiplier spreads every bit of a hash over the top bits of the product, so that the keys of a part
// look random to its filter: formats choose lines by single bits of the hash.
const partMultiplier = 0x9E3779B97F4A7C15

func partOf(hash uint64, shift uint) uint64 { return hash * partMultiplier >> shift }

// The manifest's text.
type (
	manifest struct {
		Set    int            `json:"set"`
		Format string         `json:"format"`
		Hash   string         `json:"hash"`
		Layers manifestLayers `json:"layers"`
	}
	manifestLayers []manifestLayer
	manifestLayer  struct {
		ID         string   `json:"id"`
		BitsPerKey float64  `json:"bits_per_key"`
		Parts      int      `json:"parts"`
		Keys       []int64  `json:"keys"`
		Bytes      []int64  `json:"bytes"`
		Sums       []string `json:"sums"`
		Input      string   `json:"input,omitempty"`
	}
)

// UnmarshalJSON reads no more layers than a set may have: of a hostile manifest, each byte could take hundreds of
// bytes of memory.
func (m *manifestLayers) UnmarshalJSON(text []byte) error {
	*m = nil
	if string(text) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('[') {
		return errors.New("the layers are not a list")
	}
	for d.More() {
		if len(*m) == mostLayers {
			return fmt.Errorf("more than %d layers", mostLayers)
		}
		var l manifestLayer
		if err := d.Decode(&l); err != nil {
			return err
		}
		*m = append(*m, l)
	}
	return nil
}

// AppendText appends the bytes of the manifest to b. It is an error if one of the rules of the format is
// broken: see docs/files.md.
func (i Info) AppendText(b []byte) ([]byte, error) {
	b, err := i.appendText(b)
	return b, wrap(err)
}

func (i Info) appendText(b []byte) ([]byte, error) {
	if err := i.check(); err != nil {
		return b, fmt.Errorf("the set's manifest: %w", err)
	}
	m := manifest{Set: setVersion, Format: i.Format, Hash: i.Hash, Layers: manifestLayers{}}
	for _, layer := range i.Layers {
		l := manifestLayer{ID: layer.ID, BitsPerKey: layer.BitsPerKey, Parts: len(layer.Parts), Input: layer.Input}
		for _, part := range layer.Parts {
			l.Keys = append(l.Keys, part.Keys)
			l.Bytes = append(l.Bytes, part.Bytes)
			l.Sums = append(l.Sums, fmt.Sprintf("%016x", part.Sum))
		}
		m.Layers = append(m.Layers, l)
	}
	from := len(b)
	text, err := json.Marshal(m)
	if err != nil {
		return b, err
	}
	if len(text) > mostManifest-manifestSumBytes-1 {
		return b, fmt.Errorf("the set's manifest: %d bytes of layers and parts, more than fit", len(text))
	}
	b = append(append(b, text...), '\n')
	return fmt.Appendf(b, "%s%016x\n", manifestSum, xxhash.Sum64(b[from:])), nil
}

// MarshalText returns the bytes of the manifest.
func (i Info) MarshalText() ([]byte, error) { return i.AppendText(nil) }

// UnmarshalText reads the bytes of a manifest. It accepts any bytes. The error wraps [simdbloom.ErrCorrupt].
func (i *Info) UnmarshalText(text []byte) error {
	read, err := readManifest(text)
	if err == nil {
		*i = read
	}
	return wrap(err)
}

func readManifest(text []byte) (Info, error) {
	info, err := parseManifest(text)
	if err != nil {
		return Info{}, fmt.Errorf("%w: the set's manifest: %w", simdbloom.ErrCorrupt, err)
	}
	return info, nil
}

func parseManifest(text []byte) (info Info, err error) {
	at := len(text) - manifestSumBytes
	if at < 1 || text[at-1] != '\n' || string(text[at:]) != fmt.Sprintf("%s%016x\n", manifestSum, xxhash.Sum64(text[:at])) {
		return info, errors.New("truncated or modified: checksum line missing or wrong")
	}
	if bytes.IndexByte(text, '\n') != at-1 {
		return info, fmt.Errorf("it does not have two lines")
	}
	var m manifest
	if err := json.Unmarshal(text[:at], &m); err != nil {
		return info, err
	}
	if m.Set != setVersion {
		return info, fmt.Errorf("version %d, but only version %d can be read", m.Set, setVersion)
	}
	info = Info{Format: m.Format, Hash: m.Hash}
	for _, l := range m.Layers {
		if len(l.Keys) != l.Parts || len(l.Bytes) != l.Parts || len(l.Sums) != l.Parts {
			return info, fmt.Errorf("a layer of %d parts lists %d, %d and %d", l.Parts, len(l.Keys), len(l.Bytes), len(l.Sums))
		}
		layer := Layer{ID: l.ID, BitsPerKey: l.BitsPerKey, Parts: make([]Part, l.Parts), Input: l.Input}
		for part := range layer.Parts {
			sum, err := strconv.ParseUint(l.Sums[part], 16, 64)
			if err != nil || len(l.Sums[part]) != 16 {
				return info, fmt.Errorf("the checksum %.20q is not 16 hexadecimal digits", l.Sums[part])
			}
			layer.Parts[part] = Part{Keys: l.Keys[part], Bytes: l.Bytes[part], Sum: sum}
		}
		info.Layers = append(info.Layers, layer)
	}
	return info, info.check()
}

// check returns an error if a rule is broken.
func (i *Info) check() error {
	if i.Hash == "" || !strings.HasSuffix(i.Format, "."+i.Hash) {
		return fmt.Errorf("the format %.100q does not end with the name of its hash, %.100q", i.Format, i.Hash)
	}
	if len(i.Layers) > mostLayers {
		return fmt.Errorf("%d layers, more than %d", len(i.Layers), mostLayers)
	}
	seen := make(map[string]bool)
	keys, size := uint64(0), uint64(0)
	for _, layer := range i.Layers {
		if !isLayerID(layer.ID) || seen[layer.ID] {
			return fmt.Errorf("the layer's name %.40q is not 16 hexadecimal digits, or is there twice", layer.ID)
		}
		seen[layer.ID] = true
		if n := len(layer.Parts); n < 1 || n > mostParts || n&(n-1) != 0 {
			return fmt.Errorf("%d parts, not a power of two up to %d", n, mostParts)
		}
		if !(layer.BitsPerKey > 0 && layer.BitsPerKey <= math.MaxFloat64) {
			return fmt.Errorf("bits per key are %v, not a positive number", layer.BitsPerKey)
		}
		if err := checkInput(layer.Input); err != nil {
			return err
		}
		for _, part := range layer.Parts {
			if part.Keys < 0 || part.Bytes < 0 {
				return fmt.Errorf("a part of %d keys and %d bytes", part.Keys, part.Bytes)
			}
			keys += uint64(part.Keys) // no overflow of 2^64 before it is above 2^63
			size += uint64(part.Bytes)
			if keys > math.MaxInt64 || size > math.MaxInt64 {
				return fmt.Errorf("more than 2^63-1 keys or bytes")
			}
		}
	}
	return nil
}

// mostInput is the largest number of bytes of a layer's Input.
const mostInput = 1024

func checkInput(text string) error {
	if len(text) > mostInput || !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return fmt.Errorf("the input %.100q is not printable text of at most %d bytes", text, mostInput)
	}
	return nil
}

func isLayerID(id string) bool {
	return len(id) == layerDigits && strings.Trim(id, "0123456789abcdef") == ""
}

// policyOf returns a policy that builds the layer's filters. The batches of Paired are taken for those that the size
// decides.
func (i *Info) policyOf(layer *Layer) (*policy.Policy, error) {
	name := i.Format
	if name == "simdbloom.Paired128.XX64" {
		name = "simdbloom.Paired"
	}
	return policy.Parse(name + ":" + strconv.FormatFloat(layer.BitsPerKey, 'f', -1, 64))
}

package beam

import (
	"encoding/binary"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

func init() {
	registerHash[string]()
	registerHash[[]byte]()
	registerHash[int64]()
	registerHash[uint64]()
	register.Emitter2[int, []byte]()
}

func registerHash[K key]() {
	registerDoFn(func(fn *hashFn[K]) func(K, func(int, []byte)) { return fn.ProcessElement }, make2x0)
}

// hashed returns pairs of parts and blocks of hashes, of 8 little-endian bytes each: an engine then moves and sorts a
// few hundred times fewer elements than there are keys.
func hashed(s beam.Scope, name string, parts int, keys beam.PCollection) beam.PCollection {
	mustBeGlobal(keys)
	t, _ := keyType(keys)
	return beam.ParDo(s, ofType(t, &hashFn[string]{Policy: name, Parts: parts}, &hashFn[[]byte]{Policy: name, Parts: parts},
		&hashFn[int64]{Policy: name, Parts: parts}, &hashFn[uint64]{Policy: name, Parts: parts}), keys)
}

// hashFn hashes the keys of a bundle, and emits blocks of hashes with their parts.
type hashFn[K key] struct {
	Policy string
	Parts  int

	hash   keyhash.Hash
	blocks [][]byte
	full   int // bytes of a block
}

func (fn *hashFn[K]) Setup() error {
	p, err := policy.Parse(fn.Policy)
	if err != nil {
		return err
	}
	fn.hash = p.Hash()
	fn.blocks = make([][]byte, fn.Parts)
	fn.full = min(max(512, 8<<20/fn.Parts), 32<<10)
	return nil
}

func (fn *hashFn[K]) ProcessElement(k K, emit func(int, []byte)) {
	h := sum(fn.hash, k)
	part := filterset.PartOf(h, fn.Parts)
	fn.blocks[part] = binary.LittleEndian.AppendUint64(fn.blocks[part], h)
	if len(fn.blocks[part]) >= fn.full {
		fn.emit(part, emit)
	}
}

func (fn *hashFn[K]) FinishBundle(emit func(int, []byte)) {
	for part := range fn.blocks {
		if len(fn.blocks[part]) > 0 {
			fn.emit(part, emit)
		}
	}
}

func (fn *hashFn[K]) emit(part int, emit func(int, []byte)) {
	emit(part, fn.blocks[part])
	fn.blocks[part] = nil // an emitted element never changes
}

// appendHashes appends the hashes of a block.
func appendHashes(dst []uint64, block []byte) []uint64 {
	for ; len(block) >= 8; block = block[8:] {
		dst = append(dst, binary.LittleEndian.Uint64(block))
	}
	return dst
}

// appendBlock appends hashes as a block has them.
func appendBlock(dst []byte, hashes []uint64) []byte {
	for _, h := range hashes {
		dst = binary.LittleEndian.AppendUint64(dst, h)
	}
	return dst
}

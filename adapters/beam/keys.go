package beam

import (
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"

	"github.com/simdbloom/simdbloom/keyhash"
)

// key is the type of keys.
type key interface {
	string | []byte | int64 | uint64
}

// sum returns the hash of a key.
func sum[K key](hash keyhash.Hash, k K) uint64 {
	switch k := any(k).(type) {
	case string:
		return hash.Sum64String(k)
	case []byte:
		return hash.Sum64(k)
	case int64:
		return hash.SumUint64(uint64(k))
	case uint64:
		return hash.SumUint64(k)
	}
	panic("unreachable")
}

// keyType returns the type of a collection's keys, and whether its elements are pairs that have them.
func keyType(col beam.PCollection) (t reflect.Type, pairs bool) {
	if typex.IsKV(col.Type()) {
		return col.Type().Components()[0].Type(), true
	}
	return col.Type().Type(), false
}

// ofType returns the DoFn for the type of the keys, from one for each type.
func ofType(t reflect.Type, strings, bytes, signed, unsigned any) any {
	switch t {
	case reflect.TypeFor[string]():
		return strings
	case reflect.TypeFor[[]byte]():
		return bytes
	case reflect.TypeFor[int64]():
		return signed
	case reflect.TypeFor[uint64]():
		return unsigned
	}
	panic(fmt.Sprintf("beam: keys must be string, []byte, int64 or uint64, not %v", t))
}

// global reports whether the elements of a collection are in the global window.
func global(col beam.PCollection) bool {
	return col.WindowingStrategy().Fn.Kind == window.GlobalWindows
}

// mustBeGlobal panics if a collection has windows. Hashes of many elements leave a DoFn at the end of a bundle,
// where it has no window.
func mustBeGlobal(col beam.PCollection) {
	if !global(col) {
		panic(fmt.Sprintf("beam: the collection must be in the global window, not in %s", col.WindowingStrategy().Fn.Kind))
	}
}

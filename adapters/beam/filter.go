package beam

import (
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

func init() {
	register.Combiner3[union, []byte, []byte](&unionFn{})
	beam.RegisterCoder(reflect.TypeFor[union](), encodeUnion, decodeUnion)
	beam.RegisterDoFn(reflect.TypeFor[noHashesFn]())
}

// Filter describes the filter that [BuildFilter] builds.
type Filter struct {
	Policy string // "simdbloom.FastLocal:10" or "simdbloom.SplitBlock:10", as [policy.Parse] reads it
	Keys   int    // the expected number of different keys; more raise the false-positive rate

	// AllowEmpty has a filter built of no keys, which contains none. Otherwise it is an error of the pipeline.
	AllowEmpty bool
}

// BuildFilter builds one filter of all keys of a collection. It returns a collection with one element, a []byte: the
// bytes of a filter file, for [MayContain] or [filterfile.OpenBytes]. They depend on nothing but the
// keys, whatever their order and distribution over machines. Without keys it is an error of the pipeline, unless
// AllowEmpty is set.
//
// Each machine sends its hashes, or a filter of the full size once that is smaller, and one machine unites them:
// take [BuildSet] for filters of hundreds of megabytes. It panics if the policy is unknown or its format is not
// FastLocal or SplitBlock, if Keys is negative, or if the filter would be larger than 4 GiB.
func BuildFilter(s beam.Scope, f Filter, keys beam.PCollection) beam.PCollection {
	s = s.Scope("simdbloom.BuildFilter")
	if err := f.Check(); err != nil {
		panic(err)
	}
	blocks := hashed(s, f.Policy, 1, keys)
	blocks = beam.Flatten(s, blocks, beam.ParDo(s, &noHashesFn{}, beam.Impulse(s)))
	return beam.DropKey(s, beam.CombinePerKey(s, &unionFn{Filter: f}, blocks))
}

// Check returns an error if the filter cannot be built: the conditions in which [BuildFilter] panics.
func (f Filter) Check() error {
	_, err := f.mutable()
	return err
}

// mutable returns the filter without keys.
func (f Filter) mutable() (*simdbloom.Mutable, error) {
	p, err := policy.Parse(f.Policy)
	if err != nil {
		return nil, err
	}
	return simdbloom.NewMutable(p.Format(), f.Keys, p.BitsPerKey(), p.Hash())
}

// noHashesFn emits a block without hashes, so that there is a filter even if there are no keys.
type noHashesFn struct{}

func (*noHashesFn) ProcessElement([]byte) (int, []byte) { return 0, nil }

// union is the accumulator of unionFn: hashes while they are few, and then a filter. Without keys it has neither.
type union struct {
	hashes []uint64
	filter *simdbloom.Mutable
}

// unionFn unites blocks of hashes in one filter.
type unionFn struct {
	Filter Filter
}

func (*unionFn) CreateAccumulator() union { return union{} }

func (fn *unionFn) AddInput(u union, block []byte) (union, error) {
	if u.filter != nil {
		u.filter.AddHashes(appendHashes(nil, block))
		return u, nil
	}
	u.hashes = appendHashes(u.hashes, block)
	return fn.settle(u)
}

func (fn *unionFn) MergeAccumulators(u, v union) (union, error) {
	if u.filter == nil {
		u, v = v, u
	}
	switch {
	case u.filter == nil:
		u.hashes = append(u.hashes, v.hashes...)
		return fn.settle(u)
	case v.filter == nil:
		u.filter.AddHashes(v.hashes)
		return u, nil
	default:
		return u, u.filter.Union(v.filter)
	}
}

func (fn *unionFn) ExtractOutput(u union) ([]byte, error) {
	if u.filter == nil && len(u.hashes) == 0 && !fn.Filter.AllowEmpty {
		return nil, errNoKeys
	}
	u, err := fn.filled(u)
	if err != nil {
		return nil, err
	}
	return u.filter.MarshalBinary()
}

// settle makes a filter of the hashes once it is smaller than they are.
func (fn *unionFn) settle(u union) (union, error) {
	if len(u.hashes) == 0 {
		return u, nil
	}
	if p, err := policy.Parse(fn.Filter.Policy); err != nil || float64(len(u.hashes))*64 < float64(fn.Filter.Keys)*p.BitsPerKey() {
		return u, err
	}
	return fn.filled(u)
}

func (fn *unionFn) filled(u union) (union, error) {
	if u.filter != nil {
		return u, nil
	}
	filter, err := fn.Filter.mutable()
	if err == nil {
		filter.AddHashes(u.hashes)
	}
	return union{filter: filter}, err
}

func encodeUnion(u union) ([]byte, error) {
	if u.filter != nil {
		return u.filter.AppendBinary([]byte{1})
	}
	return appendBlock([]byte{0}, u.hashes), nil
}

func decodeUnion(data []byte) (u union, err error) {
	switch {
	case len(data) > 0 && data[0] == 0:
		u.hashes = appendHashes(nil, data[1:])
	case len(data) > 0 && data[0] == 1:
		u.filter = new(simdbloom.Mutable)
		err = u.filter.UnmarshalBinary(data[1:])
	default:
		err = fmt.Errorf("beam: invalid accumulator (%d bytes)", len(data))
	}
	return u, err
}

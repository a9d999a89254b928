package opened

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

const lookups = 40

// Hashes and Keys are looked up in filters. The two have equal lengths.
var (
	Hashes = vectors.Hashes(3, lookups)
	Keys   = func() (keys [][]byte) {
		for i := range lookups {
			keys = append(keys, fmt.Appendf(nil, "key%d", i))
		}
		return keys
	}()
)

// CallAll calls all exported methods of a value but some, with any arguments of their types: Close last. f is the
// filter that the value was made of, and the argument of methods that take one.
func CallAll(t *testing.T, of any, f *simdbloom.Filter, but ...string) {
	t.Helper()
	value := reflect.ValueOf(of)
	call := func(name string) {
		m := value.MethodByName(name)
		args := make([]reflect.Value, 0, m.Type().NumIn())
		for i := range m.Type().NumIn() {
			if m.Type().IsVariadic() && i == m.Type().NumIn()-1 {
				break
			}
			args = append(args, argument(t, m.Type().In(i), of, f))
		}
		for _, result := range m.Call(args) {
			iterate(result)
		}
	}
	for i := range value.NumMethod() {
		switch name := value.Type().Method(i).Name; {
		case name == "Close" || name == "WriteFile" || slices.Contains(but, name): // WriteFile is as WriteTo
		case name == "EstimatedFPR" && isSampled(f):
		default:
			call(name)
		}
	}
	if value.MethodByName("Close").IsValid() {
		call("Close")
	}
}

var sampled = make(map[string]bool)

// isSampled reports whether EstimatedFPR looks up millions of hashes, and did so in a filter of the same size.
func isSampled(f *simdbloom.Filter) (again bool) {
	if f != nil && f.Format() == simdbloom.Legacy {
		kind := fmt.Sprint(f.SizeBytes(), f.NumProbes())
		again, sampled[kind] = sampled[kind], true
	}
	return again
}

// iterate runs through an iterator, and calls a function of a hash.
func iterate(result reflect.Value) {
	switch f := result.Interface().(type) {
	case func(hash uint64) bool:
		f(Hashes[0])
	case nil:
	default:
		if result.Type().CanSeq2() {
			for range result.Seq2() {
			}
		}
	}
}

// argument returns a value of a parameter's type. Every number is 0 or small, and lists are as long as each other.
func argument(t *testing.T, of reflect.Type, receiver any, f *simdbloom.Filter) reflect.Value {
	switch value := reflect.New(of).Interface().(type) {
	case *[]byte:
		return reflect.ValueOf(Keys[1])
	case *string:
		return reflect.ValueOf("key")
	case *uint64, *int, *float64:
		return reflect.ValueOf(value).Elem()
	case *[]uint64:
		return reflect.ValueOf(slices.Clone(Hashes))
	case *[]bool:
		return reflect.ValueOf(make([]bool, lookups))
	case *[][]byte:
		return reflect.ValueOf(Keys)
	case *[]int, *[]int32:
		return reflect.ValueOf(value).Elem()
	case **simdbloom.Filter:
		return reflect.ValueOf(f)
	case *[]*simdbloom.Filter:
		return reflect.ValueOf([]*simdbloom.Filter{f})
	case *keyhash.Column:
		return reflect.ValueOf(keyhash.Values(Hashes))
	case *io.Writer:
		return reflect.ValueOf(io.Discard)
	case *io.Reader:
		return reflect.ValueOf(strings.NewReader("no filter"))
	case *context.Context:
		return reflect.ValueOf(context.Background())
	}
	switch {
	case of == reflect.TypeOf(receiver): // Union
		return reflect.ValueOf(receiver)
	case of.Kind() == reflect.Struct: // options, none of which is set
		return reflect.Zero(of)
	case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct:
		return reflect.MakeSlice(of, 1, 1)
	default:
		t.Fatalf("%T has a method with a parameter of type %v: give it a value here", receiver, of)
		return reflect.Value{}
	}
}

// NotPanicking calls a function, and fails the test if it panics.
func NotPanicking(t *testing.T, what string, call func()) {
	t.Helper()
	defer func() {
		if failed := recover(); failed != nil {
			t.Errorf("%s: %v", what, failed)
		}
	}()
	call()
}

package beam

import (
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
)

// registerDoFn registers a DoFn, and a call of its ProcessElement without reflection. Beam's own functions for that, in
// package register, also make calls of all shapes that other methods can have: for the DoFns of this package, the
// compiler took minutes and 5 GB of memory.
func registerDoFn[Fn, Process any](processOf func(*Fn) Process, call func(Process) reflectx.Func) {
	t := reflect.TypeFor[Fn]()
	beam.RegisterDoFn(t)
	reflectx.RegisterStructWrapper(t, func(fn any) map[string]reflectx.Func {
		return map[string]reflectx.Func{"ProcessElement": call(processOf(fn.(*Fn)))}
	})
}

// call2x0 is a method of two parameters without a result, as Beam calls it. call5x1 and call6x1 are methods of five and
// six parameters and one result.
type (
	call2x0[A, B any]                  func(A, B)
	call5x1[A, B, C, D, E, Out any]    func(A, B, C, D, E) Out
	call6x1[A, B, C, D, E, F, Out any] func(A, B, C, D, E, F) Out
)

func make2x0[A, B any](f func(A, B)) reflectx.Func { return call2x0[A, B](f) }
func make5x1[A, B, C, D, E, Out any](f func(A, B, C, D, E) Out) reflectx.Func {
	return call5x1[A, B, C, D, E, Out](f)
}

func make6x1[A, B, C, D, E, F, Out any](f func(A, B, C, D, E, F) Out) reflectx.Func {
	return call6x1[A, B, C, D, E, F, Out](f)
}

func (f call2x0[A, B]) Name() string               { return reflectx.FunctionName(f) }
func (f call5x1[A, B, C, D, E, Out]) Name() string { return reflectx.FunctionName(f) }
func (f call6x1[A, B, C, D, E, F, Out]) Name() string {
	return reflectx.FunctionName(f)
}

func (call2x0[A, B]) Type() reflect.Type { return reflect.TypeFor[func(A, B)]() }
func (call5x1[A, B, C, D, E, Out]) Type() reflect.Type {
	return reflect.TypeFor[func(A, B, C, D, E) Out]()
}

func (call6x1[A, B, C, D, E, F, Out]) Type() reflect.Type {
	return reflect.TypeFor[func(A, B, C, D, E, F) Out]()
}

func (f call2x0[A, B]) Call(args []any) []any {
	f.Call2x0(args[0], args[1])
	return nil
}

func (f call5x1[A, B, C, D, E, Out]) Call(args []any) []any {
	return []any{f.Call5x1(args[0], args[1], args[2], args[3], args[4])}
}

func (f call6x1[A, B, C, D, E, F, Out]) Call(args []any) []any {
	return []any{f.Call6x1(args[0], args[1], args[2], args[3], args[4], args[5])}
}

func (f call2x0[A, B]) Call2x0(a, b any) { f(a.(A), b.(B)) }
func (f call5x1[A, B, C, D, E, Out]) Call5x1(a, b, c, d, e any) any {
	return f(a.(A), b.(B), c.(C), d.(D), e.(E))
}

func (f call6x1[A, B, C, D, E, F, Out]) Call6x1(a, b, c, d, e, g any) any {
	return f(a.(A), b.(B), c.(C), d.(D), e.(E), g.(F))
}

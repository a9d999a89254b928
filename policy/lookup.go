package policy

// Lookup is a policy's MayContain as a function, for adapters that look up one key at a
// time. It is a nanosecond or two faster, because it makes fewer calls on the way to the
// filter. Any number of goroutines may call it at once.
type Lookup func(data, key []byte) bool

// LookupOf returns the Lookup of a policy, which answers as p.MayContain does. It is
// p.MayContain if this package did not make p. It panics if p is nil.
func LookupOf(p Policy) Lookup {
	if own, ok := p.(*parsed); ok {
		return own.mayContain
	}
	return p.MayContain
}

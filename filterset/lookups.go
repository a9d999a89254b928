package filterset

// Contains reports whether the key may have been added. False means that it was not.
func (s *Set) Contains(key []byte) bool {
	o := s.state()
	return o.contains(o.options.Hash.Sum64(key))
}

// ContainsString is Contains of the string's bytes, without copying them.
func (s *Set) ContainsString(key string) bool {
	o := s.state()
	return o.contains(o.options.Hash.Sum64String(key))
}

// ContainsUint64 is Contains of the value's 8 little-endian bytes.
func (s *Set) ContainsUint64(value uint64) bool {
	o := s.state()
	return o.contains(o.options.Hash.SumUint64(value))
}

// ContainsHash is Contains of a key by its hash, which [Set.Hash] must have computed.
func (s *Set) ContainsHash(hash uint64) bool {
	return s.state().contains(hash)
}

func (o *opened) contains(hash uint64) bool {
	for i := range o.layers {
		l := &o.layers[i]
		p := &l.parts[partOf(hash, l.shift)]
		if made := o.part(p); made == nil || made.ContainsHash(hash) {
			return true
		}
	}
	return false
}

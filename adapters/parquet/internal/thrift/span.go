package thrift

// Span returns the bytes from a position that At returned up to here.
func (r *Reader) Span(from int) []byte { return r.data[from:r.at:r.at] }

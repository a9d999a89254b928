package filterfile

// UnmapParts has sets opened as if too many files were mapped, until restore is called.
func UnmapParts() (restore func()) {
	numMapped.Add(mostMapped)
	return func() { numMapped.Add(-mostMapped) }
}

// Mapped reports whether Close has a file unmapped.
func (f *Filter) Mapped() bool { return f.state().mapped != nil }

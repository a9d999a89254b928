package filterfile

// Mapped reports whether Close has a file unmapped.
func (f *Filter) Mapped() bool { return f.state().Mapped != nil }

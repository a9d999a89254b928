// Package nocopy marks types whose values must not be copied.
package nocopy

// Mark is the first field of such a type. go vet reports copies of a struct with it, since it has the methods of a
// lock. It takes no memory.
type Mark struct{}

func (*Mark) Lock()   {}
func (*Mark) Unlock() {}

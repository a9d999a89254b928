package asm

// ContainsInlined is Contains, inlined with all that Lookup's closure has.
//
// The compiler inlines closures that cost up to 800 where they are called at one place, and other functions up to 80. A
// call of a parameter costs 17, whatever the parameter is: so ContainsInlined costs 44.
//
// In a function literal that is in the program only because the function around it was inlined, the compiler (Go 1.27)
// inlines nothing. So a closure that is called there has to be the literal of a function that is not inlined itself,
// or short: then ContainsInlined is called, which is inlined as a whole.
func (k *Kernel) ContainsInlined(hash uint64) bool { return called(k.Lookup(), hash) }

func called(has func(uint64) bool, hash uint64) bool { return has(hash) }

// Package differential compares answers: those of every level and way to look up, in random filters, with those of
// package naive, which implements the formats a second time. It has only tests.
//
//	go test ./internal/test/differential -lookups=10000000000 -seed=1 -timeout=0 -v -run TestDifferential/Linear
//
// A lookup is an answer of one level in one way that was compared. Naive looks up every hash, but of Linear's one in 16
// and of Ribbon's one in 256, since it takes too long there. The others' answers are compared with pure Go's to one
// hash at a time, which count as lookups only where naive has confirmed them.
package differential

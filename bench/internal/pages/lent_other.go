//go:build !linux

package pages

// Lend does nothing here.
func Lend(int) error { return nil }

//go:build !unix

package replace

// syncFolder does nothing: Windows stores names with the rename.
func syncFolder(string) error { return nil }

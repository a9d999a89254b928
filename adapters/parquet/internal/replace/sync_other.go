//go:build !unix

package replace

// Sync does nothing: Windows stores names with the rename, and the bytes of files only for programs that may write
// them.
func Sync(string) error { return nil }

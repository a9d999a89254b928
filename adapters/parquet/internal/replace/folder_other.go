//go:build !unix

package replace

// SyncFolder does nothing: Windows stores names with the rename.
func SyncFolder(string) error { return nil }

//go:build !unix

package filterfile

// syncFolder does nothing: Windows stores names with the rename.
func syncFolder(string) error { return nil }

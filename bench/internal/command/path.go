package command

import (
	"os"
	"path/filepath"
)

// Path returns where a file is that the user named. "go -C bench run" changes the working
// directory, and leaves PWD at the directory that the user is in and means.
func Path(name string) string {
	directory := os.Getenv("PWD")
	if name == "" || filepath.IsAbs(name) || !filepath.IsAbs(directory) {
		return name
	}
	return filepath.Join(directory, name)
}

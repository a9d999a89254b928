package replace

import (
	"os"
	"time"
)

// renamesHeld tells that a held file can be renamed: Windows renames no open file.
const renamesHeld = false

// hold does nothing: Windows removes no open file.
func hold(*os.File) bool { return true }

// removeUnheld removes a file that nobody has open. One that was changed in the last minute may have been closed to be
// renamed.
func removeUnheld(name string, info os.FileInfo) {
	if time.Since(info.ModTime()) > time.Minute {
		os.Remove(name)
	}
}

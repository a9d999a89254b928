package stored

import (
	"errors"

	"github.com/simdbloom/simdbloom/keyhash"
)

// A Handover passes a File from simdbloom.Filter to the packages that read and write files, and back, without copying
// its bytes: Filter.WriteTo sets the File that it would write, and Filter.ReadFrom makes the Filter this File's. Some
// of its bytes may be unchecked.
type Handover struct {
	File *File
	Hash keyhash.Hash // that a zero Filter must get, or zero
	Peek bool         // set File only if the Filter is from one: to make one reads all bytes
}

// errHandover is returned by readers and writers that do not know a Handover.
var errHandover = errors.New("a Handover has no bytes")

func (*Handover) Read([]byte) (int, error)  { return 0, errHandover }
func (*Handover) Write([]byte) (int, error) { return 0, errHandover }

//go:build !unix

package filterfile

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func readAhead([]byte) {}

func unmap([]byte) {}

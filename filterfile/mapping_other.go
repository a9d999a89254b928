//go:build !unix

package filterfile

import (
	"errors"
	"os"
)

func mapFile(*os.File, int, bool) ([]byte, error) {
	return nil, errors.ErrUnsupported
}

func unmap([]byte) {}

package command

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// Simdbloom builds the command of this clone into a folder, and returns its path. A program runs in the folder bench.
func Simdbloom(folder string) (path string, err error) {
	path = filepath.Join(folder, "simdbloom")
	out, err := exec.Command("go", "-C", filepath.Join("..", "cmd", "simdbloom"), "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s%w", out, err)
	}
	return path, err
}

//go:build !published

package main

import "errors"

func measure(*run) error {
	return errors.New("without the modules that are measured: go run -tags published")
}

//go:build !linux

package main

import "errors"

func measureDisk() (*onDisk, error) { return nil, errors.New("-disk needs Linux") }

//go:build !linux

package main

import "errors"

func measureDisk() error { return errors.New("-disk needs Linux") }

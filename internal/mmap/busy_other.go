//go:build !windows

package mmap

func isBusy(error) bool { return false }

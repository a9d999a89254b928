//go:build race

package asm_test

func init() { slow = true }

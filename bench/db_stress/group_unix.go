//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inOwnGroup keeps Ctrl-C and other signals to the process group from a process, also before it can
// ignore them.
func inOwnGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

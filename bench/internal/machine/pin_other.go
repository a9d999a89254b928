//go:build !linux

package machine

import "runtime"

// Pin keeps the calling goroutine on its thread until release is called. (On
// linux, also on one CPU.)
func Pin() (release func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

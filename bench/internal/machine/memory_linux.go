package machine

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// Peak returns the most memory that the process had at once, or 0 if the system does not say.
func Peak() int { return ofStatus("VmHWM:") }

// Resident returns the memory that the process has now, or 0 if the system does not say.
func Resident() int { return ofStatus("VmRSS:") }

func ofStatus(name string) (size int) {
	status, _ := os.ReadFile("/proc/self/status")
	_, line, _ := bytes.Cut(status, []byte(name))
	if _, err := fmt.Sscanf(string(line), "%d kB", &size); err != nil {
		return 0
	}
	return size << 10
}

// PeakOf returns the most memory that a process, or one that it waited for, had at once, or 0 if the system does not
// say.
func PeakOf(process *os.ProcessState) int {
	usage, ok := process.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int(usage.Maxrss) << 10
}

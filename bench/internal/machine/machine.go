// Package machine describes the machine of a benchmark, and keeps the benchmark on one CPU.
package machine

import (
	"fmt"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
)

// Description is everything besides the program that a figure depends on.
type Description struct {
	CPU          string `json:"cpu"` // the model
	CPUs         int    `json:"cpus"`
	OS           string `json:"os"`
	Arch         string `json:"arch"`
	Go           string `json:"go"`
	Level        string `json:"level"`         // that the kernels run at
	MachineLevel string `json:"machine_level"` // that the processor has
}

// Describe describes this machine and this process.
func Describe() Description {
	model := cpu.Model()
	if model == "" {
		model = "unknown processor"
	}
	return Description{
		CPU: model, CPUs: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(),
		Level:        asm.Level().String(),
		MachineLevel: cpu.Machine().String(),
	}
}

// String is the description in one line.
func (d Description) String() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s; kernels of level %s, the machine has %s",
		d.CPU, d.CPUs, d.OS, d.Arch, d.Go, d.Level, d.MachineLevel)
}

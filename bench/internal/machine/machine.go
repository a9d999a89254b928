// Package machine describes the machine of a benchmark, and keeps the benchmark on one CPU.
package machine

import (
	"fmt"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// Description is everything besides the program that a figure depends on.
type Description struct {
	CPU          string `json:"cpu"`              // the processor's name,
	Family       int    `json:"family,omitempty"` // and the numbers of its family
	Model        int    `json:"model,omitempty"`  // and model, or 0
	CPUs         int    `json:"cpus"`
	OS           string `json:"os"`
	Arch         string `json:"arch"`
	Go           string `json:"go"`
	Level        string `json:"level"`         // that the kernels run at
	MachineLevel string `json:"machine_level"` // that the processor has
}

// Describe describes this machine and this process.
func Describe() Description {
	name := cpu.Model()
	if name == "" {
		name = "unknown processor"
	}
	family, model := cpu.Family()
	return Description{
		CPU: name, Family: family, Model: model, CPUs: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(),
		Level:        asm.Level().String(),
		MachineLevel: cpu.Machine().String(),
	}
}

// Processor is the processor's name, with its family and model if they are known.
func (d Description) Processor() string { return measured.Processor(d.CPU, d.Family, d.Model) }

// String is the description in one line.
func (d Description) String() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s; kernels of level %s, the machine has %s",
		d.Processor(), d.CPUs, d.OS, d.Arch, d.Go, d.Level, d.MachineLevel)
}

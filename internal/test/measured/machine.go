package measured

import (
	"fmt"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
)

// Machine is everything besides the program that a figure depends on.
type Machine struct {
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
func Describe() Machine {
	name := cpu.Model()
	if name == "" {
		name = "unknown processor"
	}
	family, model := cpu.Family()
	return Machine{
		CPU: name, Family: family, Model: model, CPUs: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(),
		Level:        asm.Level().String(),
		MachineLevel: cpu.Machine().String(),
	}
}

// Processor is the processor's name, with its family and model if they are known.
func (m Machine) Processor() string {
	if m.Family == 0 {
		return m.CPU
	}
	return fmt.Sprintf("%s (family %d, model %d)", m.CPU, m.Family, m.Model)
}

// On says beside a table where and when it was measured.
func (m Machine) On(date string) string {
	return fmt.Sprintf("%s, level %s, %s, %s", m.Processor(), m.Level, m.Go, date)
}

// String is the description in one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s; kernels of level %s, the machine has %s",
		m.Processor(), m.CPUs, m.OS, m.Arch, m.Go, m.Level, m.MachineLevel)
}

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// simulated is how many instructions an estimate goes through, about. What the first
// iteration takes longer than the others is less than a hundredth then.
const simulated = 50_000

// An estimate is what a kernel's loop takes for a key.
type estimate struct {
	instructions float64
	cycles       []float64 // by processor
}

// estimateAll returns the estimates of the kernels.
func estimateAll(tools llvm, kernels []kernel, processors []string) ([]estimate, error) {
	functions, err := disassembled(tools, kernels)
	if err != nil {
		return nil, err
	}
	estimates := make([]estimate, len(kernels))
	for i, k := range kernels {
		if estimates[i], err = tools.estimate(k, functions[k.function], processors); err != nil {
			return nil, fmt.Errorf("%s (%s): %w", k, k.function, err)
		}
	}
	return estimates, nil
}

func (tools llvm) estimate(k kernel, function []instruction, processors []string) (e estimate, err error) {
	iteration, err := k.walk(function)
	if err != nil {
		return e, err
	}
	e.instructions = float64(len(iteration)) / float64(k.keys)
	rounds := simulated/len(iteration) + 1
	for _, processor := range processors {
		c := exec.Command(tools.mca, "-mtriple=aarch64", "-mcpu="+processor, "-json", "-instruction-info=false", fmt.Sprint("-iterations=", rounds), "-")
		c.Stdin = strings.NewReader(text(iteration))
		said, err := output(c)
		if err != nil {
			return e, err
		}
		var report struct {
			CodeRegions []struct {
				SummaryView struct{ TotalCycles float64 }
			}
		}
		if err := json.Unmarshal([]byte(said), &report); err != nil || len(report.CodeRegions) != 1 {
			return e, fmt.Errorf("%s: a report of %d loops, error %w", processor, len(report.CodeRegions), err)
		}
		e.cycles = append(e.cycles, report.CodeRegions[0].SummaryView.TotalCycles/float64(rounds*k.keys))
	}
	return e, nil
}

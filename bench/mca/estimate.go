package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/parallel"
)

// simulated is how many instructions an estimate goes through, about. What the first
// iteration takes longer than the others is less than a hundredth then.
const simulated = 50_000

// An estimate is what a loop takes on a processor. It is zero where that does not run it.
type estimate struct {
	cycles, instructions, uops float64 // for a key
	busiest                    []string
	busy                       float64 // the share of cycles in which those are
}

// estimateAll returns the estimates of each kernel, on each processor.
func estimateAll(tools llvm, arch architecture) ([][]estimate, error) {
	functions, err := disassembled(tools, arch.name, arch.functions())
	if err != nil {
		return nil, err
	}
	estimates := make([][]estimate, len(arch.kernels))
	return estimates, parallel.Each(len(estimates), func() func(int) error {
		return func(i int) (err error) {
			k := arch.kernels[i]
			if estimates[i], err = estimateKernel(tools, arch, k, functions[k.function]); err != nil {
				err = fmt.Errorf("%s (%s): %w", k, k.function, err)
			}
			return err
		}
	})
}

func estimateKernel(tools llvm, arch architecture, k kernel, function []instruction) ([]estimate, error) {
	iteration, err := k.walk(function)
	if err != nil {
		return nil, err
	}
	estimates := make([]estimate, len(arch.processors))
	for i, p := range arch.processors {
		if !p.runs(k) {
			continue
		}
		c := exec.Command(tools.mca, "-mtriple="+arch.triple, "-mcpu="+p.cpu, "-json", "-instruction-info=false",
			fmt.Sprint("-iterations=", simulated/len(iteration)+1), "-")
		c.Stdin = strings.NewReader(text(iteration))
		said, err := output(c)
		if err != nil {
			return nil, err
		}
		if estimates[i], err = parseReport([]byte(said), p.units, k.keys); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return estimates, nil
}

// A report is what is read of llvm-mca's.
type report struct {
	CodeRegions []struct {
		SummaryView struct {
			DispatchWidth, Instructions, Iterations, TotalCycles, TotaluOps float64
		}
		Instructions         []string
		ResourcePressureView struct {
			ResourcePressureInfo []struct {
				InstructionIndex, ResourceIndex int
				ResourceUsage                   float64 // cycles an iteration
			}
		}
	}
	TargetInfo struct{ Resources []string }
}

// parseReport reads llvm-mca's report on a loop that answers the given keys in an iteration.
// The prefix is what the names of a processor's units have in common.
func parseReport(said []byte, prefix string, keys int) (estimate, error) {
	var r report
	if err := json.Unmarshal(said, &r); err != nil {
		return estimate{}, err
	}
	if len(r.CodeRegions) != 1 {
		return estimate{}, fmt.Errorf("a report of %d loops", len(r.CodeRegions))
	}
	region := r.CodeRegions[0]
	total := region.SummaryView
	perKey := 1 / (total.Iterations * float64(keys))
	e := estimate{
		cycles: total.TotalCycles * perKey, instructions: total.Instructions * perKey, uops: total.TotaluOps * perKey,
	}
	all := units{{"dispatch", total.TotaluOps / total.DispatchWidth / total.TotalCycles}}
	for _, usage := range region.ResourcePressureView.ResourcePressureInfo {
		if usage.InstructionIndex == len(region.Instructions) { // that is where the sums are
			name, _, _ := strings.Cut(r.TargetInfo.Resources[usage.ResourceIndex], ".") // then, which one of several
			all = all.with(unit{strings.TrimPrefix(name, prefix), usage.ResourceUsage * total.Iterations / total.TotalCycles})
		}
	}
	e.busiest, e.busy = all.busiest()
	return e, nil
}

// A unit is busy in a share of the cycles.
type unit struct {
	name string
	busy float64
}

type units []unit

// with appends a unit, or makes it one with that of the same name, as busy as the busier.
func (u units) with(more unit) units {
	for i, have := range u {
		if have.name == more.name {
			u[i].busy = max(have.busy, more.busy)
			return u
		}
	}
	return append(u, more)
}

// busiest returns the names of the units that are as busy as any, give or take little.
func (u units) busiest() (names []string, most float64) {
	for _, one := range u {
		most = max(most, one.busy)
	}
	for _, one := range u {
		if one.busy > most-0.03 {
			names = append(names, one.name)
		}
	}
	return names, most
}

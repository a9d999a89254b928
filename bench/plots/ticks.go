package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// linearTicks are at every step.
func linearTicks(from, to, step int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for at := from; at <= to; at += step {
		ticks = append(ticks, plot.Tick{Value: float64(at), Label: fmt.Sprint(at)})
	}
	return ticks
}

// logTicks are ticks of a logarithmic axis: those of a list that are in its range.
type logTicks []plot.Tick

// Ticks implements plot.Ticker.
func (t logTicks) Ticks(least, most float64) (in []plot.Tick) {
	for _, tick := range t {
		if tick.Value >= least && tick.Value <= most {
			in = append(in, tick)
		}
	}
	return in
}

var (
	powersOfTen = newPowersOfTen()
	oneTwoFive  = newOneTwoFive()
)

// around returns the range widened to the next ticks.
func (t logTicks) around(least, most float64) (from, to float64) {
	from, to = least, most
	for _, tick := range t {
		if tick.Value <= least {
			from = tick.Value
		}
		if tick.Value >= most {
			return from, tick.Value
		}
	}
	return from, to
}

func newPowersOfTen() (ticks logTicks) {
	for zeros := range 10 {
		label := "1" + strings.Repeat("0", zeros%3) + strings.Repeat(",000", zeros/3)
		ticks = append(ticks, plot.Tick{Value: math.Pow10(zeros), Label: label})
	}
	return ticks
}

func newOneTwoFive() (ticks logTicks) {
	for decade := 0.1; decade < 1e5; decade *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			ticks = append(ticks, plot.Tick{Value: digit * decade, Label: strconv.FormatFloat(digit*decade, 'f', -1, 64)})
		}
	}
	return ticks
}

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// count is a flag for a number of keys: 1e6, 1000000, 1,000,000, 1M, 1m.
type count int64

func (c *count) String() string { return strconv.FormatInt(int64(*c), 10) }

func (c *count) Set(text string) error {
	n, err := parseNumber(text, map[string]float64{"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12})
	if err == nil {
		*c = count(n)
	}
	return err
}

// size is a flag for a number of bytes: 1048576, 1MiB, 1e6, 1MB.
type size int64

func (s *size) String() string {
	n, unit := int64(*s), 0
	for n >= 1024 && n%1024 == 0 && unit < 4 {
		n /= 1024
		unit++
	}
	return strconv.FormatInt(n, 10) + []string{"", "KiB", "MiB", "GiB", "TiB"}[unit]
}

func (s *size) Set(text string) error {
	units := map[string]float64{"b": 1}
	for i, prefix := range []string{"k", "m", "g", "t"} {
		decimal, binary := math.Pow(1000, float64(i+1)), math.Pow(1024, float64(i+1))
		units[prefix+"b"], units[prefix+"ib"], units[prefix] = decimal, binary, binary
	}
	n, err := parseNumber(text, units)
	if err != nil {
		return fmt.Errorf("not a number of bytes such as 65536, 512MiB or 4GiB")
	}
	*s = size(n)
	return nil
}

// parseNumber reads a number with a unit, whose letters may be large or small.
func parseNumber(text string, units map[string]float64) (float64, error) {
	digits := strings.TrimRightFunc(text, unicode.IsLetter)
	factor, known := 1.0, true
	if unit := text[len(digits):]; unit != "" {
		factor, known = units[strings.ToLower(unit)]
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(digits), ",", ""), 64)
	if x = math.Round(x * factor); err != nil || !known || !(x >= 0 && x < 1<<62) {
		return 0, fmt.Errorf("not a number such as 1000000, 1e6 or 1M")
	}
	return x, nil
}

// rate is a flag for a false-positive rate: 0.001, 1e-3, 0.1%, 1/1000.
type rate float64

func (r *rate) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) }

func (r *rate) Set(text string) error {
	divisor := 1.0
	digits := text
	if before, after, ok := strings.Cut(text, "/"); ok {
		var err error
		if divisor, err = strconv.ParseFloat(after, 64); err != nil {
			return errRate
		}
		digits = before
	} else if before, ok := strings.CutSuffix(text, "%"); ok {
		digits, divisor = before, 100
	}
	x, err := strconv.ParseFloat(digits, 64)
	if x /= divisor; err != nil || !(x > 0 && x < 1) {
		return errRate
	}
	*r = rate(x)
	return nil
}

var errRate = fmt.Errorf("not a rate between 0 and 1, such as 0.001, 1e-3, 0.1%% or 1/1000")

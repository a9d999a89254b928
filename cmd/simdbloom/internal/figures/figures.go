// Package figures writes numbers for people.
package figures

import (
	"math"
	"strconv"
)

// Thousands writes a number for people: 1,000,000.
func Thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Count writes a number of things for people: 1 key, 1,000 keys.
func Count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Thousands(n) + " " + thing
}

// Bytes writes a number of bytes for people: 1.2 MB.
func Bytes(n int64) string {
	x, unit := float64(n), 0
	units := []string{"", "kB", "MB", "GB", "TB", "PB"}
	for x >= 999.5 && unit < len(units)-1 {
		x /= 1000
		unit++
	}
	if unit == 0 {
		return Count(n, "byte")
	}
	return ThreeDigits(x) + " " + units[unit]
}

// ThreeDigits writes a number below 1000 with three digits.
func ThreeDigits(x float64) string {
	switch {
	case x < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// Rate writes a rate for people: 0.001 (1 in 1,000).
func Rate(x float64) string {
	text := strconv.FormatFloat(x, 'g', 3, 64)
	if x > 0 && x < 0.5 {
		text += " (" + OneIn(x) + ")"
	}
	return text
}

// OneIn writes a rate as 1 in some number, with three digits.
func OneIn(x float64) string {
	n := 1 / x
	if n >= 1e18 { // an int64 has up to 9e18
		return "1 in " + strconv.FormatFloat(n, 'g', 3, 64)
	}
	if n >= 999.5 {
		unit := math.Pow10(int(math.Floor(math.Log10(n))) - 2)
		return "1 in " + Thousands(int64(math.Round(n/unit)*unit))
	}
	return "1 in " + ThreeDigits(n)
}

// SixDigits is more than a rate has.
func SixDigits(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return x
}

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// list is a flag of values with commas between them.
type list[T any] struct {
	values []T
	text   string
	parse  func(text string) (T, error)
}

func newList[T any](text string, parse func(string) (T, error)) list[T] {
	l := list[T]{parse: parse}
	if err := l.Set(text); err != nil {
		panic(err) // the defaults are this program's own
	}
	return l
}

// String returns what the list was set to.
func (l *list[T]) String() string { return l.text }

// Set replaces the list.
func (l *list[T]) Set(text string) error {
	l.text, l.values = text, nil
	for part := range strings.SplitSeq(text, ",") {
		value, err := l.parse(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		l.values = append(l.values, value)
	}
	return nil
}

// parseCount reads a number such as 1000, 256Ki or 16Mi.
func parseCount(text string) (int, error) {
	digits, factor := text, uint64(1)
	for i, suffix := range []string{"Ki", "Mi", "Gi"} {
		if rest, found := strings.CutSuffix(text, suffix); found {
			digits, factor = rest, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number, with or without Ki, Mi or Gi behind it", text)
	}
	if n > math.MaxInt/2/factor {
		return 0, fmt.Errorf("%s is too large", text)
	}
	return int(n * factor), nil
}

func parseNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return x, nil
}

// sizeText is a size as -sizes takes it.
func sizeText(bytes int) string {
	unit := 0
	for bytes%1024 == 0 && unit < 3 {
		bytes /= 1024
		unit++
	}
	return fmt.Sprintf("%d %s", bytes, [...]string{"bytes", "KiB", "MiB", "GiB"}[unit])
}

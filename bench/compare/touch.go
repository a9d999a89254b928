package main

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/touch"
	"github.com/simdbloom/simdbloom/cpu"
)

const touchPrefix = "touch "

func (r *row) isTouch() bool { return strings.HasPrefix(r.name, touchPrefix) }

// touchRows load the lines that lookups of the filter's keys load.
func touchRows(f fastLocal) []*row {
	lines := func(name string, hint touch.Hint, distance int) *row {
		return &row{name: touchPrefix + name, level: cpu.Current(), query: func(q *queries) {
			q.touched |= touch.Lines(f.body, q.hashes, hint, distance)
		}}
	}
	rows := []*row{lines(touch.None.String(), touch.None, 0)}
	for _, hint := range []touch.Hint{touch.T0, touch.T1, touch.T2, touch.NTA} {
		for _, distance := range []int{8, 16, 32, 64, 128} {
			rows = append(rows, lines(fmt.Sprintf("%v %d", hint, distance), hint, distance))
		}
	}
	return rows
}

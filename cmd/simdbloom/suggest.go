package main

import (
	"fmt"
	"strings"
)

// didYouMean returns " (did you mean NAME?)" with the known name that is nearest to one that is not, or nothing if none
// is near.
func didYouMean(name string, prefix string, known []string) string {
	nearest, least := "", max(len(name)/3, 1)+1
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least {
			nearest, least = k, d
		}
	}
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s%s?)", prefix, nearest)
}

// distance returns how many bytes must be added, dropped, changed or exchanged with the next one to make b of a.
func distance(a, b string) int {
	rows := [3][]int{}
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for i := range len(a) + 1 {
		row, last, before := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		for j := range row {
			switch {
			case i == 0:
				row[j] = j
			case j == 0:
				row[j] = i
			default:
				change := 1
				if a[i-1] == b[j-1] {
					change = 0
				}
				row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					row[j] = min(row[j], before[j-2]+1)
				}
			}
		}
	}
	return rows[len(a)%3][len(b)]
}

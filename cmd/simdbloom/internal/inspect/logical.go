package inspect

import (
	"fmt"
	"strings"
)

// logical is a column's logical type, of which package parquet has the text.
type logical struct {
	kind             string // such as DECIMAL, and INT of UINT, too
	unsigned         bool   // of an INT
	precision, scale int    // of a DECIMAL, in decimal digits
	perSecond        int    // the units of a TIME or TIMESTAMP in a second
	utc              bool   // a TIME or TIMESTAMP is in UTC
}

// logicalOf reads a text such as "DECIMAL(9,2)", "UINT(8)" or "TIMESTAMP(MILLIS,UTC)".
func logicalOf(text string) logical {
	kind, settings, _ := strings.Cut(text, "(")
	first, second, _ := strings.Cut(strings.TrimSuffix(settings, ")"), ",")
	l := logical{kind: kind}
	switch kind {
	case "UINT":
		l.kind, l.unsigned = "INT", true
	case "DECIMAL":
		fmt.Sscan(first, &l.precision)
		fmt.Sscan(second, &l.scale)
	case "TIME", "TIMESTAMP":
		l.perSecond = map[string]int{"MILLIS": 1e3, "MICROS": 1e6, "NANOS": 1e9}[first]
		l.utc = second == "UTC"
	}
	return l
}

package inspect

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// RowGroups returns the row groups that may have the value. It is text in the notation of the column's logical type:
// numbers in decimal digits, dates as 2006-01-02, times as 15:04:05.999, timestamps as "2006-01-02 15:04:05.999" or
// with a T, in UTC or with a zone behind them if the column is in UTC, UUIDs with or without dashes, and strings as
// they are. Other bytes of a fixed length are in hexadecimal digits, and INT96 in these or a timestamp. A BYTE_ARRAY
// that is no string is text, or digits after 0x. Other text is an error that explains how values are written. A value
// that is written so and that the column's type is too narrow for is in no row group, which the note says: in a table
// whose column was widened, old files have the narrower type.
func RowGroups(f *parquet.File, column, value string) (rowGroups []int, note string, err error) {
	index, err := f.Column(column)
	if err != nil {
		return nil, "", err
	}
	rowGroups, err = lookUp(f, &f.Columns()[index], column, value)
	if errors.Is(err, errNarrow) {
		return nil, typeName(&f.Columns()[index]) + " cannot have it", nil
	}
	return rowGroups, "", err
}

// narrow is returned in place of how a value is written, if it is written right and the type cannot have it.
const narrow = "the type is too narrow"

var errNarrow = errors.New(narrow)

func lookUp(f *parquet.File, c *parquet.Column, column, value string) ([]int, error) {
	fail := func(how string) error {
		if how == narrow {
			return errNarrow
		}
		return fmt.Errorf("column %q is %s, which cannot have %q: %s", column, typeName(c), value, how)
	}
	switch c.Type {
	case "BOOLEAN":
		return nil, fmt.Errorf("column %q is BOOLEAN, whose values filters do not tell apart", column)
	case "INT32", "INT64":
		n, how := number(c, value)
		switch {
		case how != "":
			return nil, fail(how)
		case c.Type == "INT32":
			return parquet.Prune(f, column, []int32{int32(n)})
		}
		return parquet.Prune(f, column, []int64{n})
	case "FLOAT":
		v, err := float(value, 32)
		if err != nil {
			return nil, fail(err.Error())
		}
		return parquet.Prune(f, column, []float32{float32(v)})
	case "DOUBLE":
		v, err := float(value, 64)
		if err != nil {
			return nil, fail(err.Error())
		}
		return parquet.Prune(f, column, []float64{v})
	case "INT96":
		v, how := int96(value)
		if how != "" {
			return nil, fail(how)
		}
		return parquet.Prune(f, column, [][12]byte{v})
	}
	values, how := byteValues(c, value)
	if how != "" {
		return nil, fail(how)
	}
	if values == nil { // NaN, which may have any of many bits
		all := make([]int, f.NumRowGroups())
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	return parquet.Prune(f, column, values)
}

// typeName returns a column's physical type, and its logical one if it has one.
func typeName(c *parquet.Column) string {
	name := c.Type
	if name == "FIXED_LEN_BYTE_ARRAY" {
		name += fmt.Sprintf("(%d)", c.Length)
	}
	return strings.TrimSuffix(name+" "+c.Logical, " ")
}

// number returns the value of an INT32 or INT64, or how it is written.
func number(c *parquet.Column, value string) (n int64, how string) {
	bits := 64
	if c.Type == "INT32" {
		bits = 32
	}
	var err error
	switch l := logicalOf(c.Logical); l.kind {
	case "DECIMAL":
		var unscaled *big.Int
		if unscaled, how = decimal(l, value); how == "" {
			n = unscaled.Int64()
			if !unscaled.IsInt64() || bits == 32 && int64(int32(n)) != n {
				return 0, narrow
			}
		}
		return n, how
	case "DATE":
		var at time.Time
		if at, err = time.Parse(time.DateOnly, value); err != nil {
			return 0, "write a date as 2006-01-02"
		}
		return at.Unix() / (24 * 60 * 60), ""
	case "TIME":
		return timeOfDay(l, value)
	case "TIMESTAMP":
		return timestamp(l, value)
	}
	if whole, fraction, _ := strings.Cut(value, "."); fraction != "" && strings.Trim(fraction, "0123456789") == "" {
		if _, err := strconv.ParseInt(whole, 10, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, "write decimal digits"
		} else if strings.Trim(fraction, "0") != "" { // of a column that became DOUBLE or DECIMAL
			return 0, narrow
		}
		value = whole
	}
	if l := logicalOf(c.Logical); l.kind == "INT" && l.unsigned { // all of its bits, as a writer may have exceeded 8 or 16
		v, err := strconv.ParseUint(strings.TrimPrefix(value, "+"), 10, bits)
		if _, signed := strconv.ParseInt(value, 10, bits); errors.Is(err, strconv.ErrRange) || err != nil && (signed == nil || errors.Is(signed, strconv.ErrRange)) {
			return 0, narrow
		}
		if err != nil {
			return 0, fmt.Sprintf("write decimal digits of a number from 0 to %d", ^uint64(0)>>(64-bits))
		}
		return int64(v), ""
	}
	if n, err = strconv.ParseInt(value, 10, bits); errors.Is(err, strconv.ErrRange) {
		return 0, narrow
	} else if err != nil {
		return 0, fmt.Sprintf("write decimal digits of a number from %d to %d", int64(-1)<<(bits-1), int64(^uint64(0)>>(65-bits)))
	}
	return n, ""
}

// decimal returns a value times 10 to the scale, or how it is written.
func decimal(l logical, value string) (unscaled *big.Int, how string) {
	const mostDigits = 1 << 20 // a hostile file could have more
	if l.precision <= 0 || l.precision > mostDigits || l.scale < 0 || l.scale > l.precision {
		return nil, "no number has that precision and scale"
	}
	how = fmt.Sprintf("write decimal digits, at most %d before the point and %d behind it", l.precision-l.scale, l.scale)
	digits := strings.TrimLeft(value, "+-")
	if len(value)-len(digits) > 1 {
		return nil, how
	}
	whole, fraction, point := strings.Cut(digits, ".")
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" || point && fraction == "" {
		return nil, how
	}
	fraction = strings.TrimRight(fraction, "0")
	whole = strings.TrimLeft(whole, "0")
	if len(fraction) > l.scale || len(whole) > l.precision-l.scale {
		return nil, narrow
	}
	unscaled, _ = new(big.Int).SetString("0"+whole+fraction+strings.Repeat("0", l.scale-len(fraction)), 10) // digits only
	if value[0] == '-' {
		unscaled.Neg(unscaled)
	}
	return unscaled, ""
}

// twosComplement returns a number in big-endian bytes, or nil if they are too few.
func twosComplement(n *big.Int, size int) []byte {
	limit := new(big.Int).Lsh(big.NewInt(1), uint(8*size-1))
	if n.Cmp(limit) >= 0 || n.Cmp(new(big.Int).Neg(limit)) < 0 {
		return nil
	}
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(limit, 1))
	}
	return n.FillBytes(make([]byte, size))
}

// timeOfDay returns the value of a TIME, or how it is written.
func timeOfDay(l logical, value string) (n int64, how string) {
	text := value
	if l.utc {
		text = strings.TrimSuffix(text, "Z")
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if tooFine(text) {
			break
		}
		at, err := time.Parse("2006-01-02 "+layout, "1970-01-01 "+text)
		if n, whole := units(at, l.perSecond); err == nil && whole {
			return n, ""
		} else if err == nil {
			return 0, narrow
		}
	}
	return 0, fmt.Sprintf("write a time as 15:04:05, with at most %d digits behind the seconds", digitsOf(l.perSecond))
}

// timestamp returns the value of a TIMESTAMP, or how it is written.
func timestamp(l logical, value string) (n int64, how string) {
	at, zone, ok := parseTimestamp(value)
	if ok && (l.utc || !zone) {
		if n, whole := units(at, l.perSecond); whole {
			return n, ""
		}
		return 0, narrow
	}
	how = fmt.Sprintf("write a timestamp as 2006-01-02 15:04:05, with at most %d digits behind the seconds", digitsOf(l.perSecond))
	if l.utc {
		return 0, how + ", in UTC or with a zone, such as +02:00"
	}
	return 0, how + ", and no zone: it is local"
}

// tooFine reports whether a time has more than nine digits behind the seconds, of which package time ignores the rest.
// A text without a point that has more than nine digits at its beginning is no time, so package time refuses it anyway.
func tooFine(text string) bool {
	rest := text[strings.IndexAny(text, ".,")+1:]
	return len(rest)-len(strings.TrimLeft(rest, "0123456789")) > 9
}

func digitsOf(perSecond int) int { return len(strconv.Itoa(perSecond)) - 1 }

// parseTimestamp reads a date, and a time if there is one, in UTC or in a zone.
func parseTimestamp(value string) (at time.Time, zone, ok bool) {
	text := strings.Replace(value, "T", " ", 1)
	if tooFine(text) {
		return at, false, false
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, false, true
		}
		for _, with := range []string{"Z07:00", " Z07:00", "Z0700", " UTC"} {
			if at, err := time.Parse(layout+with, text); err == nil {
				return at, true, true
			}
		}
	}
	return at, false, false
}

// units returns the number of units since 1970, if it is whole and has 64 bits.
func units(at time.Time, perSecond int) (n int64, whole bool) {
	unit := int64(1e9) / int64(perSecond)
	seconds, rest := at.Unix(), int64(at.Nanosecond())
	total := new(big.Int).Mul(big.NewInt(seconds), big.NewInt(int64(perSecond)))
	total.Add(total, big.NewInt(rest/unit))
	return total.Int64(), rest%unit == 0 && total.IsInt64()
}

// int96 returns a timestamp as Impala, Spark and Hive write it, or twelve bytes, or how these are written.
func int96(value string) (v [12]byte, how string) {
	if data, err := hex.DecodeString(value); err == nil && len(data) == len(v) {
		return [12]byte(data), ""
	}
	at, _, ok := parseTimestamp(value)
	if !ok {
		return v, "write a timestamp as 2006-01-02 15:04:05.999999999, in UTC or with a zone, or 24 hexadecimal digits"
	}
	const day, julian1970 = 24 * 60 * 60, 2440588
	days := at.Unix() / day
	seconds := at.Unix() % day
	if seconds < 0 {
		days, seconds = days-1, seconds+day
	}
	binary.LittleEndian.PutUint64(v[:], uint64(seconds*1e9+int64(at.Nanosecond())))
	binary.LittleEndian.PutUint32(v[8:], uint32(days+julian1970))
	return v, ""
}

// float reads a number, in decimal digits.
func float(value string, bits int) (float64, error) {
	v, err := strconv.ParseFloat(value, bits)
	if errors.Is(err, strconv.ErrRange) && !strings.ContainsAny(value, "xX_") {
		return 0, errNarrow
	}
	if err != nil || strings.ContainsAny(value, "xX_") {
		return 0, errors.New("write a number of its range as 1.5 or 1.5e-3, inf or nan")
	}
	return v, nil
}

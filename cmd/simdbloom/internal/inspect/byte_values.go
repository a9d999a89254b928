package inspect

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// byteValues returns the bytes that a value can be stored as, nil if they are not known, or how the value is written.
func byteValues(c *parquet.Column, value string) (values [][]byte, how string) {
	switch logicalOf(c.Logical).kind {
	case "DECIMAL":
		return decimalBytes(c, value)
	case "FLOAT16":
		return float16(value)
	case "UUID":
		digits := value
		if len(value) == 36 && value[8] == '-' && value[13] == '-' && value[18] == '-' && value[23] == '-' {
			digits = strings.ReplaceAll(value, "-", "")
		}
		if data, err := hex.DecodeString(digits); err == nil && len(data) == 16 {
			return [][]byte{data}, ""
		}
		return nil, "write 32 hexadecimal digits, with dashes as in 00112233-4455-6677-8899-aabbccddeeff or without"
	case "BSON":
		values = [][]byte{[]byte(value)}
		if data, err := hex.DecodeString(strings.TrimPrefix(value, "0x")); err == nil {
			values = append(values, data)
		}
		return values, ""
	case "STRING", "ENUM", "JSON":
		return [][]byte{[]byte(value)}, ""
	}
	if c.Type == "BYTE_ARRAY" {
		values = [][]byte{[]byte(value)}
		if digits, found := strings.CutPrefix(value, "0x"); found {
			if data, err := hex.DecodeString(digits); err == nil {
				values = append(values, data)
			}
		}
		return values, ""
	}
	data, err := hex.DecodeString(strings.TrimPrefix(value, "0x"))
	if err == nil && len(data) != c.Length {
		return nil, narrow
	}
	if err != nil {
		return nil, fmt.Sprintf("write %d hexadecimal digits", 2*c.Length)
	}
	return [][]byte{data}, ""
}

// mostDecimalBytes limits numbers that are looked up with more bytes than they need, as some writers write them.
const mostDecimalBytes = 32

func decimalBytes(c *parquet.Column, value string) (values [][]byte, how string) {
	unscaled, how := decimal(logicalOf(c.Logical), value)
	if how != "" {
		return nil, how
	}
	if c.Type == "FIXED_LEN_BYTE_ARRAY" {
		const mostBytes = 1 << 20 // a hostile file could have more
		if c.Length < 1 || c.Length > mostBytes {
			return nil, fmt.Sprintf("no number has %d bytes", c.Length)
		}
		data := twosComplement(unscaled, c.Length)
		if data == nil {
			return nil, narrow
		}
		return [][]byte{data}, ""
	}
	least := unscaled.BitLen()/8 + 1
	for size := max(least-1, 1); size <= max(least, mostDecimalBytes); size++ {
		if data := twosComplement(unscaled, size); data != nil {
			values = append(values, data)
		}
	}
	return values, ""
}

// float16 returns the bytes of the nearest number of 16 bits, of both zeros, or nil for NaN.
func float16(value string) (values [][]byte, how string) {
	v, err := float(value, 64)
	if err != nil {
		return nil, err.Error()
	}
	if math.IsNaN(v) {
		return nil, ""
	}
	const mantissa, leastExponent, most = 10, -14, 65520 // from which the nearest is infinite
	var bits uint16
	switch abs := math.Abs(v); {
	case math.IsInf(v, 0):
		bits = 0x7c00
	case abs >= most:
		return nil, narrow
	case abs != 0:
		_, exponent := math.Frexp(abs)
		exponent = max(exponent-1, leastExponent)
		// In units of the last bit, where a carry into the exponent is right.
		n := math.RoundToEven(math.Ldexp(abs, mantissa-exponent))
		bits = uint16(n) + uint16(exponent-leastExponent)<<mantissa
	}
	if bits == 0 {
		return [][]byte{{0, 0}, {0, 0x80}}, ""
	}
	if v < 0 {
		bits |= 0x8000
	}
	return [][]byte{binary.LittleEndian.AppendUint16(nil, bits)}, ""
}

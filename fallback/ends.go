package fallback

import "bytes"

// Ends sets ends to the places behind the bytes of data from a place on that equal end, in ascending order, as far as
// there is room. It returns their number, and the place up to which it has read: the end of data, unless ends is full.
// The data has less than 4 GiB.
func Ends(ends []uint32, data []byte, from int, end byte) (n, to int) {
	for ; n < len(ends); n++ {
		length := bytes.IndexByte(data[from:], end)
		if length < 0 {
			return n, len(data)
		}
		from += length + 1
		ends[n] = uint32(from)
	}
	return n, from
}

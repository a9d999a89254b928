package keys

import "bytes"

// Case is the change of letters in hexadecimal keys.
type Case byte

// The cases.
const (
	AsIs Case = iota
	Lower
	Upper
)

// inCase returns the key in its case, and whether it is hexadecimal. It writes into the room if it has to.
func (f *Format) inCase(key []byte, room *[]byte) (changed []byte, ok bool) {
	from, to := f.Case.letters()
	changed = append((*room)[:0], key...)
	*room = changed
	for i, c := range changed {
		switch {
		case isDigit(c) || to <= c && c <= to+5:
		case from <= c && c <= from+5:
			changed[i] = c - from + to
		default:
			return f.inCaseOfParts(key, changed)
		}
	}
	return changed, true
}

// inCaseOfParts is inCase for keys with other characters than digits, those that UUIDs and addresses have.
func (f *Format) inCaseOfParts(key, changed []byte) ([]byte, bool) {
	digits := changed
	if n := len(digits); n > 2 && digits[0] == '{' && digits[n-1] == '}' {
		digits = digits[1 : n-1]
	}
	if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' {
		digits[1] = 'x' // in either case, people write 0xAB
		digits = digits[2:]
	}
	if !hexadecimal(digits) && !inGroups(digits, '-', 12) && !inGroups(digits, ':', 4) {
		return key, false
	}
	from, to := f.Case.letters()
	for i, c := range digits {
		if from <= c && c <= from+5 {
			digits[i] = c - from + to
		}
	}
	return changed, true
}

// inGroups reports whether text has groups of at most the given number of hexadecimal digits, with a character between
// them. Two groups with a colon have the same length: a hash and its count have not.
func inGroups(text []byte, between byte, most int) bool {
	groups := bytes.Split(text, []byte{between})
	for _, group := range groups {
		if len(group) > most || !hexadecimal(group) {
			return false
		}
	}
	return len(groups) > 2 || len(groups) == 2 && (between != ':' || len(groups[0]) == len(groups[1]))
}

// letters returns the first of the letters that are changed, and of those that they become.
func (c Case) letters() (from, to byte) {
	if c == Upper {
		return 'a', 'A'
	}
	return 'A', 'a'
}

// hasOther reports whether a key has a letter that is not in the case.
func (c Case) hasOther(key []byte) bool {
	from, _ := c.letters()
	return bytes.ContainsFunc(key, func(r rune) bool { return rune(from) <= r && r < rune(from)+26 })
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// hexadecimal reports whether text has only digits of numbers or hashes.
func hexadecimal(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) && !('a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

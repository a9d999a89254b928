package kernel

import (
	"bytes"
	"strings"
)

// mostColumns is the length of the longest comment line.
const mostColumns = 120

// wrap breaks comments that are longer at spaces.
func wrap(text []byte, err error) ([]byte, error) {
	var wrapped bytes.Buffer
	for line := range strings.Lines(string(text)) {
		for strings.HasPrefix(line, "// ") && len(line) > mostColumns+len("\n") {
			at := strings.LastIndexByte(line[:mostColumns+1], ' ')
			if at <= len("// ") {
				break
			}
			wrapped.WriteString(line[:at] + "\n")
			line = "// " + line[at+1:]
		}
		wrapped.WriteString(line)
	}
	return wrapped.Bytes(), err
}

package formats

import (
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// A NewScheme returns how a format's filters are built at the given bits per key. It checks the options, and adds those
// that the format always has.
type NewScheme func(bitsPerKey float64, o *building.Options) (building.Scheme, error)

// linked are the formats whose packages are linked. A program that builds FastLocal filters would be
// 300 KB larger with the builders of all formats, and larger still with their readers.
var linked [len(rows)]struct {
	newScheme NewScheme
	read      contents.Reader
	rates     Rates
}

// Link makes it known how a format's filters are built, and read again to verify them. The format's package calls it
// when it is initialized.
func Link(format asm.Format, newScheme NewScheme, read contents.Reader) {
	linked[format].newScheme, linked[format].read = newScheme, read
}

// Linked returns how filters of a format are built and read, or an error if the format's package is not linked.
func Linked(format asm.Format) (NewScheme, contents.Reader, error) {
	if int(format) < len(linked) && linked[format].newScheme != nil {
		return linked[format].newScheme, linked[format].read, nil
	}
	if name := Of(format).Package; name != "" {
		return nil, nil, fmt.Errorf("to build or open its filters, import _ \"github.com/simdbloom/simdbloom/%s\"", name)
	}
	return nil, nil, errors.New("no filters of this format can be built")
}

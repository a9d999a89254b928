package formats

import (
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
)

// A NewScheme returns how a format's filters are built at the given bits per key. It checks the options, and adds those
// that the format always has.
type NewScheme func(bitsPerKey float64, o *building.Options) (building.Scheme, error)

// linked are those of the formats whose packages are linked. A program that builds FastLocal filters would be
// 300 KB larger with those of all formats.
var linked [len(rows)]NewScheme

// Link makes it known how a format's filters are built. The format's package calls it when it is initialized.
func Link(format asm.Format, newScheme NewScheme) { linked[format] = newScheme }

// SchemeOf returns how filters of a format are built, or an error if the format's package is not linked.
func SchemeOf(format asm.Format) (NewScheme, error) {
	if int(format) < len(linked) && linked[format] != nil {
		return linked[format], nil
	}
	if name := Of(format).Package; name != "" {
		return nil, fmt.Errorf("to build its filters, import _ \"github.com/simdbloom/simdbloom/%s\"", name)
	}
	return nil, errors.New("no filters of this format can be built")
}

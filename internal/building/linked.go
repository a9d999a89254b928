package building

import "github.com/simdbloom/simdbloom/asm"

// A Maker returns the Scheme of a format's filters at the given bits per key. It checks the options, and adds those
// that the format always has.
type Maker func(bitsPerKey float64, o *Options) (Scheme, error)

// linked are the Makers of the formats whose packages are linked. A program that builds FastLocal filters would be
// 300 KB larger with those of all formats.
var linked [asm.Blobloom + 1]Maker

// Link makes a format's Maker known. The format's package calls it when it is initialized.
func Link(format asm.Format, make Maker) { linked[format] = make }

// MakerOf returns a format's Maker, or nil if the format's package is not linked.
func MakerOf(format asm.Format) Maker {
	if int(format) < len(linked) {
		return linked[format]
	}
	return nil
}

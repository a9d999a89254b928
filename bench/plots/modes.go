package main

import (
	"bytes"
	"image/color"
)

// Colors of the light mode. What is drawn in them changes in the dark mode.
var (
	paper     = color.RGBA{0xff, 0xff, 0xff, 0xff}
	gridColor = color.RGBA{0xe0, 0xe3, 0xe6, 0xff}
)

// darkMode overrides the colors that an SVG of vgsvg has in its style attributes. Programs
// that know no media queries show the light mode, which has paper of its own.
const darkMode = `<style>
text { font-family: "Liberation Sans", Arial, Helvetica, sans-serif !important }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 !important }
[style*="stroke:#000000"] { stroke: #b8c0c8 !important }
[style*="stroke:#E0E3E6"] { stroke: #30363d !important }
[style*="fill:#FFFFFF"] { fill: #0d1117 !important }
}
</style>
`

// inBothModes makes a drawing follow the mode of the browser.
func inBothModes(svg []byte) []byte {
	begin := bytes.Index(svg, []byte("<svg"))
	end := begin + bytes.IndexByte(svg[begin:], '>') + len(">\n")
	return append(svg[:end:end], append([]byte(darkMode), svg[end:]...)...)
}

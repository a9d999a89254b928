package filterblock

import "github.com/simdbloom/simdbloom"

// Target returns after how many entries a partition is to end.
func (w *Writer) Target() int { return w.target }

// BuildBy makes the writer use another builder.
func (w *Writer) BuildBy(b *simdbloom.Builder) { w.entries.builder = b }

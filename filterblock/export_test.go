package filterblock

// Target returns after how many entries a partition is to end.
func (w *Writer) Target() int { return w.target }

package arrow

var (
	FooterOf      = footerOf
	AppendBatches = appendBatches[int32]
)

package answers

// One key is looked up in a group of filters at a time, whose answers fit a word. From
// FewestPrefetched filters on, their lines are prefetched first. With fewer, the
// processor's own reordering is enough. Loading the lines in Go instead gains less,
// because the loads fill the reorder buffer.
//
// In ns a key with neither, with loads, and with prefetching (FastLocal, k=6, AVX-512,
// Zen 4):
//
//	 4 filters of 16 MiB   147   213   161
//	 8 filters of 16 MiB   254   256   232
//	16 filters of 16 MiB   514   464   314
//	16 filters of  1 MiB   486   432   298
//	64 filters of  1 MiB  1783  1657   845
const (
	Group            = 64
	FewestPrefetched = 8
)

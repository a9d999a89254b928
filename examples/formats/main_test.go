package main

func Example() {
	main()
	// Output:
	// FastLocal 125061 bytes, 1 false positive in 104
	// Ribbon     87781 bytes, 1 false positive in 105
	// Linear    125100 bytes, 1 false positive in 606
	// 7 may be in [0]
	// 123456 may be in [1]
	// 200000 may be in [2]
	// 300000 may be in []
}

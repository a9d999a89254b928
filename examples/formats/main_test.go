package main

func Example() {
	main()
	// Output:
	// FastLocal 125061 bytes, 1 false positive in 104
	// Ribbon     87781 bytes, 1 false positive in 105
	// Linear    125108 bytes, 1 false positive in 710
	// 7 may be in [0]
	// 123456 may be in [1]
	// 200000 may be in [2]
	// 300000 may be in []
}

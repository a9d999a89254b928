package main

func Example() {
	main()
	// Output:
	// 1000 keys may be in 1092 segments in all, instead of 100000
}

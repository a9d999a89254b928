package main

func Example() {
	main()
	// Output:
	// true false
	// [true false]
}

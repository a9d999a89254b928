package main

func Example() {
	main()
	// Output:
	// simdbloom.FastLocal:16: 20062 bytes of partitions, 154 of their index
	// simdbloom.FastLocal:16: 200275 bytes of partitions, 1428 of their index
	// simdbloom.Linear:9.7: 1224556 bytes of partitions, 8994 of their index
	// simdbloom.FastLocal:16: 1 in 1290 absent keys is a false positive
	// simdbloom.FastLocal:16: 1 in 1124 absent keys is a false positive
	// simdbloom.Linear:9.7: 1 in 521 absent keys is a false positive
	// 3.58 reads per 1000 absent keys, 3.39 predicted
}

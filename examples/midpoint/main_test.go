package main

func Example() {
	main()
	// Output: [2 1 1 2]
}

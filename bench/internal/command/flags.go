package command

import "flag"

// The flags that several programs have, each explained here alone.

// Out is where results are written.
func Out(flags *flag.FlagSet, file *string) {
	flags.StringVar(file, "o", "", "write the results as JSON to a `file` instead of standard output")
}

// Pages makes a program write pages instead of measuring.
func Pages(flags *flag.FlagSet, clone *string) {
	flags.StringVar(clone, "pages", "", "measure nothing, and write the tables and plots of the clone in a `directory` from its file in bench")
}

// Rounds is how often everything is measured.
func Rounds(flags *flag.FlagSet, rounds *int, usual int) {
	flags.IntVar(rounds, "rounds", usual, "`number` of timed rounds, in each of which every filter has its turn")
}

// JSON makes a program print its results for programs.
func JSON(flags *flag.FlagSet, json *bool) {
	flags.BoolVar(json, "json", false, "print one JSON object instead of text")
}

// Threads is how many goroutines do operations at once.
func Threads(flags *flag.FlagSet, threads *int, usual int) {
	flags.IntVar(threads, "threads", usual, "`number` of threads")
}

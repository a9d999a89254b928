// Command levels builds the filters of an LSM tree's three levels, each by another policy, and counts their false
// positives: the program of docs/engines.md.
package main

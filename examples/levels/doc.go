// Command levels builds the filters of an LSM tree's three levels, each by another policy, and counts their false
// positives. docs/engines.md explains the choice of policies. A filter in one piece needs no PartitionBytes, does not
// call Store, and is read by Open.
package main

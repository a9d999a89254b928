// Package segments measures how long it takes to look up many keys in the filters of many segments, as Milvus
// does with blobloom.
package segments

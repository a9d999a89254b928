// Package s3 tests that sets are looked up in where they lie in an S3 store, by the method that docs/files.md has. It
// is a module of its own because the client's packages take long to compile.
package s3

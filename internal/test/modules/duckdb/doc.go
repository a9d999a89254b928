// Package duckdb tests filters of Parquet files with DuckDB, which reads what adapters/parquet writes and writes what
// it reads. DuckDB is a C++ library, of which its Go module has a copy for each platform: 70 MB, and cgo.
package duckdb

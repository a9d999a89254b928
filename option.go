package simdbloom

import "github.com/simdbloom/simdbloom/internal/building"

// Option is an option of NewBuilder of all formats and of policies. An option that the format does not support is an
// error. If one is given twice, the last one counts. A nil Option changes nothing.
type Option func(*options)

// options are the options that were given. Formats' packages and policies have options, too.
type options = building.Options

// WithConcurrency lets Finish use up to n goroutines, and AddHashes as well when a call
// has 32,768 hashes or more. It uses at most GOMAXPROCS, and all have ended when a call
// returns. The default is 1: building stays on the caller's goroutine. The filter's
// bytes do not depend on n. It is an error if n is below 1.
//
// It speeds up building filters larger than 1 to 2 MiB, on two idle processors to two thirds of the time, and Linear
// and Ribbon filters from some thousand keys on. Legacy and LevelDB filters are built by one goroutine.
func WithConcurrency(n int) Option {
	return func(o *options) { o.Concurrency = n }
}

// WithVerification makes Finish read the filter it has built and look up every key in it, as
// RocksDB's detect_filter_construct_corruption does. If one is missing, Finish's
// error wraps [ErrVerification].
//
// It looks them up in batches, at a few nanoseconds a key, tens for Linear and Ribbon.
func WithVerification() Option {
	return func(o *options) { o.Verification = true }
}

// WithMaxBytes limits a filter to n bytes, trailer included. One that fits is built
// as without a limit. One that does not is as large as the limit allows, with the number of probes, the
// fingerprints or the columns that suit the bits per key it really has. Any number of keys is
// then accepted: the false-positive rate rises as PredictedFPR of the format's package computes with this
// option, and there are still no false negatives.
//
// A limit beyond the format's largest size counts as that. It is an error if n is below the size of the
// smallest filter: see the [Format].
//
// The number of probes of FastLocal is RocksDB's choice for the bits per key that the filter has, as
// with its option optimize_filters_for_memory. From 128 blocks on and up to 40 bits per
// key, no other number of probes has a false-positive rate more than 8 % lower. Paired's is the best
// one: Speedb's own choice would have a rate that is 3 % higher on average. Linear's lines do not hold all keys
// below 7.35 bits per key: the rate rises from 0.8 % to 9 % at 6.7 and to 47 % at 3.9.
func WithMaxBytes(n int) Option {
	return func(o *options) { o.Limit = building.AtMost(n); o.Given &^= building.GivenSizeBytes }
}

// WithSizeBytes makes every filter exactly n bytes large, trailer included, whatever its number of keys
// and the bits per key. The number of probes suits the bits per key that the keys then have.
//
// All formats but Linear have it, and so have Mutable and Concurrent. Any other size than the [Format]'s is an error,
// which has the nearest ones.
//
// Without keys, Ribbon and Legacy filters have no bytes, as without the option. Other formats' filters have n.
func WithSizeBytes(n int) Option {
	return func(o *options) { o.Limit = building.Exactly(n); o.Given |= building.GivenSizeBytes }
}

// Package twins keeps the packages of filters the same where they promise the same.
//
// Each package documents its methods in full, so that nobody reads them elsewhere, and
// calls its kernel directly, so that queries allocate nothing. What they have in
// common is therefore there more than once. The tests compare the copies: of code, and
// of the first paragraph of documentation. What a package says of itself alone is in
// later paragraphs.
package twins

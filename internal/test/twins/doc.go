// Package twins keeps the packages of filters the same where they promise the same.
//
// Each package documents its methods in full, so that readers need no other page, and calls
// its kernel directly, so that queries allocate nothing. So common code and documentation
// exist more than once. The tests compare the copies: of code, and of the first paragraph of
// documentation. Later paragraphs are about one package only.
package twins

package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Text that is no list of lines is known by how it begins: web pages, which servers send instead of lists, and JSON.

// noList returns the kind of a text that is no list of keys, or nil, and whether more of the text may decide it.
func noList(seen []byte) (k *kind, more bool) {
	text := bytes.TrimLeft(asciiOf(seen), " \t\r\n")
	if len(text) == 0 || beginsMark(seen) {
		return nil, len(seen) > 0 // and no key, either
	}
	for i := range texts {
		begins := texts[i].begins
		if n := min(len(text), len(begins)); strings.EqualFold(string(text[:n]), begins[:n]) {
			if n == len(begins) {
				return &texts[i], false
			}
			more = true
		}
	}
	switch text[0] {
	case '{', '[':
		if len(text) > 1 && text[1] == '\'' {
			if pythons.Match(text) {
				return &kind{name: "a list of Python", todo: "let Python write lines, \"print(*LIST, sep='\\n')\""}, false
			}
			return nil, bytes.IndexByte(text, '\n') < 0
		}
		k, undecided := jsonKind(text)
		return k, undecided || k == nil && more
	case '<':
		if element.Match(text) {
			return &kind{name: "XML or a web page", todo: xmlTodo}, false
		}
		return nil, more || bytes.IndexByte(text, '\n') < 0
	}
	return nil, more
}

// element is a tag with an attribute, or before another tag. A list of tags has each in a line.
var element = regexp.MustCompile(`^<[A-Za-z][\w:.-]*(\s+[\w:.-]+\s*=\s*["']|>(\r?\n[ \t]+)?<[A-Za-z/!]|>[^<>\r\n]+</[A-Za-z])`)

// pythons is the beginning of a list, a set or a dictionary, as Python prints them.
var pythons = regexp.MustCompile(`^[\[{]'[^'\r\n]*'(, |: )`)

// asciiOf returns text without a byte order mark, and the characters of UTF-16 in a byte each.
func asciiOf(seen []byte) []byte {
	var first int
	switch {
	case bytes.HasPrefix(seen, []byte(markLittle16)):
		first = 2
	case bytes.HasPrefix(seen, []byte(markBig16)):
		first = 3
	default:
		return TrimMarks(seen)
	}
	var text []byte
	for at := first; at < len(seen); at += 2 {
		text = append(text, seen[at])
	}
	return text
}

const (
	pageTodo = "fetch the list itself: \"curl -f\" makes a server's errors errors"
	xmlTodo  = "pipe its text through a program that reads it, \"xmllint --xpath '//NAME/text()' FILE | simdbloom …\""
)

var texts = allTexts()

func allTexts() (all []kind) {
	refuse := func(name, todo string, begins ...string) {
		for _, b := range begins {
			all = append(all, kind{name: name, begins: b, todo: todo})
		}
	}
	refuse("a web page", pageTodo, "<!doctype", "<html", "<head>", "<body", "<title>", "<script", "<h1>", "<center>", "<!--")
	refuse("a server's answer", pageTodo, "HTTP/1.", "HTTP/2 ", "404: Not Found", "404 Not Found", "403 Forbidden", "error code: ",
		"403: Forbidden", "429: Too Many Requests", "400: Invalid request", "upstream connect error")
	refuse("XML", xmlTodo, "<?xml", "<rss", "<feed", "<urlset", "<sitemapindex")
	refuse("a pointer of Git LFS", "\"git lfs pull\" fetches the file", "version https://git-lfs.github.com/", "version https://hawser.github.com/")
	refuse("a pointer of git-annex", "\"git annex get\" fetches the file", "/annex/objects/")
	refuse("a list of hashdeep", "\"grep -v '^[%#]' FILE | simdbloom … -csv=2\" reads the second column, the MD5 hash", "%%%% HASHDEEP")
	refuse("a dump of a database", "pipe a query's rows instead", "-- MySQL dump", "-- MariaDB dump", "-- PostgreSQL database dump", "--\n-- PostgreSQL database", "-- phpMyAdmin SQL Dump", "PRAGMA foreign_keys=")
	refuse("a key or a message in armor", "decode it first", "-----BEGIN ")
	refuse("a document in RTF", "save it as text", "{\\rtf1")
	return all
}

// jsonKind returns the kind of text that begins an object or an array of JSON, or nil, and whether more of it may tell.
func jsonKind(text []byte) (k *kind, more bool) {
	path := "."
	name := "JSON"
	at := 0
	for ; at < len(text); at++ {
		switch c := text[at]; c {
		case ' ', '\t', '\r', '\n':
		case '[':
			path += "[]"
			name = "a JSON array"
		case '{':
			key, rest, found := jsonString(text[at+1:])
			switch {
			case found && len(rest) == 0:
				return nil, true
			case found && rest[0] == ':':
				if path = strings.TrimSuffix(path, ".") + "."; identifier.MatchString(key) {
					path += key
				} else {
					path += fmt.Sprintf("%q", key)
				}
				return jsonAdvice(name, path), false
			case !found && len(rest) == 0:
				return nil, len(text) < mostHead
			case !found && rest[0] == '}':
				return jsonAdvice(name, path), false
			}
			return nil, false
		default:
			_, rest, found := jsonString(text[at:])
			if !found && len(rest) > 0 {
				value := scalar.Find(rest)
				if rest = bytes.TrimLeft(rest[len(value):], " \t\r\n"); len(rest) > 0 && len(value) > 0 && !json.Valid(value) {
					return nil, false
				}
			}
			switch {
			case len(rest) == 0:
				return nil, len(text) < mostHead
			case rest[0] == ',':
				return jsonAdvice(name, path), false
			case rest[0] != ']':
				return nil, false
			}
			behind := bytes.TrimLeft(rest[1:], " \t")
			if len(behind) > 0 && bytes.IndexByte([]byte("\r\n,]"), behind[0]) < 0 {
				return nil, false
			}
			return jsonAdvice(name, path), len(behind) == 0
		}
	}
	return nil, len(text) < mostHead
}

// scalar is a number or a word of JSON, or the beginning of one.
var scalar = regexp.MustCompile(`^(-?\d+(\.\d*)?([eE][+-]?\d*)?|t(r(ue?)?)?|f(a(l(se?)?)?)?|n(u(ll?)?)?)`)

var identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// jsonString returns the string with which text begins, behind blanks, and the rest, behind blanks.
func jsonString(text []byte) (s string, rest []byte, found bool) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 || text[0] != '"' {
		return "", text, false
	}
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return string(text[1:at]), bytes.TrimLeft(text[at+1:], " \t\r\n"), true
		}
	}
	return "", nil, false
}

func jsonAdvice(name, path string) *kind {
	return &kind{name: name, todo: through(fmt.Sprintf("jq -r '%s' FILE", path))}
}

package decode

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestNoLists: what servers and programs write instead of a list of lines is an error that says how to make one.
func TestNoLists(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"<!DOCTYPE html>\n<html><body>404", "a web page"},
		{"\n  <HTML lang=en>", "a web page"},
		{"\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset>", "XML"},
		{"<Error><Code>AccessDenied</Code></Error>", "XML"},
		{"<note id=\"1\">a</note>", "XML"},
		{"[\"a\", \"b\"]", "jq -r '.[]' FILE"},
		{"[\n  \"a\",\n  \"b\"\n]\n", "jq -r '.[]' FILE"},
		{"[1,2]", "jq -r '.[]' FILE"},
		{"[\n  {\n    \"id\": 1\n  }\n]", "jq -r '.[].id' FILE"},
		{"[[\"a\",1],[\"b\",2]]", "jq -r '.[][]' FILE"},
		{"{\"name\":\"a\",\"n\":1}\n{\"name\":\"b\",\"n\":2}\n", "jq -r '.name' FILE"},
		{"{ \"a b\" : [1]}", "jq -r '.\"a b\"' FILE"},
		{"{\"a\\\"b\":1}\n", "jq -r"},
		{"[]", "jq -r"},
		{"[true]", "jq -r"},
		{"{}\n", "JSON"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", "git lfs pull"},
		{"/annex/objects/MD5E-s3--1.txt\n", "git annex get"},
		{"404: Not Found", "curl -f"},
		{"429: Too Many Requests\n", "curl -f"},
		{"{'a', 'b'}\n", "Python"},
		{"HTTP/1.1 200 OK\r\n", "curl -f"},
		{"%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n", "-csv=2"},
		{"-- MySQL dump 10.13\n", "a dump of a database"},
		{"-----BEGIN PGP MESSAGE-----\n", "armor"},
		{"{\\rtf1\\ansi list}\n", "RTF"},
	} {
		wide := strings.TrimPrefix(c.in, mark8)
		for _, text := range []string{c.in, gzipped(c.in), inUTF16(wide, true, true), inUTF16(wide, false, true)} {
			for _, from := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
				if got, err := read(from, Lines); err == nil || got != "" || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "-raw") {
					t.Errorf("%.40q: %q, %v", text, got, err)
				}
			}
		}
	}
	for _, in := range []string{
		"<abc@example.com>\n", "<unk>\n<s>\n", "<nick> hello\n", "<http://example.org/a>\n", "<\n", "<a", "<!\n", "<htm", "[a]\n", "[1", "[tr", "[n]\n",
		"{3F2504E0-4F89-11D3-9A0C-0305E82C3301}\n", "{\"a\"\n", "{", "{key}\n", "{\n", "{\"a", "[::1]:80\n", "[2001:db8::1]:443\n", "[section]\n", "[\"a\"\n", "[", "[\n",
		"version 1\n", "version", "40\n", "404", "/annex\n", "%%%\n", "--\n", "-----\n", "HTTP\n", "['a']\n", "{'a'\n", "['", "<b>\n</b>\n", "[-] a\n", "[1] a\n",
	} {
		for _, from := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			if got, err := read(from, Lines); err != nil || got != in {
				t.Errorf("%q: %q, %v", in, got, err)
			}
		}
	}
	for _, text := range []Text{Binary, ZeroEnded, ByteLines} {
		if got, err := read(strings.NewReader("[1]\x00"), text); err != nil || got != "[1]\x00" {
			t.Errorf("%v: %q, %v", text, got, err)
		}
	}
}

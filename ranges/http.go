package ranges

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/simdbloom/simdbloom/filterfile"
)

// HTTP reads files below a URL by requests with a Range, as object stores and most servers answer them. The client may
// be nil. If it is not, its transport should keep as many idle connections to a host as there are requests at once.
//
// It is an error if the URL is not http or https, if a server sends a whole file instead of a range, or another range,
// fewer or more bytes, and if a file's ETag (or Last-Modified, if there is none) or length has changed since its first
// range. A file that is not there is [fs.ErrNotExist]. Nothing is tried again: a transport may do that.
func HTTP(client *http.Client, address string) (filterfile.Ranges, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("%q is not the URL of an http or https server", address)
	}
	if client == nil {
		client = &http.Client{Transport: manyIdle()}
	}
	return &server{client: client, base: base}, nil
}

// manyIdle is the default transport, which keeps connections for the requests that are made at once.
func manyIdle() http.RoundTripper {
	usual, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t := usual.Clone()
	t.MaxIdleConnsPerHost, t.MaxIdleConns = 128, 0
	return t
}

type server struct {
	client *http.Client
	base   *url.URL
	seen   versions
}

func (s *server) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	if len(p) == 0 {
		return nil
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(parts...).String(), nil)
	if err != nil {
		return err
	}
	last := off + int64(len(p)) - 1
	request.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, last))
	request.Header.Set("Accept-Encoding", "identity") // or the transport asks for gzip
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() // unread bytes are not read
	switch response.StatusCode {
	case http.StatusPartialContent:
	case http.StatusRequestedRangeNotSatisfiable:
		return fmt.Errorf("%w: the file ends before byte %d", io.ErrUnexpectedEOF, off)
	case http.StatusNotFound, http.StatusGone:
		return fmt.Errorf("%w: the server answers %s", fs.ErrNotExist, response.Status)
	case http.StatusOK:
		return errors.New("the server sends the whole file instead of a range")
	default:
		return fmt.Errorf("the server answers %s", response.Status)
	}
	if encoding := response.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return fmt.Errorf("the server sends the range in the encoding %.40q", encoding)
	}
	is, length, err := parseContentRange(response.Header.Get("Content-Range"))
	if err != nil {
		return err
	}
	ends := length >= 0 && last >= length
	if is.first != off || is.last != last && !(ends && is.last == length-1) {
		return fmt.Errorf("the server sends bytes %d to %d instead of %d to %d", is.first, is.last, off, last)
	}
	n := is.last - is.first + 1
	if response.ContentLength >= 0 && response.ContentLength != n {
		return fmt.Errorf("the server sends %d bytes instead of %d", response.ContentLength, n)
	}
	version := response.Header.Get("ETag")
	if version == "" {
		version = response.Header.Get("Last-Modified")
	}
	if err := s.seen.check(name, fmt.Sprint(version, " ", length)); err != nil {
		return err
	}
	if _, err := io.ReadFull(response.Body, p[:n]); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the connection ended before all bytes came") // the file has more
		}
		return err
	}
	var more [1]byte
	if m, err := io.ReadFull(response.Body, more[:]); m > 0 {
		return fmt.Errorf("the server sends more than %d bytes", n)
	} else if err != io.EOF {
		return err
	}
	if ends {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// extent is a range of bytes.
type extent struct{ first, last int64 }

// parseContentRange returns the range in a header such as "bytes 0-63/1000", and the length, or -1 for "*".
func parseContentRange(header string) (is extent, length int64, err error) {
	total := ""
	n, _ := fmt.Sscanf(header, "bytes %d-%d/%s", &is.first, &is.last, &total)
	length = -1
	if n == 3 && total != "*" {
		if m, _ := fmt.Sscanf(total, "%d", &length); m != 1 || length < 0 || fmt.Sprint(length) != total {
			n = 0
		}
	}
	if n != 3 || is.first < 0 || is.last < is.first || length >= 0 && is.last >= length {
		return is, 0, fmt.Errorf("the server's Content-Range is %.100q", header)
	}
	return is, length, nil
}

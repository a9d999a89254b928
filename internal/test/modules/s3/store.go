//go:build s3

package s3

import (
	"context"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

type store struct {
	client *s3.Client
	bucket string
}

func (s store) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	extent := fmt.Sprintf("bytes=%d-%d", off, off+int64(len(p))-1)
	object, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: &name, Range: aws.String(extent)})
	if err != nil {
		return err
	}
	defer object.Body.Close()
	_, err = io.ReadFull(object.Body, p)
	return err
}

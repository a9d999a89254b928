module github.com/simdbloom/simdbloom/internal/test/consumer

go 1.24.0

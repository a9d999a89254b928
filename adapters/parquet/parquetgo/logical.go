package parquetgo

import (
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// logicalOf returns parquet-go's logical type, or what a converted type means.
func logicalOf(t parquetgo.Type) (l parquet.Logical) {
	if of := t.LogicalType(); of != nil {
		l = logicalOfUnion(of.Value)
	}
	if converted := t.ConvertedType(); converted != nil && l == (parquet.Logical{}) {
		return parquet.Converted(int(*converted), 0, 0)
	}
	return l
}

func logicalOfUnion(value format.LogicalTypeValue) parquet.Logical {
	switch v := value.(type) {
	case *format.StringType:
		return parquet.Logical{Kind: parquet.String}
	case *format.EnumType:
		return parquet.Logical{Kind: parquet.Enum}
	case *format.JsonType:
		return parquet.Logical{Kind: parquet.JSON}
	case *format.BsonType:
		return parquet.Logical{Kind: parquet.BSON}
	case *format.UUIDType:
		return parquet.Logical{Kind: parquet.UUID}
	case *format.Float16Type:
		return parquet.Logical{Kind: parquet.Float16}
	case *format.DateType:
		return parquet.Logical{Kind: parquet.Date}
	case *format.IntType:
		return parquet.Logical{Kind: parquet.Integer, Bits: int(v.BitWidth), Unsigned: !v.IsSigned}
	case *format.DecimalType:
		return parquet.Logical{Kind: parquet.Decimal, Precision: int(v.Precision), Scale: int(v.Scale)}
	case *format.TimeType:
		return parquet.Logical{Kind: parquet.Time, PerSecond: perSecond(v.Unit), UTC: v.IsAdjustedToUTC}
	case *format.TimestampType:
		return parquet.Logical{Kind: parquet.Timestamp, PerSecond: perSecond(v.Unit), UTC: v.IsAdjustedToUTC}
	}
	return parquet.Logical{}
}

func perSecond(unit format.TimeUnit) int {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return 1e3
	case *format.MicroSeconds:
		return 1e6
	case *format.NanoSeconds:
		return 1e9
	}
	return 0
}

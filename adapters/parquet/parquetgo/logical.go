package parquetgo

import (
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

// logicalOf returns parquet-go's logical type, or what a converted type means.
func logicalOf(t parquetgo.Type) (l footer.Logical) {
	if of := t.LogicalType(); of != nil {
		l = logicalOfUnion(of.Value)
	}
	if converted := t.ConvertedType(); converted != nil && l == (footer.Logical{}) {
		return footer.Converted(int(*converted), 0, 0)
	}
	return l
}

func logicalOfUnion(value format.LogicalTypeValue) footer.Logical {
	switch v := value.(type) {
	case *format.StringType:
		return footer.Logical{Kind: footer.String}
	case *format.EnumType:
		return footer.Logical{Kind: footer.Enum}
	case *format.JsonType:
		return footer.Logical{Kind: footer.JSON}
	case *format.BsonType:
		return footer.Logical{Kind: footer.BSON}
	case *format.UUIDType:
		return footer.Logical{Kind: footer.UUID}
	case *format.Float16Type:
		return footer.Logical{Kind: footer.Float16}
	case *format.DateType:
		return footer.Logical{Kind: footer.Date}
	case *format.IntType:
		return footer.Logical{Kind: footer.Integer, Bits: int(v.BitWidth), Unsigned: !v.IsSigned}
	case *format.DecimalType:
		return footer.Logical{Kind: footer.Decimal, Precision: int(v.Precision), Scale: int(v.Scale)}
	case *format.TimeType:
		return footer.Logical{Kind: footer.Time, PerSecond: perSecond(v.Unit), UTC: v.IsAdjustedToUTC}
	case *format.TimestampType:
		return footer.Logical{Kind: footer.Timestamp, PerSecond: perSecond(v.Unit), UTC: v.IsAdjustedToUTC}
	}
	return footer.Logical{}
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

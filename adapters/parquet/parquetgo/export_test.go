package parquetgo

var FooterOf = footerOf

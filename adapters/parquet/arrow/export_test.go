package arrow

var FooterOf = footerOf

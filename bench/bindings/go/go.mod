module calls

go 1.19

require dragoman v0.0.0

replace dragoman => ../../../bindings/go

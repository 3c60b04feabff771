module dragoman

go 1.19

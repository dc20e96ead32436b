module images

go 1.25

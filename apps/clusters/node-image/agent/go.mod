module agent

go 1.25

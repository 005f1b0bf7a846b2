module example.com/trap

go 1.22

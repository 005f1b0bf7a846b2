class Good {
    func first() -> Int { return 1 }
    func second( -> {
    func third() -> String { return "x" }
}

struct Later {
    let limit = 3
}

protocol Store {
    func save(key: String)
}

class Base: Store {
    init(name: String) {}

    func save(key: String) {
        validate()
    }

    func validate() {}

    static func create() -> Base {
        return Base(name: "x")
    }
}

struct Client {
    func send() {}
}

func send() {}

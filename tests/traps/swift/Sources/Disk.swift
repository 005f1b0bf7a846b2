class Disk: Base {
    private let client = Client()
    var next: Store?

    override func save(key: String) {
        super.save(key: key)
        client.send()
        next?.save(key: key)
        self.validate()
        func helper() {
            post()
        }
        helper()
    }
}

struct Mail {
    func send() {}
}

extension Disk {
    func shout() {
        save(key: "loud")
    }
}

func post() {}

func work() {
    let disk = Disk(name: "a")
    disk.save(key: "b")
    disk.shout()
    Base.create().save(key: "c")
    let mail = Mail()
    mail.send()
    [1].map { $0 }
}

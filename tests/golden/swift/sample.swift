import Foundation
import struct Networking.Request
@testable import Ledger
import UIKit.UIView

/// Everything that can be stored.
///
/// Implementations must be thread safe.
public protocol Row: AnyObject, Identifiable {
    associatedtype Key: Hashable
    var id: Int { get }
    static var kind: String { get set }
    init(key: Key)
    func load(_ key: Key) throws -> Self?
}

/** One account. */
@available(iOS 13, *)
open class Account<T: Row>: storage.Base<T>, Ordered {
    public static let maxRetries = 3
    private(set) public var owner: String
    fileprivate var cache: [String: Event] = [:]
    weak var delegate: AccountDelegate?
    @Published internal var retries: Int = Account.maxRetries
    private lazy var client = Client(name: "main")
    let (low, high) = (1, 2)

    public var isOpen: Bool {
        get { return balance >= 0 }
        set { store.write(newValue) }
    }

    var balance: Int = 0 {
        didSet { delegate?.changed(self) }
    }

    /// Makes one.
    public init(owner: String, store: Store) {
        self.owner = owner
        self.store = store
        super.init(owner)
    }

    convenience init?(_ raw: Data) { return nil }

    deinit { client.close() }

    @discardableResult
    override open func find(_ key: String, strict: Bool = false) async throws -> Account<T>? {
        let found = try await client.connect().fetch(key)
        let event: Event = Event("load")
        guard let row = found as? Row else { throw AccountError.missing(key) }
        for event in events { event.fire() }
        if let parent = parent?.first { parent.touch() }
        do { try event.run() } catch let error as NetworkError { log(error) }
        func miss(reason: String) { fatalError(reason) }
        let handler = { (row: Row) -> Bool in row.apply(key) }
        rows.map { $0.touch() }.filter(isReady).forEach(handler)
        _ = ProcessInfo.processInfo.environment["ACCOUNT_FILE"]
        switch mode {
        case .fast: return nil
        case .slow(let delay): wait(delay)
        }
        return DispatchQueue.main.sync { Account(owner: key, store: self.store) }
    }

    func find(_ key: Int) -> Account { find(String(key)) }

    class func make(_ owners: String...) -> [Account] { owners.map { Account(owner: $0) } }

    subscript(index: Int) -> Event { events[index] }

    static func == (lhs: Account, rhs: Account) -> Bool { lhs.owner == rhs.owner }

    struct Event: Codable {
        let name: String
        mutating func fire() {}
    }
}

indirect enum Status: Int, CaseIterable {
    case open = 1
    case closed, frozen
    case custom(label: String, code: Int)

    var isFinal: Bool { self == .closed }
}

extension Account: CustomStringConvertible where T: Equatable {
    public var description: String { owner }
    private func shout() -> String { return owner.uppercased() }
}

extension Array where Element == Account {
    func total() -> Int { reduce(0) { $0 + $1.balance } }
}

actor Registry {
    private var accounts: [Account] = []
    func add(_ account: Account) { accounts.append(account) }
}

public typealias Handler = (Account) -> Void
let defaultName = "main"
private var current: Account? = nil

infix operator <+>: AdditionPrecedence

func <+> (lhs: Account, rhs: Account) -> Account { lhs }

// Boots everything.
// Once.
@MainActor func run<Item: Row>(with handler: @escaping Handler, items: [Item] = []) where Item: Hashable {
    register(handler, "boot")
    Networking.Session.shared.start(onError: handler)
}

@propertyWrapper
struct Clamped {
    var wrappedValue: Int
}

final class AccountTests: XCTestCase {
    func testOpens() {
        let account = Account(owner: "a", store: Store())
        XCTAssertTrue(account.isOpen)
    }
    @Test func closes() {}
}

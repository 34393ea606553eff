import DarkroomCore
public import DarkroomFleet
import DarkroomPlatform

/// The rules that every object store must follow. Each check throws a ``ContractViolation`` that describes the broken
/// rule.
///
/// Each check uses names of its own below a prefix, and removes its objects at the end. The store may have other
/// objects, and other clients.
public struct ObjectStoreContract: Sendable {
    let store: any ObjectStore
    let prefix: String
    let deadline: Duration
    let subject: Subject

    /// Creates the contract of `store`.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - prefix: The prefix of the names of all objects that the checks store.
    ///   - deadline: The deadline of each call to an engine that responds.
    public init(_ store: any ObjectStore, prefix: String = "contract/", deadline: Duration = .seconds(30)) {
        self.store = store
        self.prefix = prefix
        self.deadline = deadline
        subject = Subject(store)
    }

    /// Runs all checks of an engine that responds. `manyCount` is the number of objects to remove at once, which should
    /// be more than the store lists with one request.
    public func checkAll(manyCount: Int = 25) async throws {
        try await checkStoring()
        try await checkReplacing()
        try await checkMisses()
        try await checkRemoving()
        try await checkRemovingAll(count: manyCount)
        try await checkByteLimit()
        try await checkNames()
        try await checkAge()
        try await checkConcurrency()
    }

    /// Checks that stored objects are returned complete, among them an empty one.
    public func checkStoring() async throws {
        try await withFolder { folder in
            for byteCount in [0, 1, 100, 70_000, 1 << 20] {
                let (name, bytes) = ("\(folder)\(byteCount)", Data.sample(byteCount))
                try await put(bytes, as: name)
                try await require(name, has: bytes, "an object just stored")
            }
        }
    }

    /// Checks that a store replaces an earlier one, with longer or shorter bytes.
    public func checkReplacing() async throws {
        try await withFolder { folder in
            for (number, byteCount) in [500, 20, 60_000, 0, 7].enumerated() {
                let bytes = Data.sample(byteCount, number: number)
                try await put(bytes, as: "\(folder)a")
                try await require("\(folder)a", has: bytes, "an object stored in place of another")
            }
        }
    }

    /// Checks that a name never stored is a miss, also beside others, and that it can be removed.
    public func checkMisses() async throws {
        try await withFolder { folder in
            try await require("\(folder)none", has: nil, "a name never stored")
            try await put(.sample(10), as: "\(folder)name")
            for name in ["nam", "name1", "Name", "n", "b/name"].map({ "\(folder)\($0)" }) {
                try await require(name, has: nil, "a name never stored")
                try await running("removing a missing object") { try await store.remove(name, deadline: deadline) }
            }
            try await require("\(folder)name", has: .sample(10), "an object beside names never stored")
        }
    }

    /// Checks that a removed object is gone, that others remain, and that it can be stored again.
    public func checkRemoving() async throws {
        try await withFolder { folder in
            let names = ["a", "ab", "b/a"].map { "\(folder)\($0)" }
            for (number, name) in names.enumerated() { try await put(.sample(9, number: number), as: name) }
            try await running("removing") { try await store.remove(names[0], deadline: deadline) }
            try await require(names[0], has: nil, "a removed object")
            for number in 1...2 {
                try await require(names[number], has: .sample(9, number: number), "an object beside a removed one")
            }
            try await put(.sample(5), as: names[0])
            try await require(names[0], has: .sample(5), "an object stored after its removal")
        }
    }

    /// Checks that the removal of a prefix removes exactly the objects whose names begin with it. `count` is their
    /// number.
    public func checkRemovingAll(count: Int = 25) async throws {
        try await withFolder { folder in
            let removed = (0..<max(2, count)).map { "\(folder)p/\($0 % 3)/\($0)" } + ["\(folder)p/a", "\(folder)p/b.c"]
            let others = ["p0", "P/a", "o/p/a", "q"].map { "\(folder)\($0)" }
            for name in removed + others { try await put(Data(name.utf8), as: name) }
            try await removeAll(under: "\(folder)p/none")
            try await require(removed[0], has: Data(removed[0].utf8), "an object after removing a prefix of none")
            try await removeAll(under: "\(folder)p/")
            for name in removed { try await require(name, has: nil, "an object whose prefix was removed") }
            for name in others { try await require(name, has: Data(name.utf8), "an object without the removed prefix") }
            try await removeAll(under: "\(folder)p/")
            // A prefix need not end where a folder does.
            try await put(.sample(1), as: "\(folder)p1")
            try await removeAll(under: "\(folder)p")
            for name in ["p0", "p1"] {
                try await require("\(folder)\(name)", has: nil, "an object under a short prefix")
            }
            try await require(others[1], has: Data(others[1].utf8), "an object without the short prefix")
        }
    }

    /// Checks that an object of more bytes than the limit is refused, and one of as many is not.
    public func checkByteLimit() async throws {
        try await withFolder { folder in
            let (name, bytes) = ("\(folder)a", Data.sample(100_000))
            try await put(bytes, as: name)
            for byteLimit in [0, 1, bytes.count - 1] {
                do {
                    let object = try await store.object(name, byteLimit: byteLimit, deadline: deadline)
                    throw subject.violation(
                        "it returns \(object?.bytes.count ?? 0) of \(bytes.count) bytes, but the limit is \(byteLimit)")
                } catch {
                    try requireProper(error, "an object beyond the limit")
                }
            }
            let object = try await running("reading at the limit") {
                try await store.object(name, byteLimit: bytes.count, deadline: deadline)
            }
            try subject.require(
                object?.bytes == bytes, "an object of exactly as many bytes as the limit is not returned")
        }
    }

    /// Checks that names may contain all permitted characters, and are distinguished by each of them.
    public func checkNames() async throws {
        try await withFolder { folder in
            let letters = "abcdefghijklmnopqrstuvwxyz"
            let names = [
                "\(letters)/\(letters.uppercased())/0123456789-_.", "a.b", "a-b", "a_b", "ab", "A.b", "-", "_", "a..b",
                "-a", "_a", ".a", "a.", String(repeating: "long-", count: 40), "1/2/3/4/5/6/7/8/9",
            ].map { "\(folder)\($0)" }
            for name in names { try await put(Data(name.utf8), as: name) }
            for name in names { try await require(name, has: Data(name.utf8), "the object named \(name)") }
            try await removeAll(under: folder)
            for name in names { try await require(name, has: nil, "the removed object named \(name)") }
        }
    }

    /// Checks that an object just stored has no age, or the age of one that is stored between two calls.
    public func checkAge() async throws {
        try await withFolder { folder in
            let start = ContinuousClock.now
            try await put(.sample(10), as: "\(folder)a")
            let object = try await running("reading") {
                try await store.object("\(folder)a", byteLimit: 10, deadline: deadline)
            }
            guard let age = object?.age else { return }
            // Engines count whole seconds.
            let bound = start.duration(to: .now) + .seconds(2)
            try subject.require(
                age >= .zero && age <= bound, "an object stored less than \(bound) ago has an age of \(age)")
        }
    }

    /// Checks that concurrent stores of one name leave one of the objects, and that readers see no other.
    public func checkConcurrency() async throws {
        try await withFolder { folder in
            let name = "\(folder)a"
            let objects = (0..<8).map { Data.sample(1_000 + 20_000 * ($0 % 3), number: $0) }
            try await put(objects[0], as: name)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for bytes in objects { group.addTask { try await put(bytes, as: name) } }
                for _ in 0..<8 { group.addTask { try await requireOne(of: objects, as: name, "while others write") } }
                try await group.waitForAll()
            }
            try await requireOne(of: objects, as: name, "after concurrent stores")
        }
    }
}

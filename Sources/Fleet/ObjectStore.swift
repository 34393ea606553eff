public import DarkroomPlatform

/// An object store that all nodes of a fleet share, such as a bucket of an S3-compatible engine.
///
/// A write replaces the whole object, and the last one wins: conditional writes, metadata in listings and transactions
/// are not required. Names consist of ASCII letters, digits, `/`, `-`, `_` and `.`.
///
/// Each call throws an error once `deadline` has passed since it began, or since the last answer of the engine if it removes
/// many objects. Cancelling the task ends it at once.
public protocol ObjectStore: Sendable {
    /// Returns the object `name`; `nil` if there is none.
    ///
    /// A store whose objects may be large calls `EntryMemory.current.reserve(_:)` with the size of one before it receives it, and
    /// passes on the error. It is called again once there is memory.
    ///
    /// - Throws: An error if the engine cannot answer, or if the object exceeds `byteLimit`, in which case the rest is
    ///   not received.
    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject?

    /// Returns whether the object `name` exists, without receiving it.
    func contains(_ name: String, deadline: Duration) async throws -> Bool

    /// Stores `bytes` as the object `name`, which every node can read once this returns.
    func put(_ bytes: Data, as name: String, deadline: Duration) async throws

    /// Removes the object `name` if it exists.
    func remove(_ name: String, deadline: Duration) async throws

    /// Removes all objects whose names begin with `prefix`, except perhaps those stored meanwhile. One that cannot be removed
    /// does not keep the others. Several such calls leave connections free for reads.
    func removeAll(under prefix: String, deadline: Duration) async throws
}

/// An object returned by an object store.
public struct StoredObject: Sendable {
    /// The bytes.
    public var bytes: Data

    /// The time since the object was stored, by the engine's clock; `nil` if unknown.
    public var age: Duration?

    /// Creates an object with `bytes`.
    public init(_ bytes: Data, age: Duration? = nil) { (self.bytes, self.age) = (bytes, age) }
}

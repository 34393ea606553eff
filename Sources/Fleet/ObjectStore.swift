#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A store of objects that all nodes of a fleet share, such as a bucket of an S3-compatible engine.
///
/// A write replaces the whole object, and the last one wins: no conditional writes, listings of metadata or transactions
/// are required. Names consist of ASCII letters, digits, `/`, `-`, `_` and `.`.
///
/// Each call ends by itself when `deadline` has passed since it began, and throws an error then. Cancelling the task
/// ends it at once.
public protocol ObjectStore: Sendable {
    /// Returns the object `name`; `nil` if there is none.
    ///
    /// - Throws: An error if the engine cannot answer, or if the object has more than `byteLimit` bytes: then no more
    ///   are received.
    func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject?

    /// Returns whether there is an object `name`, without receiving it.
    func contains(_ name: String, deadline: Duration) async throws -> Bool

    /// Stores `bytes` as the object `name`. When it returns, every node can read the object.
    func put(_ bytes: Data, as name: String, deadline: Duration) async throws

    /// Removes the object `name`, if there is one.
    func remove(_ name: String, deadline: Duration) async throws

    /// Removes all objects whose names begin with `prefix`. Objects stored meanwhile may remain.
    func removeAll(under prefix: String, deadline: Duration) async throws
}

/// An object as its store returns it.
public struct StoredObject: Sendable {
    /// The bytes.
    public var bytes: Data

    /// The time since the object was stored, by the clock of the engine; `nil` if it does not tell.
    public var age: Duration?

    /// Creates an object of `bytes`.
    public init(_ bytes: Data, age: Duration? = nil) { (self.bytes, self.age) = (bytes, age) }
}

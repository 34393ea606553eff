import HTTPTypes
import Synchronization

/// The header fields of the latest response to a request. Making them takes longer than finding its file in memory.
final class RecentFields: Sendable {
    /// The dependencies of the fields, besides the request.
    struct Key: Equatable {
        let entityTag: String
        let cacheControl: String
        let cacheStatus: String
    }

    private let recent = Mutex<(key: Key, fields: ReplyFields)?>(nil)

    /// Returns the fields for `key`, which `make` makes if the latest ones were for another.
    func fields(for key: Key, making make: () -> ReplyFields) -> ReplyFields {
        if let recent = recent.withLock({ $0 }), recent.key == key { return recent.fields }
        let fields = make()
        recent.withLock { $0 = (key, fields) }
        return fields
    }
}

import DarkroomCore
import DarkroomPlatform

// The fields of an original's version and of the response that brought it, in the order in which the file of an entry has
// them. Whoever changes them increases `EntryFooter.version`.

extension ResponseMetadata: Recorded {
    static var blank: ResponseMetadata { ResponseMetadata(url: .blank, status: 0) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&url)
        try coder.code(&status)
        try coder.code(&headers)
    }
}

extension OriginalVersion: Recorded {
    static var blank: OriginalVersion { OriginalVersion(revision: "") }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&revision)
        try coder.code(&isLocal)
        try coder.code(&freshness)
        try coder.code(&varied)
        try coder.code(&route)
        try coder.code(&sharing)
    }
}

extension Freshness: Recorded {
    static var blank: Freshness { Freshness(confirmedAt: .blank) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&confirmedAt)
        try coder.code(&expires)
        try coder.code(&isHeuristic)
        try coder.code(&redirectsExpire)
        try coder.code(&mustRevalidate)
        try coder.code(&isImmutable)
        try coder.code(&isPrivate)
        try coder.code(&staleWhileRevalidate)
        try coder.code(&staleIfError)
    }
}

extension VariedFields: Recorded {
    static var blank: VariedFields { VariedFields() }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&fields)
        try coder.code(&isWildcard)
        try coder.code(&language)
    }
}

extension SourceRoute: Recorded {
    static var blank: SourceRoute { SourceRoute([]) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&hops) }
}

extension SourceRoute.Hop: Recorded {
    static var blank: SourceRoute.Hop { .init(url: .blank) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&url)
        try coder.code(&address)
        try coder.code(&credentials, as: { $0.sorted() }) { Set($0) }
    }
}

extension SharingRules: Recorded {
    static var blank: SharingRules { SharingRules() }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&isForbidden)
        try coder.code(&expires)
        try coder.code(&mustRevalidate)
    }
}

extension URL {
    fileprivate static let blank = URL(filePath: "/")
}

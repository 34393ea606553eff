/// How long something made of a version of its source is good, as far as that can be told without asking for more.
enum Standing: Sendable {
    /// For ever: nobody was asked.
    case unchanging
    /// As long as its freshness says.
    case plain(Freshness)
    /// That depends on the request, or on what its loader says now.
    case unclear

    init(of version: OriginalVersion?) {
        guard let version else {
            self = .unchanging
            return
        }
        guard !version.isLocal, version.varied.isEmpty, version.reach?.usesCredentials != true else {
            self = .unclear
            return
        }
        self = version.freshness.map { .plain($0) } ?? .unchanging
    }
}

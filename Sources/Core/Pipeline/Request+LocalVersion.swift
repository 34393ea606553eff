import DarkroomPlatform
import Synchronization

// The version of a source on this machine, which is read once for each call of the manager: before the caches are searched
// and before the source is read, so that a change meanwhile is noticed by the next call.
extension Request {
    /// Whether the source is on this machine.
    var isLocal: Bool { localVersion != nil }

    /// The version of a local source, known or read last; `nil` if none was read.
    var localRevision: String? {
        localVersion.flatMap { version in version.knownText ?? loaderMemo.withLock { $0.local?.revision } }
    }

    /// Returns whether the version of a local source is known, or was read within the interval in which that is not repeated.
    func knowsLocalVersion(at now: Date) -> Bool {
        localVersion?.knownText != nil
            || loaderMemo.withLock { $0.knowsLocal(at: now, within: context.localCheckInterval) }
    }

    /// Reads the version of a local source for a new call, unless it was read within `localCheckInterval`.
    func readLocalVersion(at now: Date) async {
        guard let version = localVersion, !knowsLocalVersion(at: now) else { return }
        await read(version, at: now)
    }

    /// Reads the version of a local source, if none was read.
    func readLocalVersionOnce(at now: @autoclosure () -> Date) async {
        guard let version = localVersion, localRevision == nil else { return }
        await read(version, at: now())
    }

    /// Reads the version of a local source on this thread, if none was read, for a caller that cannot wait.
    func readLocalVersionNow(at now: Date) {
        guard let version = localVersion, localRevision == nil else { return }
        let reading = loaderMemo.withLock { $0.beginReading() }
        let revision = version.read()
        loaderMemo.withLock { $0.endReading(reading, with: revision, at: now) }
    }

    private var localVersion: LocalVersion? { loader?.localVersion(of: url) }

    private func read(_ version: LocalVersion, at now: Date) async {
        let reading = loaderMemo.withLock { $0.beginReading() }
        let revision = await version.current()
        loaderMemo.withLock { $0.endReading(reading, with: revision, at: now) }
    }
}

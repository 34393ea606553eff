import Darkroom
import DarkroomS3
import ServerPlatform

extension S3Loader.Configuration {
    /// Reads the settings of the engine whose objects are sources; `nil` if there is none.
    ///
    /// - Throws: A `SettingsError` for an invalid value.
    static func read(_ reader: inout SettingsReader) async throws -> S3Loader.Configuration? {
        let endpoint = try await reader.text("s3.endpoint")
        let region = try await reader.text("s3.region", default: "us-east-1") ?? ""
        let usesVirtualHosts = try await reader.bool("s3.virtualHosts", default: false)
        let buckets = Set(try await reader.list("s3.buckets"))
        guard let endpoint else {
            guard buckets.isEmpty else { throw SettingsError("s3.buckets requires s3.endpoint") }
            return nil
        }
        guard !buckets.isEmpty else { throw SettingsError("s3.endpoint requires s3.buckets") }
        guard let url = URL(string: endpoint) else { throw SettingsError("s3.endpoint is no URL") }
        var engine = S3Configuration(endpoint: url, region: region, credentials: .standard)
        engine.addressing = usesVirtualHosts ? .virtualHost : .path
        var configuration = S3Loader.Configuration(engine: engine)
        configuration.buckets = buckets
        do {
            for bucket in buckets { try S3ObjectStore(bucket: bucket, configuration: engine).validate() }
            try configuration.validate()
        } catch {
            throw SettingsError("the settings of s3 are invalid: \(error.message)")
        }
        return configuration
    }
}

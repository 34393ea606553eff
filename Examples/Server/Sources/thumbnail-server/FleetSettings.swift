import Darkroom
import DarkroomFleet
import DarkroomS3
import DarkroomValkey
import ServerPlatform

/// The settings of the tier that several servers share.
struct FleetSettings {
    private let bucket: String
    private let objects: S3Configuration
    /// The engine of leases and purges; `nil` for none.
    let leases: ValkeyConfiguration?
    private let tier: SharedTier.Configuration

    /// Reads the settings; `nil` if there is no object store.
    ///
    /// - Throws: A `SettingsError` for an invalid value.
    static func read(_ reader: inout SettingsReader) async throws -> FleetSettings? {
        let endpoint = try await reader.text("fleet.endpoint")
        let bucket = try await reader.text("fleet.bucket", default: "pictures") ?? ""
        let region = try await reader.text("fleet.region", default: "us-east-1") ?? ""
        let usesVirtualHosts = try await reader.bool("fleet.virtualHosts", default: false)
        let server = try await reader.text("fleet.valkey")
        var tier = SharedTier.Configuration()
        tier.prefix = try await reader.text("fleet.prefix", default: tier.prefix) ?? ""
        tier.objectByteLimit = try await reader.int("fleet.objectBytes", default: tier.objectByteLimit)
        tier.budget = .milliseconds(try await reader.int("fleet.budgetMilliseconds", default: 500))
        let secrets = try await reader.list("fleet.secret", isSecret: true)
        guard secrets.count <= 1 else { throw SettingsError("fleet.secret must be one text without commas") }
        tier.secret = secrets.first.map { Data($0.utf8) }
        guard let endpoint else {
            guard server == nil else { throw SettingsError("fleet.valkey requires fleet.endpoint") }
            return nil
        }
        guard let url = URL(string: endpoint) else { throw SettingsError("fleet.endpoint is no URL") }
        var objects = S3Configuration(endpoint: url, region: region, credentials: .standard)
        objects.addressing = usesVirtualHosts ? .virtualHost : .path
        do {
            try S3ObjectStore(bucket: bucket, configuration: objects).validate()
            let leases = try server.map { text in
                guard let url = URL(string: text) else { throw SettingsError("fleet.valkey is no URL") }
                var engine = try ValkeyConfiguration(url: url)
                // Fleets may share an engine, as they may share a bucket.
                engine.prefix = "\(tier.prefix):"
                return engine
            }
            return FleetSettings(bucket: bucket, objects: objects, leases: leases, tier: tier)
        } catch let error as ImageError {
            throw SettingsError("the settings of the fleet are invalid: \(error.message)")
        }
    }

    /// Returns the tier. The credentials of the object store are those of the environment, the shared file, the container
    /// or the instance. `onLeaseFailure` is called with failures of the engine of leases.
    func makeTier(onLeaseFailure: @escaping @Sendable (ImageError) -> Void) -> SharedTier {
        let client = leases.map { ValkeyClient($0, onFailure: onLeaseFailure) }
        return SharedTier(
            objects: S3ObjectStore(bucket: bucket, configuration: objects),
            leases: client.map { ValkeyLeases($0) }, purges: client.map { ValkeyPurges($0) }, configuration: tier)
    }
}

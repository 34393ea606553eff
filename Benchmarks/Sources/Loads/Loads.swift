/// Measures whole loads and disk hits: `loads cold PORT`, `loads waiters`, `loads sizes FILE`, `loads disk-hits`,
/// `loads stores`.
@main
enum Loads {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "cold": try await ColdLoads(port: CommandLine.arguments[2]).measure()
        case "waiters": try await Waiters().measure()
        case "sizes": try await SeveralSizes(path: CommandLine.arguments[2]).measure()
        case "disk-hits": try await DiskHits().measure()
        case "stores": try await Stores().measure()
        default: print("usage: loads cold PORT | waiters | sizes FILE | disk-hits | stores")
        }
    }
}

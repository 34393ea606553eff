/// Measures whole loads: `loads cold PORT`, `loads waiters`, `loads sizes FILE`.
@main
enum Loads {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "cold": try await ColdLoads(port: CommandLine.arguments[2]).measure()
        case "waiters": try await Waiters().measure()
        case "sizes": try await SeveralSizes(path: CommandLine.arguments[2]).measure()
        default: print("usage: loads cold PORT | waiters | sizes FILE")
        }
    }
}

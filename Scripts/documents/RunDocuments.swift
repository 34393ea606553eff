import Foundation
import Given

/// Runs the blocks of all documents in order.
@main
enum RunDocuments {
    static func main() async {
        var failures: [String] = []
        for block in [ /* blocks */] {
            print(block.place)
            do {
                try await block.run()
            } catch {
                failures.append("\(block.place) ends in an error: \(error)")
            }
            failures += Expectations.failures(of: block.expectations)
        }
        for failure in failures { print(failure) }
        exit(failures.isEmpty ? 0 : 1)
    }
}

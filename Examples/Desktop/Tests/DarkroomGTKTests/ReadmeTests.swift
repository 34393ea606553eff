import Foundation
import Testing

struct ReadmeTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: ["first-window", "picture-grid"])
    func codeIsAProgramThatIsCompiled(name: String) throws {
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let program = try String(contentsOf: package.appending(path: "Small/\(name)/main.swift"), encoding: .utf8)
        #expect(readme.contains("```swift\n\(program)```"))
    }

    @Test func picturesExistAndAreSmall() throws {
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let paths = readme.matches(of: /\]\((docs\/[a-z]+\.webp)\)/).map { String($0.1) }
        #expect(paths.count == 5)
        for path in paths {
            let count = try Data(contentsOf: package.appending(path: path)).count
            #expect((1..<60_000).contains(count), "\(path)")
        }
    }
}

package import DarkroomCore
import DarkroomPlatform
package import DarkroomTestKit

extension TemporaryDirectory {
    /// Returns control groups with `list` in the place of `/proc/self/cgroup`, and `files` by their paths.
    package func controlGroups(_ list: String, files: [String: String]) throws -> ControlGroups {
        for (path, text) in files {
            let file = url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let groups = url.appending(path: "groups")
        try Data(list.utf8).write(to: groups)
        return ControlGroups(file: groups.path, folder: url.path)
    }
}

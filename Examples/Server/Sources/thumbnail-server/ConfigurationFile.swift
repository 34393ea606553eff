import Foundation

/// The file that `--config` names.
enum ConfigurationFile {
    /// Returns the paths of all values in `json`, such as `http.port`. Empty objects count as values.
    static func paths(of json: Data) -> [String] {
        guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else { return [] }
        var paths: [String] = []
        var rest = object.map { (path: $0.key, value: $0.value) }
        while let (path, value) = rest.popLast() {
            if let object = value as? [String: Any], !object.isEmpty {
                rest += object.map { ("\(path).\($0.key)", $0.value) }
            } else {
                paths.append(value is [String: Any] ? path + "." : path)
            }
        }
        return paths
    }
}

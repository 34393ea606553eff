import DarkroomCore
import DarkroomFiles
import DarkroomPlatform

extension FilePath {
    /// Creates the path of a `file:` URL.
    ///
    /// - Throws: An error of kind `invalidURL` if the path is relative, too long, on another machine, or contains a zero byte.
    init(_ url: URL, faults: FileFaults? = nil) throws(ImageError) {
        let host = url.host(percentEncoded: false) ?? ""
        guard host.isEmpty || host.asciiLowercased == "localhost" else {
            throw ImageError(.invalidURL, .load, "the file is on another machine: \(host)")
        }
        let bytes = [UInt8](percentDecoding: url.absoluteURL.path(percentEncoded: true))
        guard bytes.first == UInt8(ascii: "/") else {
            throw ImageError(.invalidURL, .load, "the file URL has no absolute path")
        }
        // No look-up has to deal with a path that could not be opened.
        guard bytes.count < PATH_MAX else {
            throw ImageError(.invalidURL, .load, "the path has \(bytes.count) bytes, and the limit is \(PATH_MAX - 1)")
        }
        // The system would stop reading at the zero byte and open a different file.
        guard !bytes.contains(0) else {
            throw ImageError(.invalidURL, .load, "the path of the file contains a zero byte")
        }
        self.init(bytes: bytes, faults: faults)
    }
}

import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomWebP
import FoundationEssentials
import Glibc

/// `dump-frames OUTPUT` decodes the files whose paths it reads from standard input, one per line, and prints a line for
/// each.
///
/// `ok FORMAT WIDTH HEIGHT LOOPS DURATION,DURATION,…`: OUTPUT contains the RGBA pixels of all frames in order.
/// Durations are in milliseconds. A frame that cannot be decoded has no pixels, and a hyphen instead of a duration.
/// `error KIND MESSAGE`: the file could not be decoded.
@main
struct DumpFrames {
    private static let maximumByteCount = 400 << 20

    static func main() {
        let output = URL(filePath: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "/dev/null")
        let registry = CoderRegistry([JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()])
        while let path = readLine() {
            print(result(for: path, registry: registry, output: output))
            // The parent process waits for the line.
            fflush(nil)
        }
    }

    private static func result(for path: String, registry: CoderRegistry, output: URL) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "error unread there is no such file" }
        do {
            let image = try registry.decode(data, context: ImageContext { $0.keepsProfile = true })
            let (pixels, durations) = try frames(of: image)
            try pixels.write(to: output)
            let size = "\(image.size.width) \(image.size.height)"
            return "ok \(image.info.format) \(size) \(image.info.loopCount) \(durations.joined(separator: ","))"
        } catch let error as ImageError {
            return "error \(error.kind) \(error.message)"
        } catch {
            return "error foreign \(error)"
        }
    }

    /// Returns the pixels of as many frames as fit into the limit, and their durations.
    private static func frames(of image: Image) throws -> (Data, [String]) {
        guard let animation = image.animation else { return (pixels(of: image.bitmap), ["0"]) }
        var (data, durations) = (Data(), [String]())
        var decoder = try animation.makeFrameDecoder()
        while durations.count < animation.frameCount, data.count < maximumByteCount {
            do {
                guard let frame = try decoder.nextFrame() else { break }
                data.append(pixels(of: frame.bitmap))
                durations.append("\(frame.duration / .milliseconds(1))")
            } catch {
                durations.append("-")
            }
        }
        return (data, durations)
    }

    private static func pixels(of bitmap: Bitmap) -> Data {
        bitmap.withPixels { pixels in
            unsafe pixels.withUnsafeBytes { unsafe Data($0) }
        }
    }
}

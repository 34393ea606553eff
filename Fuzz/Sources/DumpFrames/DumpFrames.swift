import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomWebP
import FoundationEssentials
import Glibc

/// `dump-frames OUTPUT` decodes the files whose paths come on its standard input, a line each, and answers a line each.
///
/// `ok FORMAT WIDTH HEIGHT LOOPS DURATION,DURATION,…`: the frames' RGBA pixels lie in OUTPUT, one after the other. The
/// durations are of milliseconds; a frame that cannot be decoded has none, and a hyphen in its place.
/// `error KIND SENTENCE`: it is not decoded.
@main
struct DumpFrames {
    private static let mostBytes = 400 << 20

    static func main() {
        let output = URL(filePath: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "/dev/null")
        let registry = CoderRegistry([JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()])
        while let path = readLine() {
            print(answer(to: path, registry, output))
            // Whoever started it waits for the line.
            fflush(nil)
        }
    }

    private static func answer(to path: String, _ registry: CoderRegistry, _ output: URL) -> String {
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

    /// As many frames as may be kept, and their durations.
    private static func frames(of image: Image) throws -> (Data, [String]) {
        guard let animation = image.animation else { return (pixels(of: image.bitmap), ["0"]) }
        var (data, durations) = (Data(), [String]())
        var decoder = try animation.makeFrameDecoder()
        while durations.count < animation.frameCount, data.count < mostBytes {
            do {
                guard let frame = try decoder.nextFrame() else { break }
                data.append(pixels(of: frame.bitmap))
                durations.append("\(frame.duration * 1000)")
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

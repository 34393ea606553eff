import Crypto
import DarkroomCore
import DarkroomFile
import DarkroomJPEG
import DarkroomPNG
import Foundation
import SmallExample

/// Loads an image from an encrypted file: AES-GCM is decrypted between the loader and the decoder.
///
///     swift run --package-path Examples decrypting-loader photo.jpg photo.sealed
@main
enum DecryptingLoader: SmallExample {
    static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return print("usage: decrypting-loader IMAGE SEALED") }
        let key = SymmetricKey(size: .bits256)
        let sealed = URL(filePath: arguments[2])
        let box = try AES.GCM.seal(Data(contentsOf: URL(filePath: arguments[1])), using: key)
        try box.combined?.write(to: sealed)

        await load(sealed, as: "without the key", with: FileLoader())
        await load(sealed, as: "with another key", with: FileLoader().decrypting(.aes(SymmetricKey(size: .bits256))))
        await load(sealed, as: "with the key", with: FileLoader().decrypting(.aes(key)))
    }

    private static func load(_ url: URL, as title: String, with loader: some ImageLoader) async {
        do {
            let manager = try ImageManager {
                $0.install(loader)
                $0.install(JPEGCoder())
                $0.install(PNGCoder())
            }
            let image = try await manager.load(url).image
            print("\(title): \(image.size) \(image.info.format)")
        } catch {
            print("\(title): \((error as? ImageError)?.message ?? "\(error)")")
        }
    }
}

extension Decryptor {
    /// Decrypts bytes that were sealed with `key`; tampered bytes are rejected.
    static func aes(_ key: SymmetricKey) -> Decryptor {
        Decryptor { data, _ in try? AES.GCM.open(AES.GCM.SealedBox(combined: data), using: key) }
    }
}

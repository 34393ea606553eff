public import Darkroom

#if AVIF
    import DarkroomAVIF
#endif
#if BMP
    import DarkroomBMP
#endif
#if HEIF
    import DarkroomHEIF
#endif
#if JPEGXL
    import DarkroomJPEGXL
#endif
#if SVG
    import DarkroomSVG
#endif
#if TIFF
    import DarkroomTIFF
#endif

/// The coders that the traits of this package add to those of Darkroom.
///
/// Install it after the standard plug-ins. HEIC is read only if that is requested: its decoders have a history of defects that
/// hostile files exploit.
public struct InstalledCoders: ImagePlugin {
    private let readsHEIC: Bool
    private let readsAllPages: Bool

    /// Creates the plug-in. Without `readsAllPages`, a file of several pages, as of a scanner, is its first one.
    public init(readsHEIC: Bool = false, readsAllPages: Bool = true) {
        self.readsHEIC = readsHEIC
        self.readsAllPages = readsAllPages
    }

    /// Registers the coders.
    public func install(in components: inout ImageManager.Components) {
        for coder in Self.coders(readsAllPages: readsAllPages) where readsHEIC || !coder.readsHEIC {
            components.coders.register(coder)
        }
    }

    /// All coders, including that of HEIC.
    public static var all: [any ImageCoder] { coders(readsAllPages: true) }

    /// The folders that the coders read, for worker processes: those in which drawings find their fonts.
    public static var readableFolders: [String] {
        #if SVG
            [
                "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
                "/var/cache/fontconfig", "/usr/share/xml/fontconfig",
            ]
        #else
            []
        #endif
    }

    private static func coders(readsAllPages: Bool) -> [any ImageCoder] {
        var coders: [any ImageCoder] = []
        // A change, without which the compiler warns if all traits are disabled.
        coders.reserveCapacity(6)
        #if AVIF
            coders.append(AVIFCoder())
        #endif
        #if BMP
            coders.append(BMPCoder())
        #endif
        #if HEIF
            coders.append(HEIFCoder())
        #endif
        #if JPEGXL
            coders.append(JPEGXLCoder())
        #endif
        #if SVG
            coders.append(SVGCoder())
        #endif
        #if TIFF
            coders.append(TIFFCoder(readsAllPages: readsAllPages))
        #endif
        return coders
    }

    /// The coders of Darkroom and of this plug-in.
    public static var registry: CoderRegistry {
        CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()] + all)
    }

    /// The formats of the coders of this plug-in.
    public static var formats: [ImageFormat] { all.flatMap(\.formats) }
}

extension ImageCoder {
    fileprivate var readsHEIC: Bool { formats.contains(.heic) }
}

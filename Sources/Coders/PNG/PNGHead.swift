/// The part of a file that libpng reads before the pixels: without the chunks that are damaged, or do not affect pixels.
struct PNGHead {
    /// The signature and chunks.
    let bytes: [UInt8]

    /// The offset from which on libpng reads the file itself.
    let bodyStart: Int
}

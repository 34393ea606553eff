/// The resolution at which JPEG files store colour beside brightness.
///
/// The raw values are the usual notation without its colons.
public enum JPEGSubsampling: String, Hashable, Sendable, CaseIterable, Codable {
    /// All of it from a quality of 0.9 up, where it is what is missing, and a quarter below.
    case automatic = "auto"

    /// All of it, 4:4:4: for graphics, text and red edges.
    case chroma444 = "444"

    /// Half of it, 4:2:2: every other column.
    case chroma422 = "422"

    /// A quarter of it, 4:2:0: every other column and row, which is rarely seen in photographs.
    case chroma420 = "420"
}

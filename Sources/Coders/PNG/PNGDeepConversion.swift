import CPNG
import DarkroomCore

/// Converts rows with 16 bits per channel for C code, which calls it back while it reads them.
@safe final class PNGDeepConversion {
    private var conversion: any RowConversion

    /// Creates the conversion of the rows for `request`; `nil` if its pixels have 8 bits or need none.
    init?(_ request: DecodeRequest) {
        guard request.info.bitsPerChannel == 16, let conversion = request.makeDeepRowConversion() else { return nil }
        self.conversion = conversion
    }

    /// The first argument of `convert`, which does not keep this object alive: whoever owns the reader does.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Converts `count` pixels with the conversion whose `context` is given. C code calls it back while the object that
    /// owns its reader also holds the conversion.
    static func convert(
        _ context: UnsafeMutableRawPointer?, _ deep: UnsafePointer<UInt16>?, _ rgba: UnsafeMutablePointer<UInt8>?,
        count: Int
    ) {
        guard let context = unsafe context, let deep = unsafe deep, let rgba = unsafe rgba else { return }
        // It is `context` of an object that is alive, as the comment of this function demands.
        let object = unsafe Unmanaged<PNGDeepConversion>.fromOpaque(context).takeUnretainedValue()
        var pixels = unsafe MutableSpan(_unsafeStart: rgba, count: 4 * count)
        object.conversion.convert(unsafe Span(_unsafeStart: deep, count: 4 * count), to: &pixels)
    }
}

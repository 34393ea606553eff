import DarkroomCore

/// Repeats the same frame forever, and cancels with the frame numbered `last`.
struct CancellingFrames: FrameDecoder {
    let bitmap: Bitmap
    let flag: CancellationFlag
    var last: Int

    mutating func nextFrame() -> Frame? {
        if last == 0 { flag.set() }
        last -= 1
        return Frame(bitmap, duration: .seconds(1))
    }
}

import DarkroomCore

/// Plays the same frame for ever, and has somebody leave with the frame numbered `last`.
struct CancellingFrames: FrameDecoder {
    let bitmap: Bitmap
    let flag: CancellationFlag
    var last: Int

    mutating func nextFrame() -> Frame? {
        if last == 0 { flag.set() }
        last -= 1
        return Frame(bitmap, duration: 1)
    }
}

import DarkroomTargets

/// Fades a picture in by the frame clock of its widget.
@MainActor
struct FrameClockFade: ImageTransition {
    let duration: Duration

    @MainActor func run(to content: SlotContent, in slot: String, on target: any ImageTarget, show: () -> Void) async {
        guard let picture = target as? RemotePicture else { return show() }
        picture.prepareFade()
        show()
        await picture.waitForFade()
    }
}

/// Shows the progress of loads in the bar of a picture.
@MainActor
struct PictureIndicator: LoadIndicator {
    func start(on target: any ImageTarget, slot: String) {
        let picture = target as? RemotePicture
        picture?.setBusy(true)
        picture?.showProgress(0)
    }

    func update(_ fraction: Double, on target: any ImageTarget, slot: String) {
        (target as? RemotePicture)?.showProgress(fraction)
    }

    func stop(on target: any ImageTarget, slot: String) {
        let picture = target as? RemotePicture
        picture?.setBusy(false)
        picture?.showProgress(nil)
    }
}

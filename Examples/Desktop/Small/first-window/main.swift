import CGTK
import Darkroom
import DarkroomGTK
import Foundation

gtk_init()
let manager = try ImageManager.standard()
let picture = RemotePicture(manager, settings: PictureSettings { $0.size = (180, 120) })
picture.load(URL(string: "https://example.com/photo.jpg"))
let window = gtk_window_new()!
gtk_window_set_child(window.cast(), picture.widget)
gtk_window_present(window.cast())
MainActorLoop.runUntilWindowsClose()

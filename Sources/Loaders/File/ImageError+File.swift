import DarkroomCore
import DarkroomFiles
import DarkroomPlatform

extension ImageError {
    /// Creates the error of a load of `path` from `error`.
    init(_ error: SystemError, of path: FilePath) {
        switch error.code {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
            self.init(.invalidURL, .load, "there is no file at \(path.text)")
        case EACCES, EPERM:
            self.init(.refused, .load, "there is no permission to read \(path.text)")
        case EMFILE, ENFILE:
            self.init(.busy, .load, "\(path.text) cannot be opened now: \(error)")
        default:
            self.init(.refused, .load, "\(path.text) cannot be read: \(error)")
        }
    }
}

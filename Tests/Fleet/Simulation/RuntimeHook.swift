#if os(Linux) || os(macOS)
    import DarkroomPlatform

    /// The hook of the Swift runtime that receives the jobs of the global executor.
    enum RuntimeHook {
        /// A function of the runtime's calling convention, which for two pointers is that of C.
        private typealias Hook = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> Void

        /// The executor of jobs that are bound to no actor.
        static var genericExecutor: UnownedSerialExecutor {
            // The runtime represents it by null in both words.
            unsafe unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
        }

        /// Passes all jobs to the running simulation from now on. Sleeps in real time end the process: a simulation must
        /// have none.
        ///
        /// - Throws: `MissingHook` if the runtime has other hooks.
        static func install() throws {
            // An unowned job is the pointer to it.
            let hook: Hook = { job, _ in unsafe VirtualRuntime.enqueue(unsafeBitCast(job, to: UnownedJob.self)) }
            // The runtime calls it, and cannot be given an error.
            let trap: @convention(c) () -> Void = { fatalError("a simulated task sleeps in real time") }
            // The runtime's variables have the types of its own functions, which Swift cannot name.
            unsafe try set("swift_task_enqueueGlobal_hook", unsafeBitCast(hook, to: UnsafeRawPointer.self))
            unsafe try set("swift_task_enqueueGlobalWithDelay_hook", unsafeBitCast(trap, to: UnsafeRawPointer.self))
            unsafe try set("swift_task_enqueueGlobalWithDeadline_hook", unsafeBitCast(trap, to: UnsafeRawPointer.self))
        }

        static func remove() throws {
            for suffix in ["", "WithDelay", "WithDeadline"] {
                unsafe try set("swift_task_enqueueGlobal\(suffix)_hook", nil)
            }
        }

        /// A hook that this version of the Swift runtime does not have.
        struct MissingHook: Error {
            let name: String
        }

        private static func set(_ name: String, _ hook: UnsafeRawPointer?) throws {
            guard let place = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), name) else {
                throw MissingHook(name: name)
            }
            unsafe place.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee = hook
        }
    }
#endif

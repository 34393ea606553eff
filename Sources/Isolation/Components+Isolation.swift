public import DarkroomCore

extension ImageManager.Components {
    /// Makes the coders work in the processes of `pool`: those that are registered, and those that are registered later.
    ///
    /// The workers must have the same coders: pass the function that configures these components to
    /// ``WorkerProcess/runIfStarted(_:)``. A manager with a coder that the workers lack cannot be created, and nothing is ever
    /// decoded in this process instead. Animations are encoded in this process, from frames that workers have decoded.
    ///
    /// Each worker counts with 8 MiB in the memory budget that the components have by then.
    public mutating func isolateCoders(in pool: WorkerPool) {
        coders.isolate(in: pool)
        memoryBudget.add(pool.memory)
    }
}

extension CoderRegistry {
    /// Makes the coders work in the processes of `pool`, like ``DarkroomCore/ImageManager/Components/isolateCoders(in:)``.
    public mutating func isolate(in pool: WorkerPool) {
        #if os(Linux)
            host = IsolatingHost(pool: pool)
        #endif
    }
}

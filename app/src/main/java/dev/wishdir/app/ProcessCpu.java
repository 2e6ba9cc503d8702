package dev.wishdir.app;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a process of this machine uses of its cores. */
final class ProcessCpu {
    private final ProcessHandle process;
    private long at;
    private Optional<Duration> used;

    private ProcessCpu(ProcessHandle process) {
        this.process = process;
        at = System.nanoTime();
        used = process.info().totalCpuDuration();
    }

    /** Of this process. */
    static ProcessCpu own() {
        return new ProcessCpu(ProcessHandle.current());
    }

    /** Of a process by its number; empty where there is none. */
    static Optional<ProcessCpu> of(long pid) {
        return ProcessHandle.of(pid).map(ProcessCpu::new);
    }

    /** Which process takes in what is sent to an address; empty where it is not seen here. */
    static Optional<Machine.Owner> listening(Machine machine, InetSocketAddress server) {
        boolean here =
                server.getAddress().isLoopbackAddress()
                        || machine.addresses().contains(server.getAddress());
        return here
                ? OpenPort.listening(machine, server).flatMap(port -> machine.owner(port.inode()))
                : Optional.empty();
    }

    /**
     * Its share of one core since this was asked last, or since the beginning, percent; empty where
     * it has ended or may not be seen.
     */
    OptionalDouble percent() {
        long now = System.nanoTime();
        Optional<Duration> total = process.info().totalCpuDuration();
        OptionalDouble percent =
                used.isPresent() && total.isPresent() && now > at
                        ? OptionalDouble.of(
                                100.0 * total.get().minus(used.get()).toNanos() / (now - at))
                        : OptionalDouble.empty();
        at = now;
        used = total;
        return percent;
    }
}

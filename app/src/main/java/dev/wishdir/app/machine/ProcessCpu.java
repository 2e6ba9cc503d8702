package dev.wishdir.app.machine;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** Measures the CPU time of a process of this machine. */
public final class ProcessCpu {
    private final ProcessHandle process;
    private long measuredAt;
    private Optional<Duration> used;

    private ProcessCpu(ProcessHandle process) {
        this.process = process;
        measuredAt = System.nanoTime();
        used = process.info().totalCpuDuration();
    }

    /** The CPU time of this process. */
    public static ProcessCpu own() {
        return new ProcessCpu(ProcessHandle.current());
    }

    /** The CPU time of a process by its id; empty if there is none. */
    public static Optional<ProcessCpu> of(long pid) {
        return ProcessHandle.of(pid).map(ProcessCpu::new);
    }

    /** The process that receives what is sent to an address; empty if it is not visible. */
    public static Optional<Machine.Owner> listening(Machine machine, InetSocketAddress server) {
        boolean here =
                server.getAddress().isLoopbackAddress()
                        || machine.addresses().contains(server.getAddress());
        return here
                ? OpenPort.listening(machine, server).flatMap(port -> machine.owner(port.inode()))
                : Optional.empty();
    }

    /**
     * CPU time since the last call, or since the start, in percent of one core; empty if the
     * process has ended or is not visible.
     */
    public OptionalDouble percent() {
        long now = System.nanoTime();
        Optional<Duration> total = process.info().totalCpuDuration();
        OptionalDouble percent =
                used.isPresent() && total.isPresent() && now > measuredAt
                        ? OptionalDouble.of(
                                100.0
                                        * total.get().minus(used.get()).toNanos()
                                        / (now - measuredAt))
                        : OptionalDouble.empty();
        measuredAt = now;
        used = total;
        return percent;
    }
}

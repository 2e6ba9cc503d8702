package dev.wishdir.app;

import dev.wishdir.net.PortException;

import java.io.IOException;

/** The text about a port that can't be opened: which process has it, and what to do. */
final class PortProblem {
    private PortProblem() {}

    /**
     * The failure of a start as the operator reads it.
     *
     * @param option that names the port
     */
    static String text(Machine machine, IOException failure, String option) {
        String message = String.valueOf(failure.getMessage());
        PortException port =
                failure instanceof PortException it
                        ? it
                        : failure.getCause() instanceof PortException it ? it : null;
        if (port == null) {
            return message;
        }
        return port.isInUse()
                ? message + owner(machine, port) + "; end it, or name another port with " + option
                : message + "; name another address or port with " + option;
    }

    private static String owner(Machine machine, PortException port) {
        return OpenPort.find(machine, port.isTcp(), port.address().getPort())
                .map(open ->
                        " by "
                                + machine.owner(open.inode())
                                        .map(Machine.Owner::toString)
                                        .orElse("a process of user " + open.user()))
                .orElse(" by a process that can't be seen");
    }
}

package dev.wishdir.app.machine;

import dev.wishdir.net.PortException;

import java.io.IOException;

/** Makes the message about a port that cannot be opened: the process that uses it, and advice. */
public final class PortProblem {
    private PortProblem() {}

    /**
     * The message for the operator.
     *
     * @param option the option that sets the port
     */
    public static String text(Machine machine, IOException failure, String option) {
        String message = String.valueOf(failure.getMessage());
        PortException port =
                failure instanceof PortException it
                        ? it
                        : failure.getCause() instanceof PortException it ? it : null;
        if (port == null) {
            return message;
        }
        return port.isInUse()
                ? message + owner(machine, port) + "; stop it, or set another port with " + option
                : message + "; set another address or port with " + option;
    }

    private static String owner(Machine machine, PortException port) {
        return OpenPort.find(machine, port.isTcp(), port.address().getPort())
                .map(open ->
                        " by "
                                + machine.owner(open.inode())
                                        .map(Machine.Owner::toString)
                                        .orElse("a process of user " + open.user()))
                .orElse(" by a process that is not visible");
    }
}

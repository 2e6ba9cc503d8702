package dev.wishdir.cluster;

import java.io.Serial;

/** A message that is not accepted. Without a stack trace, as there may be many. */
final class NodeFaultException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    private final NodeFault fault;

    NodeFaultException(NodeFault fault) {
        super(fault.toString(), null, false, false);
        this.fault = fault;
    }

    NodeFault fault() {
        return fault;
    }
}

package dev.wishdir.cluster.message;

import java.io.Serial;

/** A message that is not accepted. Without a stack trace, as there may be many. */
public final class NodeFaultException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    private final NodeFault fault;
    private final String text;

    public NodeFaultException(NodeFault fault) {
        this(fault, fault.text());
    }

    /**
     * @param text for people, as {@link NodeFault#text}
     */
    NodeFaultException(NodeFault fault, String text) {
        super(text, null, false, false);
        this.fault = fault;
        this.text = text;
    }

    public NodeFault fault() {
        return fault;
    }

    public String text() {
        return text;
    }
}

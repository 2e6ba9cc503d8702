package dev.wishdir.inspect.link;

/** Reason for which a packet has no datagram. */
public enum SkipReason {
    /** Neither IPv4 nor IPv6. */
    NOT_IP("not IP"),
    /** IP with another protocol than UDP. */
    NOT_UDP("not UDP"),
    /** The capture has only the packet's beginning. */
    CUT("cut short by the capture"),
    /** The lengths in the headers contradict each other. */
    MALFORMED("malformed"),
    /** An IP packet with overlapping fragments. */
    OVERLAPPING("overlapping fragments"),
    /** An IP packet with missing fragments. */
    UNFINISHED("missing fragments"),
    /** A link type or a tunnel that is not decoded. */
    UNSUPPORTED("of an unsupported link type or in a tunnel (convert: tshark -r IN -U IP -w OUT)"),
    /** More nested headers than any regular packet has. */
    NESTED("nested too deeply");

    private final String label;

    SkipReason(String label) {
        this.label = label;
    }

    /** The reason in words. */
    public String label() {
        return label;
    }
}

package dev.wishdir.app;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The one message that a server has not answered for a while; trying goes on. */
final class SilenceNotice {
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final String server;
    private final long due;
    private boolean over;

    /**
     * @param server its address, for the text
     * @param now when the first client starts, nanoseconds
     */
    SilenceNotice(String server, long now) {
        this.server = server;
        due = now + SILENCE_NANOS;
    }

    /**
     * The message, once, if it is due.
     *
     * @param answers how many datagrams have come from the server
     */
    Optional<String> at(long now, long answers) {
        if (over || answers == 0 && now - due < 0) {
            return Optional.empty();
        }
        over = true;
        return answers > 0
                ? Optional.empty()
                : Optional.of(
                        "nothing answers at "
                                + server
                                + " yet: is a server of this game running there, and is this its"
                                + " UDP port? Trying on; Ctrl-C ends it.");
    }
}

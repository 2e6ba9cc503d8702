package dev.wishdir.app.bot;

import dev.wishdir.app.command.JoinLimits;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A single message that a server does not answer yet, while the attempts continue. */
final class SilenceNotice {
    static final long NOTICE_DELAY_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final String server;
    private final long due;
    private boolean done;

    /**
     * @param server the server's address, for the text
     * @param now the time when the first client starts, in nanoseconds
     */
    SilenceNotice(String server, long now) {
        this.server = server;
        due = now + NOTICE_DELAY_NANOS;
    }

    /**
     * Returns the message once when it is due.
     *
     * @param answers number of datagrams received from the server
     */
    Optional<String> poll(long now, long answers) {
        if (done || answers == 0 && now - due < 0) {
            return Optional.empty();
        }
        done = true;
        return answers > 0
                ? Optional.empty()
                : Optional.of(
                        server
                                + " does not answer yet: check that a server of this game runs"
                                + " there and that this is its UDP port. Trying for "
                                + JoinLimits.TIMEOUT_SECONDS
                                + " s in all; press Ctrl-C to stop.");
    }
}

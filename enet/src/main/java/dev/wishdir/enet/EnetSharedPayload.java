package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;

/**
 * A message that is long and the same for many peers, a file: it is encoded once, and all who are
 * being sent it share its bytes. Used only by the host's thread.
 */
public final class EnetSharedPayload {
    private final Bytes message;
    private int receivers;

    /**
     * @param message as {@link EnetPeer#send} takes it, at most 32 MiB
     */
    public EnetSharedPayload(Bytes message) {
        this.message = message;
    }

    Bytes message() {
        return message;
    }

    void begun() {
        receivers++;
    }

    void done() {
        receivers--;
    }

    /** What each of those who are being sent it holds of it: all shares make up the file. */
    long share() {
        return receivers == 0 ? 0 : message.length() / receivers;
    }
}

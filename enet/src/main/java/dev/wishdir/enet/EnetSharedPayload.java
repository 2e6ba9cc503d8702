package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;

/**
 * A long message for many peers, such as a file: encoded once, with its bytes shared by all
 * receivers. Used only by the host's thread.
 */
public final class EnetSharedPayload {
    private final Bytes message;
    private int receivers;

    /**
     * @param message at most 32 MiB
     */
    public EnetSharedPayload(Bytes message) {
        this.message = message;
    }

    Bytes message() {
        return message;
    }

    void addReceiver() {
        receivers++;
    }

    void removeReceiver() {
        receivers--;
    }

    /**
     * The part of the file's heap that counts for each receiver, bytes; all parts add up to the
     * file.
     */
    long share() {
        return receivers == 0 ? 0 : message.length() / receivers;
    }
}

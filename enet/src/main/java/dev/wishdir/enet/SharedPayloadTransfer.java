package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;

import org.jspecify.annotations.Nullable;

/** Transfer of a shared file to one peer; its fragments are made when they are sent. */
final class SharedPayloadTransfer {
    private final EnetSharedPayload file;
    private final int channel;
    private final int start;
    private final int fragmentLength;
    private final int count;
    private @Nullable OutgoingCommand next;
    private int sent;
    private int acknowledged;

    /**
     * @param start sequence number of the first fragment; the others follow
     * @param fragmentLength length of a fragment, bytes
     */
    SharedPayloadTransfer(EnetSharedPayload file, int channel, int start, int fragmentLength) {
        this.file = file;
        this.channel = channel;
        this.start = start;
        this.fragmentLength = fragmentLength;
        count = (file.message().length() + fragmentLength - 1) / fragmentLength;
        file.addReceiver();
    }

    /** The next fragment to send; null if all are sent. */
    @Nullable OutgoingCommand next() {
        if (next == null && sent < count) {
            int offset = sent * fragmentLength;
            int total = file.message().length();
            next =
                    new OutgoingCommand(
                            new SendFragment(
                                    EnetCommand.ACKNOWLEDGE,
                                    channel,
                                    start + sent & 0xFFFF,
                                    new Fragment(
                                            start,
                                            count,
                                            sent,
                                            total,
                                            offset,
                                            file.message()
                                                    .slice(
                                                            offset,
                                                            Math.min(
                                                                    fragmentLength,
                                                                    total - offset)))),
                            Long.MAX_VALUE,
                            true);
        }
        return next;
    }

    /** Records the transmission of {@link #next}. */
    void onSent() {
        next = null;
        sent++;
    }

    /** Records the acknowledgement of a fragment; returns whether it was the last. */
    boolean onAcknowledged() {
        return ++acknowledged == count;
    }

    /** Ends the transfer. */
    void end() {
        file.removeReceiver();
    }

    /** This peer's share of the file, bytes. */
    long retainedBytes() {
        return file.share();
    }
}

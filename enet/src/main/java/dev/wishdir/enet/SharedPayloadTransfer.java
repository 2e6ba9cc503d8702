package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;

import org.jspecify.annotations.Nullable;

/** A file on its way to one peer: its fragments are cut when they are sent. */
final class SharedPayloadTransfer {
    private final EnetSharedPayload file;
    private final int channel;
    private final int start;
    private final int piece;
    private final int count;
    private @Nullable OutgoingCommand next;
    private int left;
    private int arrived;

    /**
     * @param start the sequence number of the first fragment; those of the others follow
     * @param piece the bytes of a fragment
     */
    SharedPayloadTransfer(EnetSharedPayload file, int channel, int start, int piece) {
        this.file = file;
        this.channel = channel;
        this.start = start;
        this.piece = piece;
        count = (file.message().length() + piece - 1) / piece;
        file.begun();
    }

    /** The next fragment to leave; null if all have left. */
    @Nullable OutgoingCommand next() {
        if (next == null && left < count) {
            int offset = left * piece;
            int total = file.message().length();
            next =
                    new OutgoingCommand(
                            new SendFragment(
                                    EnetCommand.ACKNOWLEDGE,
                                    channel,
                                    start + left & 0xFFFF,
                                    new Fragment(
                                            start,
                                            count,
                                            left,
                                            total,
                                            offset,
                                            file.message()
                                                    .slice(
                                                            offset,
                                                            Math.min(piece, total - offset)))),
                            Long.MAX_VALUE,
                            true);
        }
        return next;
    }

    /** The next fragment has left. */
    void leave() {
        next = null;
        left++;
    }

    /** A fragment has arrived; returns whether that was the last. */
    boolean arrive() {
        return ++arrived == count;
    }

    /** The peer is being sent it no longer. */
    void end() {
        file.done();
    }

    /** This peer's share of the file, bytes. */
    long retainedBytes() {
        return file.share();
    }
}

package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A client's newest command and the two before it, as a replacement for lost packets.
 *
 * <p>See docs/protocols/quake2.md, 4.1.
 *
 * @param checksum over everything after it and the packet's sequence number
 * @param lastFrame newest frame that the client can use as a base; -1 for none
 */
public record Move(
        int checksum,
        int lastFrame,
        UserCmd.Delta oldest,
        UserCmd.Delta previous,
        UserCmd.Delta newest)
        implements ClientMessage {
    /** To read into. */
    public static final Move BLANK =
            new Move(0, 0, UserCmd.Delta.ZERO, UserCmd.Delta.ZERO, UserCmd.Delta.ZERO);

    /**
     * A move with the shortest deltas; the checksum is set later, when the sequence number is
     * known.
     */
    public static Move of(int lastFrame, UserCmd oldest, UserCmd previous, UserCmd newest) {
        return new Move(
                0,
                lastFrame,
                UserCmd.Delta.between(UserCmd.ZERO, oldest),
                UserCmd.Delta.between(oldest, previous),
                UserCmd.Delta.between(previous, newest));
    }

    /** This move with changed commands; the checksum is set later. */
    public Move with(UnaryOperator<UserCmd> change) {
        return of(
                lastFrame,
                change.apply(oldest.cmd()),
                change.apply(previous.cmd()),
                change.apply(newest.cmd()));
    }

    /** Walks the message. */
    public static Move wire(Wire w, Move m) {
        int checksum = w.u8("checksum", m.checksum);
        int lastFrame = w.i32le("lastframe", m.lastFrame);
        w.pushScope("oldest");
        UserCmd.Delta oldest = UserCmd.Delta.wire(w, m.oldest, UserCmd.ZERO);
        w.popScope();
        w.pushScope("previous");
        UserCmd.Delta previous = UserCmd.Delta.wire(w, m.previous, oldest.cmd());
        w.popScope();
        w.pushScope("newest");
        UserCmd.Delta newest = UserCmd.Delta.wire(w, m.newest, previous.cmd());
        w.popScope();
        return new Move(checksum, lastFrame, oldest, previous, newest);
    }

    @Override
    public String label() {
        return "move";
    }

    @Override
    public Map<String, ?> fields() {
        return FieldCodecs.of(
                "checksum", checksum,
                "lastframe", lastFrame,
                "cmds", List.of(oldest.fields(), previous.fields(), newest.fields()));
    }
}

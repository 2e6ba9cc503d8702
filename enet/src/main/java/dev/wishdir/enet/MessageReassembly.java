package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.wire.Bytes;

import java.util.HashMap;
import java.util.Map;

/**
 * A message that is being put together from fragments, or a whole one that waits for its turn. Only
 * what has come takes memory, never what a fragment claims is to come.
 *
 * <p>Senders cut a message into pieces of one length, the last one shorter, so a piece's number
 * fixes its place: pieces that would overlap or leave a gap are refused.
 */
final class MessageReassembly {
    /** The heap of a message that pieces are missing of: its map, a place in another. */
    static final int BASE = 216;

    /** That of a piece besides its bytes: an entry with its number, and the bytes' array. */
    static final int PIECE = 96;

    /** That of a whole message that waits, besides its bytes. */
    static final int WHOLE = 160;

    /** That of an unreliable message that waits for a reliable one, besides its bytes. */
    static final int EARLY = 232;

    private final int count;
    private final int total;
    private final int piece;
    private final Map<Integer, Bytes> pieces;
    private int held;
    private int firstMissing;

    private MessageReassembly(int count, int total, int piece, Map<Integer, Bytes> pieces) {
        this.count = count;
        this.total = total;
        this.piece = piece;
        this.pieces = pieces;
    }

    /** The heap of bytes with all that is around them. */
    static int heap(int kind, Bytes bytes) {
        return kind + (bytes.length() + 7 & ~7);
    }

    /** A message that came in one piece. */
    static MessageReassembly whole(Bytes payload) {
        MessageReassembly whole =
                new MessageReassembly(1, payload.length(), payload.length(), Map.of(0, payload));
        whole.held = heap(WHOLE, payload);
        return whole;
    }

    /** An empty assembly for the message that a fragment belongs to. */
    static MessageReassembly of(Fragment fragment) {
        MessageReassembly empty =
                new MessageReassembly(
                        fragment.count(), fragment.total(), pieceLength(fragment), new HashMap<>());
        empty.held = BASE;
        return empty;
    }

    /** The length of all pieces but the last that this one implies; -1 if it fits no cut. */
    private static int pieceLength(Fragment f) {
        int length = f.payload().length();
        int last = f.count() - 1;
        if (f.num() < last) {
            return f.offset() == (long) f.num() * length
                            && (long) last * length < f.total()
                            && (long) f.count() * length >= f.total()
                    ? length
                    : -1;
        }
        if (f.offset() + length != f.total()) {
            return -1;
        }
        if (last == 0) {
            return f.total();
        }
        int piece = f.offset() / last;
        return f.offset() == (long) piece * last && length <= piece ? piece : -1;
    }

    /** Whether a fragment belongs to this message: same count, total and cut. */
    boolean accepts(Fragment f) {
        return piece >= 0 && f.count() == count && f.total() == total && pieceLength(f) == piece;
    }

    boolean has(int num) {
        return pieces.containsKey(num);
    }

    void add(Fragment fragment) {
        pieces.put(fragment.num(), fragment.payload());
        held += heap(PIECE, fragment.payload());
    }

    boolean complete() {
        return pieces.size() == count;
    }

    /** How many sequence numbers the message takes. */
    int count() {
        return count;
    }

    /** The number of the first piece that has not come. */
    int firstMissing() {
        while (pieces.containsKey(firstMissing)) {
            firstMissing++;
        }
        return firstMissing;
    }

    /** The heap that it takes, bytes. */
    int retainedBytes() {
        return held;
    }

    /** The message, once {@link #complete}. */
    Bytes message() {
        if (count == 1) {
            return pieces.getOrDefault(0, Bytes.EMPTY);
        }
        byte[] message = new byte[total];
        pieces.forEach((num, bytes) -> bytes.copyTo(message, num * piece));
        return Bytes.wrap(message);
    }
}

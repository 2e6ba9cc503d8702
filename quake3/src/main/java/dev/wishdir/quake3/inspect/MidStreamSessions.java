package dev.wishdir.quake3.inspect;

import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Flow;

import java.util.Map;
import java.util.OptionalInt;

/**
 * What packets show of sessions whose beginning was not seen: that it is a modern one, and with
 * what challenge. Nothing in the packets of legacy protocols shows theirs.
 */
final class MidStreamSessions {
    private record Guess(int challenge, int sequence) {}

    private final Map<Flow, Guess> guesses;

    /**
     * @param most sessions that are guessed at
     */
    MidStreamSessions(int most) {
        guesses = new EvictingMap<>(most);
    }

    /** The challenge of a packet's session, once two packets agree on it. */
    OptionalInt challenge(Flow flow, byte[] packet, Side from) {
        NetchanHeader header;
        try {
            header = NetchanHeader.wire(new Reader(packet), NetchanHeader.BLANK, from, true);
        } catch (MalformedPacketException _) {
            return OptionalInt.empty();
        }
        Guess guess = guesses.get(flow);
        if (guess != null
                && guess.sequence != header.sequence()
                && NetchanHeader.isModern(packet, from, guess.challenge)) {
            return OptionalInt.of(guess.challenge);
        }
        NetchanHeader.challenge(header.checksum(), header.sequence())
                .ifPresent(challenge -> {
                    // Nought would fit whatever begins with noughts.
                    if (challenge != 0) {
                        guesses.put(flow, new Guess(challenge, header.sequence()));
                    }
                });
        return OptionalInt.empty();
    }
}

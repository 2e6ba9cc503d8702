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
 * Finds the challenge of modern sessions whose beginning was not captured. Packets of legacy
 * protocols do not contain theirs.
 */
final class MidStreamSessions {
    private record Guess(int challenge, int sequence) {}

    private final Map<Flow, Guess> guesses;

    /**
     * @param maxSessions maximum number of sessions
     */
    MidStreamSessions(int maxSessions) {
        guesses = new EvictingMap<>(maxSessions);
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
                    // 0 would match any packet that begins with zeros.
                    if (challenge != 0) {
                        guesses.put(flow, new Guess(challenge, header.sequence()));
                    }
                });
        return OptionalInt.empty();
    }
}

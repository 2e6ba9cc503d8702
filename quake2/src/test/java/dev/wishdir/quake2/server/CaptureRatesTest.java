package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.netchan.CommandTokenizer;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Honest players of the captures stay far below the arena's rate limits. */
class CaptureRatesTest {
    @Test
    void allowsWhatCapturedClientsDo() {
        Map<RateLimitedAction, Integer> most = new EnumMap<>(RateLimitedAction.class);
        for (String capture : Quake2Captures.NAMES) {
            Map<Integer, Map<RateLimitedAction, Integer>> clients = new HashMap<>();
            Map<Integer, String> names = new HashMap<>();
            for (Datagram datagram : Quake2Captures.FILES.datagrams(capture)) {
                int port = datagram.source().getPort();
                byte[] data = datagram.payload().toArray();
                if (Quake2Captures.isServer(port) || OutOfBand.is(data)) {
                    continue;
                }
                Reader r = new Reader(data);
                NetchanHeader.wire(r, NetchanHeader.FROM_CLIENT);
                while (r.remaining() > 0) {
                    action(Quake2Codec.readClient(r), port, names)
                            .ifPresent(action ->
                                    clients.computeIfAbsent(
                                                    port,
                                                    _ -> new EnumMap<>(RateLimitedAction.class))
                                            .merge(action, 1, Integer::sum));
                }
            }
            clients.values()
                    .forEach(did -> did.forEach((action, n) -> most.merge(action, n, Math::max)));
        }
        // Of a whole session, which lasts from five seconds to a minute.
        assertThat(most)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                RateLimitedAction.CHAT,
                                3,
                                RateLimitedAction.CHANGE,
                                1,
                                RateLimitedAction.LIFE,
                                1));
        most.forEach((action, n) ->
                assertThat(n * 2.0).as("%s", action).isLessThanOrEqualTo(action.burst()));
    }

    private static Optional<RateLimitedAction> action(
            ClientMessage message, int port, Map<Integer, String> names) {
        if (message instanceof ClientMessage.UserInfo info) {
            String name = InfoString.parse(info.text().value()).orElseThrow().get("name");
            String before = names.put(port, name);
            return before == null || before.equals(name)
                    ? Optional.empty()
                    : Optional.of(RateLimitedAction.CHANGE);
        }
        if (message instanceof ClientMessage.StringCmd command) {
            List<String> words = CommandTokenizer.of(command.text().value());
            return switch (words.isEmpty() ? "" : words.getFirst()) {
                case "say", "say_team" -> Optional.of(RateLimitedAction.CHAT);
                case "kill" -> Optional.of(RateLimitedAction.LIFE);
                default -> Optional.empty();
            };
        }
        return Optional.empty();
    }
}

package dev.wishdir.quake2.server;

import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.server.chat.RconRequests;
import dev.wishdir.quake2.server.join.ConnectHandshake;
import dev.wishdir.quake2.server.join.Heartbeat;
import dev.wishdir.quake2.server.join.ServerQueries;
import dev.wishdir.quake2.server.session.Quake2Counters;

import java.net.InetSocketAddress;
import java.util.List;

/** Hands packets out of band to the handler of their command. */
final class OutOfBandHandler {
    private final ConnectHandshake handshake;
    private final ServerQueries queries;
    private final RconRequests rcon;
    private final Heartbeat heartbeat;
    private final Quake2Counters counters;

    OutOfBandHandler(
            ConnectHandshake handshake,
            ServerQueries queries,
            RconRequests rcon,
            Heartbeat heartbeat,
            Quake2Counters counters) {
        this.handshake = handshake;
        this.queries = queries;
        this.rcon = rcon;
        this.heartbeat = heartbeat;
        this.counters = counters;
    }

    void receive(long now, InetSocketAddress from, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "getchallenge" -> handshake.challenge(now, from);
            case "connect" -> handshake.connect(now, from, words);
            case "info" -> queries.info(now, from, words);
            case "status" -> queries.status(now, from);
            case "ping" -> queries.ping(now, from);
            case "rcon" -> rcon.receive(now, from, packet);
            case "ack" -> {
                if (!heartbeat.onAcknowledged(from)) {
                    counters.count("drop.command");
                }
            }
            default -> counters.count("drop.command");
        }
    }
}

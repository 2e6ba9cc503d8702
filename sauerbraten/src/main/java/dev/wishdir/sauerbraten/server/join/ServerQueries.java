package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.sauerbraten.message.CubeWire;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.match.SauerbratenMaps;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.MatchClock;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Answers the server browser on the port above the game's. No client there has proved its address,
 * so all answers are paid from the amplification limit. Addresses of players are never sent.
 */
public final class ServerQueries implements DatagramHandler {
    private static final int FIRST_ORDINARY_PORT = 1024;
    private static final int MAX_REQUEST_BYTES = 32;

    /** The first four bytes of Quake's queries, which a browser of this game never sends. */
    private static final int OUT_OF_BAND = -1;

    private static final int MAX_ANSWER_BYTES = 1400;
    private static final int EXTENDED = 0;
    private static final int UPTIME = 0;
    private static final int PLAYERS = 1;
    private static final int TEAMS = 2;
    private static final List<TeamScore> NO_TEAMS = List.of();
    private static final int NO_BASES = -1;
    private static final int ACK = -1;
    private static final int VERSION = 105;
    private static final int PLAYER_IDS = -10;
    private static final int PLAYER_STATS = -11;
    private static final int ALL = -1;
    private static final int NO_ERROR = 0;
    private static final int ERROR = 1;
    private static final int PASSWORD_MODE = 4;
    private static final int ATTRIBUTES = 5;
    private static final int ATTRIBUTES_CHANGED = 7;

    /**
     * Description of the server in the answers.
     *
     * @param text as the browser lists it
     * @param startedAt nanoseconds
     */
    public record ServerDescription(
            String text, BooleanSupplier requiresPassword, long startedAt) {}

    private final ServerDescription description;
    private final PlayerListing players;
    private final CurrentMatch match;
    private final SauerbratenMaps maps;
    private final Privileges privileges;
    private final AmplificationLimiter limiter;
    private final Counters counters;
    private final UdpSocket socket;

    public ServerQueries(
            ServerDescription description,
            PlayerListing players,
            CurrentMatch match,
            SauerbratenMaps maps,
            Privileges privileges,
            AmplificationLimiter limiter,
            Counters counters,
            UdpSocket socket) {
        this.description = description;
        this.players = players;
        this.match = match;
        this.maps = maps;
        this.privileges = privileges;
        this.limiter = limiter;
        this.counters = counters;
        this.socket = socket;
    }

    public UdpSocket socket() {
        return socket;
    }

    @Override
    public long advance(long now) {
        return NEVER;
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (from.getPort() < FIRST_ORDINARY_PORT || isOurs(from)) {
            counters.count("sauerbraten.info.drop.source");
            return;
        }
        if (data.length > MAX_REQUEST_BYTES) {
            counters.count("sauerbraten.info.drop.oversized");
            return;
        }
        if (data.length >= 4 && ByteBuffer.wrap(data).getInt() == OUT_OF_BAND) {
            counters.count("sauerbraten.info.drop.foreign");
            return;
        }
        for (Bytes answer : answers(now, data)) {
            if (!limiter.tryAcquire(now, from.getAddress(), answer.length())) {
                counters.count("sauerbraten.info.drop.budget");
                return;
            }
            socket.send(from, answer.toArray(), 0, answer.length());
        }
    }

    /** An answer to this server, or to a service that answers anything, would loop. */
    private boolean isOurs(InetSocketAddress from) {
        return from.equals(socket.local())
                || (from.getAddress().equals(socket.local().getAddress())
                        && from.getPort() == socket.local().getPort() - 1);
    }

    private List<Bytes> answers(long now, byte[] request) {
        Reader reader = new Reader(request);
        try {
            if (request.length > 0 && CubeWire.integer(reader, "req", 0) == EXTENDED) {
                return extended(now, request, reader);
            }
        } catch (MalformedPacketException e) {
            counters.count("sauerbraten.info.drop.malformed");
            return List.of();
        }
        return List.of(basic(now, request));
    }

    private static Writer answer(byte[] request) {
        Writer answer = new Writer(MAX_ANSWER_BYTES);
        answer.append(request, 0, request.length);
        return answer;
    }

    private static void put(Writer answer, int... numbers) {
        for (int number : numbers) {
            CubeWire.integer(answer, "number", number);
        }
    }

    private Bytes basic(long now, byte[] request) {
        Writer answer = answer(request);
        boolean changed = match.isPaused() || match.speed() != MatchClock.NORMAL_SPEED_PERCENT;
        put(answer, players.count(), changed ? ATTRIBUTES_CHANGED : ATTRIBUTES);
        put(
                answer,
                SauerbratenCodec.V260.protocol(),
                match.listedMode().number(),
                match.listedSecondsLeft(now));
        put(
                answer,
                players.capacity(),
                description.requiresPassword().getAsBoolean()
                        ? PASSWORD_MODE
                        : privileges.mode().code());
        if (changed) {
            put(answer, match.isPaused() ? 1 : 0, match.speed());
        }
        CubeWire.string(answer, "map", maps.name());
        CubeWire.string(answer, "desc", description.text());
        return answer.toBytes();
    }

    private List<Bytes> extended(long now, byte[] request, Reader reader) {
        int command = CubeWire.integer(reader, "cmd", 0);
        Writer answer = answer(request);
        put(answer, ACK, VERSION);
        switch (command) {
            case UPTIME -> put(answer, (int) ((now - description.startedAt()) / 1_000_000_000));
            case PLAYERS -> {
                int cn = CubeWire.integer(reader, "cn", 0);
                return players(answer, cn);
            }
            case TEAMS -> {
                boolean hasTeams = match.listedMode().teams();
                put(
                        answer,
                        hasTeams ? 0 : 1,
                        match.listedMode().number(),
                        match.listedSecondsLeft(now));
                for (TeamScore score : hasTeams ? match.teamScores() : NO_TEAMS) {
                    CubeWire.string(answer, "team", match.board().name(score.team()));
                    put(answer, score.frags(), NO_BASES);
                }
            }
            default -> put(answer, ERROR);
        }
        return List.of(answer.toBytes());
    }

    private List<Bytes> players(Writer head, int cn) {
        List<PlayerListing.Entry> asked =
                players.entries().stream()
                        .filter(entry -> cn == ALL || cn == entry.number())
                        .toList();
        if (asked.isEmpty() && cn != ALL) {
            put(head, ERROR);
            return List.of(head.toBytes());
        }
        put(head, NO_ERROR);
        int start = head.position();
        List<Bytes> answers = new ArrayList<>();
        put(head, PLAYER_IDS);
        asked.forEach(entry -> put(head, entry.number()));
        answers.add(head.toBytes());
        for (PlayerListing.Entry entry : asked) {
            head.truncate(start);
            answers.add(stats(head, entry));
        }
        return answers;
    }

    private static Bytes stats(Writer head, PlayerListing.Entry entry) {
        PlayerAppearance appearance = entry.appearance();
        State body = appearance.body();
        put(head, PLAYER_STATS, entry.number(), entry.ping());
        CubeWire.string(head, "name", appearance.name());
        CubeWire.string(head, "team", appearance.team());
        Score score = appearance.score().orElse(Score.ZERO);
        put(head, score.frags(), appearance.flags(), score.deaths(), 0, 0);
        put(head, body.health(), body.armour(), body.gun());
        put(head, entry.privilege().code, appearance.clientState().code);
        head.u8("ip", 0);
        head.u8("ip", 0);
        head.u8("ip", 0);
        return head.toBytes();
    }
}

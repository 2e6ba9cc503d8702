package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.measured;
import static dev.wishdir.sauerbraten.message.CubeWire.named;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The info protocol: connectionless datagrams to the port after the game's (Cube 2: Sauerbraten,
 * info protocol). A request is an int other than 0, for the {@link Status}, or a 0 and an extended
 * request. An answer repeats the bytes of the request; then one of these records follows. All but
 * the status begin with {@link #ACK} and {@link #VERSION}.
 */
public sealed interface InfoMessage {
    /** Maximum size of a request, bytes; longer ones are not answered. */
    int MAX_REQUEST = 32;

    /** The first int of an extended answer. */
    int ACK = -1;

    /** The version of the extended protocol. */
    int VERSION = 105;

    /** The extended request for {@link Uptime}. */
    int UPTIME = 0;

    /** The extended request for {@link Players} and {@link Player}. */
    int PLAYERS = 1;

    /** The extended request for {@link Teams}. */
    int TEAMS = 2;

    /** The values by name, in wire order. */
    default SequencedMap<String, Object> fields() {
        return Fields.of(this);
    }

    /**
     * Reads an answer after its copy of the request.
     *
     * @throws MalformedPacketException if it does not answer this request
     */
    static InfoMessage answer(Reader r, Request request) {
        if (request.req != 0) {
            return Status.wire(r, Status.BLANK);
        }
        return switch (request.ext) {
            case UPTIME -> Uptime.wire(r, Uptime.BLANK);
            case PLAYERS ->
                    switch (response(r)) {
                        case Players.RESPONSE -> Players.wire(r, Players.BLANK);
                        case Player.RESPONSE -> Player.wire(r, Player.BLANK);
                        default -> Refused.wire(r, Refused.BLANK);
                    };
            case TEAMS -> Teams.wire(r, Teams.BLANK);
            default -> Refused.wire(r, Refused.BLANK);
        };
    }

    /** Writes a request, or an answer without its copy of the request. */
    static void write(Wire w, InfoMessage message) {
        switch (message) {
            case Request m -> Request.wire(w, m);
            case Status m -> Status.wire(w, m);
            case Uptime m -> Uptime.wire(w, m);
            case Players m -> Players.wire(w, m);
            case Player m -> Player.wire(w, m);
            case Teams m -> Teams.wire(w, m);
            case Refused m -> Refused.wire(w, m);
        }
    }

    /** Peeks at the response code of an answer about players; 0 if the request was refused. */
    private static int response(Reader r) {
        Reader ahead = new Reader(r.slice(r.position(), r.position() + r.remaining()));
        head(ahead);
        return integer(ahead, "err", 0) == 0 ? integer(ahead, "resp", 0) : 0;
    }

    /**
     * A request.
     *
     * @param req 0 for an extended one, otherwise any value by which the sender recognises the
     *     answer
     * @param ext extended request; 0 if {@code req} is not
     * @param cn player to describe, -1 for all; 0 for other requests
     * @param rest repeated in the answer, without meaning
     */
    record Request(int req, int ext, int cn, Bytes rest) implements InfoMessage {
        public static final Request BLANK = new Request(1, 0, 0, Bytes.EMPTY);

        public static Request wire(Wire w, Request m) {
            Request ints = wireInts(w, m);
            return new Request(ints.req, ints.ext, ints.cn, w.rest("rest", m.rest, 0xFFFF));
        }

        /** The walk without the rest. */
        public static Request wireInts(Wire w, Request m) {
            int req = integer(w, "req", m.req);
            int ext = req == 0 ? integer(w, "ext", m.ext) : 0;
            int cn = asksPlayers(req, ext) ? integer(w, "cn", m.cn) : 0;
            return new Request(req, ext, cn, Bytes.EMPTY);
        }

        private static boolean asksPlayers(int req, int ext) {
            return req == 0 && ext == PLAYERS;
        }

        /** Whether it requests players. */
        public boolean asksPlayers() {
            return asksPlayers(req, ext);
        }

        @Override
        public SequencedMap<String, Object> fields() {
            SequencedMap<String, Object> fields = new LinkedHashMap<>();
            fields.put("req", req);
            if (req == 0) {
                fields.put("ext", ext);
            }
            if (asksPlayers()) {
                fields.put("cn", cn);
            }
            return fields;
        }
    }

    /**
     * The state of the server.
     *
     * @param clients players and spectators, without bots
     * @param attrs protocol, mode, seconds left, maximum clients, mastermode (4 is a password); if
     *     the game is paused or not at normal speed also whether it is paused, and its speed
     */
    record Status(int clients, List<Integer> attrs, String map, String desc)
            implements InfoMessage {
        public static final Status BLANK = new Status(0, List.of(0, 0, 0, 0, 0), "", "");

        private static final int MAX_ATTRS = 64;
        private static final List<String> ATTRS =
                List.of(
                        "protocol",
                        "mode",
                        "seconds left",
                        "most clients",
                        "mastermode",
                        "paused",
                        "speed");

        public Status {
            attrs = List.copyOf(attrs);
        }

        public static Status wire(Wire w, Status m) {
            int clients = integer(w, "clients", m.clients);
            List<Integer> attrs = new ArrayList<>();
            int count = w.bounded("attrs", integer(w, "attrcount", m.attrs.size()), MAX_ATTRS);
            for (int i = 0; i < count; i++) {
                int attr = integer(w, "attr", Wire.item(m.attrs, i, 0));
                if (w.tracing() && i < ATTRS.size()) {
                    w.annotate(ATTRS.get(i) + " " + attr);
                }
                attrs.add(attr);
            }
            String map = string(w, "map", m.map);
            String desc = string(w, "desc", m.desc);
            return new Status(clients, attrs, map, desc);
        }
    }

    /** The uptime of the server, seconds. */
    record Uptime(int uptime) implements InfoMessage {
        public static final Uptime BLANK = new Uptime(0);

        public static Uptime wire(Wire w, Uptime m) {
            head(w);
            return new Uptime(measured(w, "uptime", m.uptime, "s"));
        }
    }

    /** The players whose values follow, each {@link Player} in a datagram. */
    record Players(List<Integer> cns) implements InfoMessage {
        /** Response code of this answer. */
        static final int RESPONSE = -10;

        public static final Players BLANK = new Players(List.of());

        public Players {
            cns = List.copyOf(cns);
        }

        public static Players wire(Wire w, Players m) {
            head(w);
            constant(w, "err", 0);
            constant(w, "resp", RESPONSE);
            return new Players(ints(w, "cn", m.cns));
        }

        /** All ints up to the end. */
        private static List<Integer> ints(Wire w, String name, List<Integer> values) {
            List<Integer> result = new ArrayList<>();
            while (w.reading() ? w.remaining() > 0 : result.size() < values.size()) {
                result.add(integer(w, name, Wire.item(values, result.size(), 0)));
            }
            return result;
        }

        @Override
        public SequencedMap<String, Object> fields() {
            return response(RESPONSE, this);
        }
    }

    /**
     * The values of a player.
     *
     * @param acc accuracy, percent
     * @param priv 0 none, 1 master, 2 auth, 3 admin
     * @param state 0 alive, 1 dead, 2 spawning, 3 lagged, 4 editing, 5 spectator
     * @param ip3 the first three bytes of the address; zero if hidden
     */
    record Player(
            int pcn,
            int ping,
            String name,
            String team,
            int frags,
            int flags,
            int deaths,
            int teamkills,
            int acc,
            int health,
            int armour,
            int gun,
            int priv,
            int state,
            Bytes ip3)
            implements InfoMessage {
        /** Response code of this answer. */
        static final int RESPONSE = -11;

        public static final Player BLANK =
                new Player(0, 0, "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Bytes.wrap(new byte[3]));

        public static Player wire(Wire w, Player m) {
            head(w);
            constant(w, "err", 0);
            constant(w, "resp", RESPONSE);
            int pcn = integer(w, "pcn", m.pcn);
            int ping = measured(w, "ping", m.ping, "ms");
            String name = string(w, "name", m.name);
            String team = string(w, "team", m.team);
            int frags = integer(w, "frags", m.frags);
            int flags = integer(w, "flags", m.flags);
            int deaths = integer(w, "deaths", m.deaths);
            int teamkills = integer(w, "teamkills", m.teamkills);
            int acc = measured(w, "acc", m.acc, "%");
            int health = integer(w, "health", m.health);
            int armour = integer(w, "armour", m.armour);
            int gun = named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
            int priv = named(w, "priv", m.priv, 0, ProtocolNames.PRIVILEGES);
            int state = named(w, "state", m.state, 0, ProtocolNames.STATES);
            Bytes ip3 = w.bytes("ip3", m.ip3, 3);
            return new Player(
                    pcn, ping, name, team, frags, flags, deaths, teamkills, acc, health, armour,
                    gun, priv, state, ip3);
        }

        @Override
        public SequencedMap<String, Object> fields() {
            return response(RESPONSE, this);
        }
    }

    /**
     * The scores of the teams.
     *
     * @param err 0, or 1 if the mode has no teams
     * @param time seconds left
     */
    record Teams(int err, int mode, int time, List<Team> teams) implements InfoMessage {
        public static final Teams BLANK = new Teams(0, 0, 0, List.of());

        public Teams {
            teams = List.copyOf(teams);
        }

        public static Teams wire(Wire w, Teams m) {
            head(w);
            int err = integer(w, "err", m.err);
            int mode = named(w, "mode", m.mode, ProtocolNames.FIRST_MODE, ProtocolNames.MODES);
            int time = measured(w, "time", m.time, "s");
            List<Team> teams = new ArrayList<>();
            while (w.reading() ? w.remaining() > 0 : teams.size() < m.teams.size()) {
                teams.add(Team.wire(w, Wire.item(m.teams, teams.size(), Team.BLANK)));
            }
            return new Teams(err, mode, time, teams);
        }
    }

    /**
     * The score of a team.
     *
     * @param bases that it owns, if the mode has bases
     */
    record Team(String name, int score, List<Integer> bases) implements Fields.Tuple {
        private static final Team BLANK = new Team("", 0, List.of());
        private static final int MAX_BASES = 1000;

        public Team {
            bases = List.copyOf(bases);
        }

        private static Team wire(Wire w, Team m) {
            String name = string(w, "team", m.name);
            int score = integer(w, "score", m.score);
            // The number of bases, or -1 in a mode without; an empty list is written as -1.
            int count = integer(w, "basecount", m.bases.isEmpty() ? -1 : m.bases.size());
            List<Integer> bases = new ArrayList<>();
            for (int i = 0; i < w.bounded("basecount", Math.max(0, count), MAX_BASES); i++) {
                bases.add(integer(w, "base", Wire.item(m.bases, i, 0)));
            }
            return new Team(name, score, bases);
        }
    }

    /** The answer for an unknown player or request. */
    record Refused() implements InfoMessage {
        public static final Refused BLANK = new Refused();

        public static Refused wire(Wire w, Refused m) {
            head(w);
            constant(w, "err", 1);
            return BLANK;
        }

        @Override
        public SequencedMap<String, Object> fields() {
            SequencedMap<String, Object> fields = new LinkedHashMap<>();
            fields.put("err", 1);
            return fields;
        }
    }

    private static void head(Wire w) {
        constant(w, "ack", ACK);
        constant(w, "version", VERSION);
    }

    private static void constant(Wire w, String name, int value) {
        int read = integer(w, name, value);
        if (read != value) {
            throw w.malformed(name, "is " + read + ", must be " + value);
        }
    }

    private static SequencedMap<String, Object> response(int response, InfoMessage info) {
        SequencedMap<String, Object> fields = Fields.of(info);
        fields.putFirst("resp", response);
        fields.putFirst("err", 0);
        return fields;
    }
}

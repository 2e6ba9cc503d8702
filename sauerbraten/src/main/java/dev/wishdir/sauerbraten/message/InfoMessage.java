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
 * The info protocol: plain datagrams to the port after the game's, without a connection (Cube 2:
 * Sauerbraten, info protocol). A request is an int that is not 0, for the {@link Status}, or a 0
 * and what else is asked. An answer repeats the bytes of the request; then comes one of these. All
 * but the status begin with {@link #ACK} and {@link #VERSION}.
 */
public sealed interface InfoMessage {
    /** The most bytes of a request; longer ones are not answered. */
    int MAX_REQUEST = 32;

    /** The int that an extended answer begins with. */
    int ACK = -1;

    /** The version of the extended protocol. */
    int VERSION = 105;

    /** The extended request for {@link Uptime}. */
    int UPTIME = 0;

    /** The extended request for {@link Players} and {@link Player}. */
    int PLAYERS = 1;

    /** The extended request for {@link Teams}. */
    int TEAMS = 2;

    /** The answer's values by name, in wire order. */
    default SequencedMap<String, Object> fields() {
        return Fields.of(this);
    }

    /**
     * Reads an answer, whose repetition of the request was read before.
     *
     * @throws MalformedPacketException if it is no answer to this request
     */
    static InfoMessage answer(Reader r, Request asked) {
        if (asked.req != 0) {
            return Status.wire(r, Status.BLANK);
        }
        return switch (asked.ext) {
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

    /** Writes a request, or an answer without the repetition of its request. */
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

    /** What an answer about players has, without passing it; 0 where it is refused. */
    private static int response(Reader r) {
        Reader ahead = new Reader(r.slice(r.position(), r.position() + r.remaining()));
        head(ahead);
        return integer(ahead, "err", 0) == 0 ? integer(ahead, "resp", 0) : 0;
    }

    /**
     * A request.
     *
     * @param req 0 for an extended one, otherwise anything, for the asker to know the answer by
     * @param ext what is asked; 0 where {@code req} is not
     * @param cn whose values are asked, -1 everyone's; 0 where no player's are
     * @param rest is repeated too, and means nothing
     */
    record Request(int req, int ext, int cn, Bytes rest) implements InfoMessage {
        public static final Request BLANK = new Request(1, 0, 0, Bytes.EMPTY);

        public static Request wire(Wire w, Request m) {
            Request ints = wireInts(w, m);
            return new Request(ints.req, ints.ext, ints.cn, w.rest("rest", m.rest, 0xFFFF));
        }

        /** The walk without what means nothing. */
        public static Request wireInts(Wire w, Request m) {
            int req = integer(w, "req", m.req);
            int ext = req == 0 ? integer(w, "ext", m.ext) : 0;
            int cn = asksPlayers(req, ext) ? integer(w, "cn", m.cn) : 0;
            return new Request(req, ext, cn, Bytes.EMPTY);
        }

        private static boolean asksPlayers(int req, int ext) {
            return req == 0 && ext == PLAYERS;
        }

        /** Whether this asks for players' values. */
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
     * @param attrs protocol, mode, seconds left, most clients, mastermode (4 is a password); where
     *     the game is paused or not at its usual speed also whether it is paused, and its speed
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

    /** How long the server has been running, seconds. */
    record Uptime(int uptime) implements InfoMessage {
        public static final Uptime BLANK = new Uptime(0);

        public static Uptime wire(Wire w, Uptime m) {
            head(w);
            return new Uptime(measured(w, "uptime", m.uptime, "s"));
        }
    }

    /** Whose values follow, a {@link Player} a datagram. */
    record Players(List<Integer> cns) implements InfoMessage {
        /** The int by which the answer is known. */
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
     * @param ip3 the first three bytes of the address; zero where it is nobody's business
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
        /** The int by which the answer is known. */
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
     * @param err 0, or 1 where the mode has no teams
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
     * @param bases those that it has, where the mode has any
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
            // the number of bases, or -1 in a mode that has none; an empty list is written as -1
            int count = integer(w, "basecount", m.bases.isEmpty() ? -1 : m.bases.size());
            List<Integer> bases = new ArrayList<>();
            for (int i = 0; i < w.bounded("basecount", Math.max(0, count), MAX_BASES); i++) {
                bases.add(integer(w, "base", Wire.item(m.bases, i, 0)));
            }
            return new Team(name, score, bases);
        }
    }

    /** There is no such player, or no such request. */
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

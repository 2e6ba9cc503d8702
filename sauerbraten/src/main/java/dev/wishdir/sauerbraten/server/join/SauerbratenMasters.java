package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.protocol.AuthPublicKey;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.session.AuthIdentity;
import dev.wishdir.sauerbraten.server.session.AuthTry;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The master servers of an endpoint: registration, keys that only they know, and their bans. */
public final class SauerbratenMasters implements MasterConnection.Listener {
    /** The option's default port. */
    public static final int PORT = 28_787;

    static final String NOT_CONNECTED = "not connected to authentication server";
    static final String NOT_ACCEPTED = "Your key was not accepted.";

    private static final int MAX_OPEN = 64;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Time in which a master answers, to one whose player tries again before the time-out. */
    private static final long PROMPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final LeaveReason BANNED =
            new LeaveReason(LeaveReason.Code.BANNED, "The master server has banned this address.");

    /**
     * A try whose key a master checks.
     *
     * @param before masters whose connection was lost during the try
     */
    private record OpenTry(
            MasterConnection master,
            SauerbratenSession from,
            AuthTry started,
            Set<MasterConnection> before) {
        boolean isOpen() {
            return from.connection.isOpen(started);
        }

        /** Whether the master's answer is due, not the player's. */
        boolean awaitsMaster() {
            return !started.isChallenged();
        }
    }

    private final EndpointContext context;
    private final ClientTable clients;
    private final Map<MasterConnection, GlobalBans> masters = new LinkedHashMap<>();
    private final Map<Integer, OpenTry> open = new HashMap<>();

    public SauerbratenMasters(EndpointContext context, ClientTable clients) {
        this.context = context;
        this.clients = clients;
    }

    /**
     * Begins to register.
     *
     * @param local address of the endpoint
     */
    public void open(InetSocketAddress local) {
        String configured = context.options().getOrDefault(MasterServer.OPTION, "");
        for (MasterServer master : MasterServer.parse(SauerbratenCodec.GAME, configured, PORT)) {
            MasterConnection connection = new MasterConnection(context, master, local, this);
            masters.put(connection, new GlobalBans());
            context.operatorConsole().addStatusLine(connection::status);
        }
    }

    /** Whether no master is configured. */
    boolean isEmpty() {
        return masters.isEmpty();
    }

    /** Whether a master may know the owner of a key. */
    boolean mayKnow(String name) {
        return !masters.isEmpty() && MasterConnection.isName(name);
    }

    /**
     * Lets a master challenge the client of a try: one that has accepted the registration, else one
     * that is connected, else one that can be connected to; and before those whose last try lapsed.
     *
     * @return false if none can
     */
    boolean requestChallenge(long now, SauerbratenSession from, AuthTry started) {
        for (OpenTry earlier : List.copyOf(open.values())) {
            if (earlier.from == from) {
                open.remove(earlier.started.id);
                if (earlier.awaitsMaster() && now - earlier.started.startedAt >= PROMPT_NANOS) {
                    earlier.master.setSilent(now);
                }
            }
        }
        if (open.size() >= MAX_OPEN) {
            return false;
        }
        return requestChallenge(now, from, started, Set.of());
    }

    private boolean requestChallenge(
            long now, SauerbratenSession from, AuthTry started, Set<MasterConnection> except) {
        List<MasterConnection> order =
                masters.keySet().stream()
                        .filter(it -> !except.contains(it))
                        .sorted(
                                Comparator.comparingLong(MasterConnection::silentAt)
                                        .thenComparingInt(MasterConnection::rank))
                        .toList();
        for (MasterConnection master : order) {
            if (master.requestChallenge(now, started.id, started.identity.name())) {
                open.put(started.id, new OpenTry(master, from, started, except));
                return true;
            }
        }
        return false;
    }

    /** Another master may challenge in its place, but can't check answers to its challenges. */
    @Override
    public void onLost(MasterConnection from) {
        long now = context.cycle().now();
        for (OpenTry waiting : List.copyOf(open.values())) {
            if (waiting.master != from) {
                continue;
            }
            open.remove(waiting.started.id);
            Set<MasterConnection> lost = new HashSet<>(waiting.before);
            lost.add(from);
            if (waiting.isOpen()
                    && !(waiting.started.isRequested()
                            && requestChallenge(now, waiting.from, waiting.started, lost))) {
                waiting.from.connection.clearAuthTry();
                waiting.started.listener.onRefused(now, NOT_CONNECTED);
            }
        }
    }

    /**
     * Lets the master check an answer; the client's try stays open until it has.
     *
     * @return false if the answer is no number
     */
    boolean confirm(AuthTry started, String answer) {
        OpenTry waiting = open.get(started.id);
        if (waiting == null || !AuthPublicKey.isNumber(answer)) {
            return false;
        }
        started.setAnswered();
        waiting.master.confirm(started.id, answer);
        return true;
    }

    @Override
    public void onChallenge(MasterConnection from, int id, String challenge) {
        OpenTry waiting = open.get(id);
        if (waiting != null
                && waiting.master == from
                && waiting.isOpen()
                && waiting.started.isRequested()
                && AuthPublicKey.isPoint(challenge)) {
            from.setAnswering();
            waiting.started.setChallenged();
            waiting.from.connection.send(new AuthMessage.AuthChal("", id, challenge));
        }
    }

    @Override
    public void onResult(MasterConnection from, int id, boolean isProved) {
        OpenTry waiting = open.get(id);
        if (waiting == null || waiting.master != from) {
            return;
        }
        open.remove(id);
        from.setAnswering();
        if (!waiting.isOpen()) {
            return;
        }
        boolean wasAnswered = waiting.started.isAnswered();
        waiting.from.connection.clearAuthTry();
        long now = context.cycle().now();
        AuthIdentity identity = waiting.started.identity;
        if (isProved && wasAnswered) {
            context.counters().count("sauerbraten.auth.proved");
            waiting.started.listener.onProved(now, identity);
            return;
        }
        InetAddress address = waiting.from.connection.peer.address().getAddress();
        context.addressLimits().passwords().recordFailure(now, address);
        if (wasAnswered) {
            context.counters().count("sauerbraten.auth.wrong");
            context.operatorConsole()
                    .reportWrongKey(now, SauerbratenCodec.GAME, address, identity.toString());
        } else if (!isProved) {
            context.counters().count("sauerbraten.auth.unknown");
        }
        waiting.started.listener.onRefused(now, NOT_ACCEPTED);
    }

    @Override
    public void onBan(MasterConnection from, String addresses) {
        AddressRange added =
                Optional.ofNullable(masters.get(from))
                        .flatMap(bans -> bans.add(addresses))
                        .orElse(null);
        if (added == null) {
            context.counters().count("sauerbraten.master.refused-ban");
            return;
        }
        for (SauerbratenSession session : clients.sessions()) {
            // This server trusts its admins more than the master.
            if (!session.isAdmin()
                    && added.contains(session.connection.peer.address().getAddress())) {
                session.viewer.disconnect(DisconnectReason.IP_BANNED, BANNED);
            }
        }
    }

    @Override
    public void onBansCleared(MasterConnection from) {
        Optional.ofNullable(masters.get(from)).ifPresent(GlobalBans::clear);
    }

    /** The reason to refuse a client whose address a master has banned. */
    Optional<LeaveReason> banned(InetAddress address) {
        return masters.values().stream().anyMatch(bans -> bans.contains(address))
                ? Optional.of(BANNED)
                : Optional.empty();
    }

    /** Does what is due; returns when to call again. */
    long advance(long now) {
        long next = Long.MAX_VALUE;
        for (MasterConnection master : masters.keySet()) {
            next = Math.min(next, master.advance(now));
        }
        for (OpenTry waiting : Map.copyOf(open).values()) {
            long end = waiting.started.startedAt + TIMEOUT_NANOS;
            if (now < end && waiting.isOpen()) {
                next = Math.min(next, end);
            } else {
                open.remove(waiting.started.id);
                boolean isSilent = now >= end && waiting.awaitsMaster();
                if (isSilent) {
                    waiting.master.setSilent(now);
                }
                if (waiting.isOpen()) {
                    waiting.from.connection.clearAuthTry();
                    waiting.started.listener.onRefused(
                            now, isSilent ? "The master server did not answer." : NOT_ACCEPTED);
                }
            }
        }
        return next;
    }

    public void close() {
        masters.keySet().forEach(MasterConnection::close);
    }
}

package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.LineConnection;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The connection to one master server: docs/protocols/sauerbraten.md#master-server. Registers at
 * once and every hour, and connects again 300 s after the last try. What the master says is
 * untrusted.
 */
final class MasterConnection implements LineConnection.Listener {
    private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(300);
    private static final long REGISTER_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long CONNECT_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The least time between connections that tries of players cause. */
    private static final long MIN_RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Time after which a registration counts as unanswered. */
    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final int MAX_LINE_BYTES = 4096;
    private static final int MAX_LOGGED_CHARS = 200;

    /** Lines of the log at once, and then one in ten minutes: a master may change its mind. */
    private static final int MAX_LINES = 4;

    private static final double LINES_PER_SECOND = 1 / 600.0;

    /** Lines for the master that wait for the connection. */
    private static final int MAX_WAITING = 16;

    private static final Logger LOG = LoggerFactory.getLogger(MasterConnection.class);

    /** Receives what the master says. */
    interface Listener {
        /** A challenge for the player of a try. */
        void onChallenge(MasterConnection from, int id, String challenge);

        /** Whether the player of a try has proved its key. */
        void onResult(MasterConnection from, int id, boolean isProved);

        /** Addresses that must not play. */
        void onBan(MasterConnection from, String addresses);

        /** No address is banned any more. */
        void onBansCleared(MasterConnection from);

        /** The connection is lost, or could not be made: no try of before goes on there. */
        void onLost(MasterConnection from);
    }

    private enum State {
        CLOSED,
        CONNECTING,
        CONNECTED
    }

    private final EndpointContext context;
    private final MasterServer master;
    private final InetSocketAddress local;
    private final Listener listener;
    private final List<String> waiting = new ArrayList<>();
    private Optional<LineConnection> connection = Optional.empty();
    private State state = State.CLOSED;

    /** Whether the master has accepted the registration of this connection. */
    private boolean isRegistered;

    /** The time at which the registration counts as unanswered. */
    private long registerTimeout = Long.MAX_VALUE;

    /** Time of the last try that the master did not answer, if it has answered none since. */
    private OptionalLong silentAt = OptionalLong.empty();

    private long lastConnect;
    private long nextConnect;
    private long nextRegister = Long.MAX_VALUE;
    private final TokenBucket lines = new TokenBucket(MAX_LINES, LINES_PER_SECOND);
    private String last = "";
    private int leftOut;

    /**
     * @param local address of the endpoint
     */
    MasterConnection(
            EndpointContext context,
            MasterServer master,
            InetSocketAddress local,
            Listener listener) {
        this.context = context;
        this.master = master;
        this.local = local;
        this.listener = listener;
        nextConnect = context.cycle().now();
        lastConnect = nextConnect - RECONNECT_NANOS;
    }

    /** Connects and registers when it is due; returns when to call again. */
    long advance(long now) {
        master.advance(
                context.cycle(), local.getAddress(), _ -> nextConnect = context.cycle().now());
        if (state == State.CLOSED && now >= nextConnect) {
            connect(now);
        } else if (state == State.CONNECTED && now >= nextRegister) {
            register(now);
        } else if (now >= registerTimeout) {
            registerTimeout = Long.MAX_VALUE;
            isRegistered = false;
            log("did not answer the registration");
        }
        return switch (state) {
            case CLOSED -> Math.max(nextConnect, now + TimeUnit.SECONDS.toNanos(1));
            case CONNECTING -> Long.MAX_VALUE;
            case CONNECTED -> Math.min(nextRegister, registerTimeout);
        };
    }

    private void connect(long now) {
        InetSocketAddress address = master.address(local.getAddress()).orElse(null);
        if (address == null) {
            return;
        }
        lastConnect = now;
        // Servers that lost the same master do not return in the same moment.
        nextConnect =
                now + RECONNECT_NANOS + context.random().nextLong(TimeUnit.SECONDS.toNanos(10));
        state = State.CONNECTING;
        Optional<InetAddress> from =
                local.getAddress().isAnyLocalAddress()
                        ? Optional.empty()
                        : Optional.of(local.getAddress());
        connection =
                Optional.of(
                        context.cycle()
                                .connect(
                                        new LineConnection.Target(
                                                address,
                                                from,
                                                MAX_LINE_BYTES,
                                                CONNECT_TIMEOUT_NANOS),
                                        this));
    }

    private void register(long now) {
        nextRegister = now + REGISTER_NANOS;
        registerTimeout = now + ANSWER_TIMEOUT_NANOS;
        send("regserv " + local.getPort());
    }

    private void send(String line) {
        connection.ifPresent(it -> it.send(line));
    }

    /** Whether a name may be sent to a master: it is one word of a line. */
    static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= AuthKeyTable.MAX_NAME_CHARS
                && name.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /** The master did not answer a try: others are asked before it. */
    void setSilent(long now) {
        silentAt = OptionalLong.of(now);
        log("did not answer a player's key");
    }

    /** The master answered a try. */
    void setAnswering() {
        if (silentAt.isPresent()) {
            silentAt = OptionalLong.empty();
            log("answers again");
        }
    }

    /** Time of the last try that the master did not answer; before all others if it answers. */
    long silentAt() {
        return silentAt.orElse(Long.MIN_VALUE);
    }

    /** Order in which masters are asked for a try, the lowest first. */
    int rank() {
        if (state != State.CONNECTED) {
            return 2;
        }
        return isRegistered ? 0 : 1;
    }

    /**
     * Asks the master to challenge a player, and connects for that if it is not connected.
     *
     * @param name checked by {@link #isName}
     * @return false if there is no connection, and none may be made now
     */
    boolean requestChallenge(long now, int id, String name) {
        String line = "reqauth " + id + " " + name;
        if (state == State.CONNECTED) {
            send(line);
            return true;
        }
        if (state == State.CLOSED && now - lastConnect >= MIN_RECONNECT_NANOS) {
            connect(now);
        }
        if (state != State.CONNECTING || waiting.size() >= MAX_WAITING) {
            return false;
        }
        waiting.add(line);
        return true;
    }

    /**
     * Passes on a player's answer.
     *
     * @param answer hex digits
     */
    void confirm(int id, String answer) {
        send("confauth " + id + " " + answer);
    }

    @Override
    public void onConnected() {
        state = State.CONNECTED;
        waiting.forEach(this::send);
        waiting.clear();
        register(context.cycle().now());
    }

    @Override
    public void onClosed(String reason) {
        log((state == State.CONNECTING ? "not reached: " : "lost: ") + printable(reason));
        state = State.CLOSED;
        connection = Optional.empty();
        isRegistered = false;
        registerTimeout = Long.MAX_VALUE;
        nextRegister = Long.MAX_VALUE;
        waiting.clear();
        listener.onLost(this);
    }

    @Override
    public void onLine(String line) {
        String[] words = line.strip().split(" +", 3);
        String argument = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "succreg" -> {
                isRegistered = true;
                registerTimeout = Long.MAX_VALUE;
                log("accepted the registration");
            }
            case "failreg" -> {
                isRegistered = false;
                registerTimeout = Long.MAX_VALUE;
                log("refused the registration: " + printable(line.strip().substring(7)));
            }
            case "chalauth" -> {
                if (words.length == 3) {
                    id(argument).ifPresent(id -> listener.onChallenge(this, id, words[2]));
                }
            }
            case "succauth" -> id(argument).ifPresent(id -> listener.onResult(this, id, true));
            case "failauth" -> id(argument).ifPresent(id -> listener.onResult(this, id, false));
            case "addgban" -> listener.onBan(this, argument);
            case "cleargbans" -> listener.onBansCleared(this);
            default -> context.counters().count("sauerbraten.master.unknown");
        }
    }

    private static OptionalInt id(String word) {
        return word.matches("[0-9]{1,9}")
                ? OptionalInt.of(Integer.parseInt(word))
                : OptionalInt.empty();
    }

    private static String printable(String text) {
        String clean = text.replaceAll("[^ -~]", "?").strip();
        return clean.substring(0, Math.min(MAX_LOGGED_CHARS, clean.length()));
    }

    /** Logs a change, not what a master repeats every hour, and not each of many. */
    private void log(String what) {
        if (what.equals(last)) {
            return;
        }
        last = what;
        if (!lines.tryAcquire(context.cycle().now())) {
            leftOut++;
            return;
        }
        LOG.atInfo()
                .addKeyValue("event", "master")
                .log(
                        "sauerbraten: master server {} {}{}",
                        address(),
                        what,
                        leftOut == 0 ? "" : "; lines left out before: " + leftOut);
        leftOut = 0;
    }

    private String address() {
        return master.text();
    }

    /** The state of the connection and what happened last, in one line for the operator. */
    String status() {
        String connected = state == State.CONNECTED ? "connected" : "not connected";
        return master.status(
                SauerbratenCodec.GAME,
                local.getAddress(),
                connected + (last.isEmpty() ? "" : "; " + last));
    }

    void close() {
        connection.ifPresent(LineConnection::close);
        connection = Optional.empty();
        state = State.CLOSED;
        nextConnect = Long.MAX_VALUE;
    }
}

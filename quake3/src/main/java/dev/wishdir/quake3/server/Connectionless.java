package dev.wishdir.quake3.server;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.RconHandler;
import dev.wishdir.net.AddressCookies;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AmplificationLimiter;
import dev.wishdir.net.FailedAttemptLimiter;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/**
 * Answers out-of-band packets: server queries, {@code getchallenge}, {@code connect} and rcon.
 * Replies to unproven addresses are subject to the amplification limit. Quake III, out-of-band
 * packets; Quake III, connect.
 */
final class Connectionless {
    static final LeaveReason FULL = LeaveReason.of(LeaveReason.Code.SERVER_FULL);

    private static final LeaveReason ADDRESS_LIMIT = LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT);
    private static final LeaveReason WRONG_PASSWORD = LeaveReason.of(LeaveReason.Code.PASSWORD);
    private static final LeaveReason PASSWORD_LIMIT =
            LeaveReason.of(LeaveReason.Code.PASSWORD_LIMIT);

    private static final long RECONNECT_INTERVAL_NANOS = 3_000_000_000L;

    /** Maximum number of the first message: clients may take a higher one for a forgery. */
    private static final int MAX_FIRST_MESSAGE = 60_000;

    private static final int MAX_TOKEN_CHARS = 128;
    private static final int MAX_STATUS_CHARS = 1_300;
    private static final int MAX_ANSWER_CHARS = 1_000;

    private final EndpointContext context;
    private final UdpSocket socket;
    private final AddressCookies challenges;
    private final Clients clients;
    private final RunningLevel running;
    private final RconConsole console;
    private final RconHandler rconReplies =
            new RconHandler(MAX_ANSWER_CHARS, line -> Quake3Text.line(line, 500));

    Connectionless(
            EndpointContext context,
            UdpSocket socket,
            Clients clients,
            RunningLevel running,
            RconConsole console) {
        this.context = context;
        this.socket = socket;
        challenges = new AddressCookies(context.random(), context.cycle().now());
        this.clients = clients;
        this.running = running;
        this.console = console;
    }

    void receive(long now, InetSocketAddress from, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.getFirst()) {
            case "getchallenge" -> getChallenge(now, from, words);
            case "connect" -> connect(now, from, words);
            case "getinfo" -> {
                if (isBounded(words)) {
                    reply(now, from, "infoResponse\n" + info(words));
                }
            }
            case "getstatus" -> {
                if (isBounded(words)) {
                    reply(now, from, "statusResponse\n" + status(words));
                }
            }
            case "rcon" -> rcon(now, from, words, packet.text());
            default -> context.counters().count("quake3.drop.unknown");
        }
    }

    private static boolean isBounded(List<String> words) {
        return words.size() < 2 || words.get(1).length() <= MAX_TOKEN_CHARS;
    }

    private void reply(long now, InetSocketAddress to, String text) {
        byte[] bytes = new OutOfBand(text).datagram().toArray();
        send(
                to,
                bytes,
                context.addressLimits()
                        .amplificationLimiter()
                        .tryAcquire(now, to.getAddress(), bytes.length));
    }

    /** Replies to a client that has returned its challenge (address cookie). */
    private boolean replyAfterCookie(long now, InetSocketAddress to, String text) {
        byte[] bytes = new OutOfBand(text).datagram().toArray();
        AmplificationLimiter limiter = context.addressLimits().amplificationLimiter();
        return send(to, bytes, limiter.tryAcquireVerified(now, to.getAddress(), bytes.length));
    }

    private boolean send(InetSocketAddress to, byte[] bytes, boolean allowed) {
        if (allowed) {
            socket.send(to, bytes, 0, bytes.length);
        } else {
            context.counters().count("quake3.drop.budget");
        }
        return allowed;
    }

    private void getChallenge(long now, InetSocketAddress from, List<String> words) {
        if (words.size() > 2 && !words.get(2).equals(Protocol.GAME_NAME)) {
            reply(now, from, "print\nGame mismatch: This is a " + Protocol.GAME_NAME + " server\n");
            return;
        }
        int clientChallenge = 0;
        if (words.size() > 1 && words.get(1).matches("-?\\d{1,10}")) {
            clientChallenge = (int) Long.parseLong(words.get(1));
        }
        // The third word: an OpenArena client takes it for its own old protocol 71, an ioquake3
        // client
        // for the new one; the server then follows the client's first packet.
        reply(
                now,
                from,
                "challengeResponse "
                        + (int) challenges.cookie(now, from)
                        + " "
                        + clientChallenge
                        + " "
                        + Protocol.IOQUAKE3_71.number());
    }

    private static InfoString token(List<String> words) {
        InfoString info = new InfoString();
        return words.size() > 1 ? info.put("challenge", words.get(1)) : info;
    }

    private InfoString info(List<String> words) {
        return token(words)
                .put("gamename", Protocol.GAME_NAME)
                .put("protocol", Protocol.IOQUAKE3_71.number())
                .put("hostname", Quake3Text.serverName(context.name()))
                .put("mapname", running.level().name())
                .put("clients", context.arena().players().size())
                .put("g_humanplayers", context.arena().players().size())
                .put("sv_maxclients", maxClients())
                .put("gametype", 0)
                .put("pure", running.purity().wanted() ? 1 : 0)
                .put("g_needpass", context.password().isEmpty() ? 0 : 1);
    }

    /** Players of all games at which this endpoint is full. */
    private int maxClients() {
        return context.arena().players().size() + clients.room();
    }

    private String status(List<String> words) {
        StringBuilder text = new StringBuilder();
        text.append(running.serverinfo().put("sv_maxclients", maxClients()))
                .append(token(words))
                .append('\n');
        for (Player player : context.arena().players()) {
            String line = "0 " + player.ping() + " \"" + PlayerConfigstring.name(player) + "\"\n";
            if (text.length() + line.length() > MAX_STATUS_CHARS) {
                break;
            }
            text.append(line);
        }
        return text.toString();
    }

    private void rcon(long now, InetSocketAddress from, List<String> words, String text) {
        FailedAttemptLimiter attemptLimiter =
                context.addressLimits().passwords(clients.hasPlayer(from));
        if (!attemptLimiter.isAllowed(now, from.getAddress())) {
            context.counters().count("quake3.drop.rcon");
            reply(now, from, "print\n" + RconHandler.TOO_MANY_WRONG_PASSWORDS);
            return;
        }
        String password = context.adminPassword();
        if (password.isEmpty()) {
            reply(now, from, "print\nNo rconpassword set on the server.\n");
        } else if (words.size() < 3 || !equalsConstantTime(password, words.get(1))) {
            attemptLimiter.recordFailure(now, from.getAddress());
            context.operatorConsole().reportWrongPassword(now, Quake3Codec.GAME, from.getAddress());
            reply(now, from, "print\nBad rconpassword.\n");
        } else {
            String author = "rcon " + AddressText.of(from);
            String answer =
                    console.execute(now, author, Quake3Text.plain(RconHandler.commandLine(text)));
            for (String part : rconReplies.packets(now, answer)) {
                byte[] bytes = new OutOfBand("print\n" + part).datagram().toArray();
                socket.send(from, bytes, 0, bytes.length);
            }
        }
    }

    /** Compares in constant time, so that the delay of the answer leaks nothing. */
    private static boolean equalsConstantTime(String a, String b) {
        return MessageDigest.isEqual(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private void connect(long now, InetSocketAddress from, List<String> words) {
        InfoString userinfo = InfoString.parse(words.size() > 1 ? words.get(1) : "");
        int protocol = userinfo.number("protocol", 0);
        if (protocol != Protocol.QUAKE3_68.number() && protocol != Protocol.IOQUAKE3_71.number()) {
            reply(
                    now,
                    from,
                    "print\nServer uses protocol version 71 (yours is " + protocol + ").\n");
            return;
        }
        int challenge = userinfo.number("challenge", 0);
        int qport = userinfo.number("qport", 0) & 0xFFFF;
        Quake3Player old = null;
        for (Quake3Player client : clients) {
            if (!client.address().getAddress().equals(from.getAddress())
                    || client.line().qport() != qport
                            && client.address().getPort() != from.getPort()) {
                continue;
            }
            if (!client.isZombie()) {
                if (client.line().challenge() == challenge && client.address().equals(from)) {
                    repeatConnectResponse(now, from, client);
                    return;
                }
                if (now - client.connectedAt() < RECONNECT_INTERVAL_NANOS
                        || keepsSlot(now, from, client)) {
                    return;
                }
            }
            old = client;
        }
        if (!challenges.isValid(now, from, challenge)) {
            reply(now, from, "print\nNo or bad challenge for your address.\n");
        } else if (checkPassword(now, from, userinfo) && !isBanned(now, from)) {
            accept(now, from, userinfo, old);
        }
    }

    /**
     * Whether a client with the same qport but another port is not idle and keeps its slot. At the
     * same port, the challenge proves that the new client has replaced the old one.
     */
    private static boolean keepsSlot(long now, InetSocketAddress from, Quake3Player client) {
        return !client.address().equals(from)
                && client.silence(now) < ArenaPlayer.IDLE_TIMEOUT_NANOS;
    }

    /** Repeats a lost {@code connectResponse} without a second connection. */
    private void repeatConnectResponse(long now, InetSocketAddress from, Quake3Player client) {
        if (client.id() == null) {
            replyAfterCookie(now, from, "connectResponse " + client.line().challenge());
        }
    }

    private boolean checkPassword(long now, InetSocketAddress from, InfoString userinfo) {
        if (context.password().isEmpty()) {
            return true;
        }
        FailedAttemptLimiter attemptLimiter = context.addressLimits().passwords();
        if (!attemptLimiter.isAllowed(now, from.getAddress())) {
            refuse(now, from, PASSWORD_LIMIT);
            return false;
        }
        if (!equalsConstantTime(context.password(), userinfo.get("password"))) {
            attemptLimiter.recordFailure(now, from.getAddress());
            refuse(now, from, WRONG_PASSWORD);
            return false;
        }
        return true;
    }

    private boolean isBanned(long now, InetSocketAddress from) {
        Optional<LeaveReason> reason = context.banned(Quake3Codec.GAME, from.getAddress(), "");
        reason.ifPresent(ban -> refuse(now, from, ban));
        return reason.isPresent();
    }

    /** Refuses a client that has proved its address. */
    private void refuse(long now, InetSocketAddress from, LeaveReason reason) {
        String text = Quake3Text.line(reason.text(), 500);
        if (replyAfterCookie(now, from, "print\n" + text + "\n")) {
            context.arena()
                    .reportRefusal(
                            now, Quake3Codec.GAME, AddressText.of(from.getAddress()), reason);
        }
    }

    private void accept(
            long now, InetSocketAddress from, InfoString userinfo, @Nullable Quake3Player old) {
        if (old != null) {
            clients.remove(now, old, LeaveReason.LEFT);
        }
        AddressLimits.Place place = place(now, from);
        if (place == null) {
            refuse(now, from, ADDRESS_LIMIT);
            return;
        }
        int slot = slot(now);
        if (slot < 0 || context.arena().isFull()) {
            place.leave();
            refuse(now, from, FULL);
            return;
        }
        challenges.spend(from);
        int first = 1 + context.random().nextInt(MAX_FIRST_MESSAGE);
        ClientChannel channel = new ClientChannel(socket, from, userinfo, first, clients.made());
        clients.add(
                new Quake3Player(
                        slot, channel, userinfo, clients, place, running.openArena(), now));
        replyAfterCookie(now, from, "connectResponse " + channel.challenge());
    }

    /** A place among the sessions of an address, if necessary that of its idle client. */
    private AddressLimits.@Nullable Place place(long now, InetSocketAddress from) {
        AddressLimits.Place place = context.addressLimits().enter(from.getAddress());
        Quake3Player idle = place == null ? clients.vanished(now, from.getAddress()) : null;
        if (idle != null) {
            clients.remove(now, idle, LeaveReason.TIMED_OUT);
            place = context.addressLimits().enter(from.getAddress());
        }
        return place;
    }

    /** A free slot, if necessary that of a client that has not sent a message yet; or -1. */
    private int slot(long now) {
        int slot = clients.free();
        Quake3Player unproven = slot < 0 ? clients.silent() : null;
        if (unproven != null) {
            clients.remove(now, unproven, LeaveReason.TIMED_OUT);
            slot = clients.free();
        }
        return slot;
    }
}

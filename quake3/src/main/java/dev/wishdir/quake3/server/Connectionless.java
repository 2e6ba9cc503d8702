package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
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
 * Answers what comes outside of any connection: Quake III, out-of-band packets, and Quake III,
 * connect. Every answer is paid from the budget for unproven addresses.
 */
final class Connectionless {
    static final LeaveReason FULL = LeaveReason.of(LeaveReason.Code.SERVER_FULL);

    private static final LeaveReason ADDRESS_LIMIT = LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT);
    private static final LeaveReason WRONG_PASSWORD = LeaveReason.of(LeaveReason.Code.PASSWORD);
    private static final LeaveReason PASSWORD_LIMIT =
            LeaveReason.of(LeaveReason.Code.PASSWORD_LIMIT);

    private static final long RECONNECT_INTERVAL_NANOS = 3_000_000_000L;

    /**
     * A first message has one of so many numbers: one farther ahead a client may take for forged.
     */
    private static final int FIRST_MESSAGES = 60_000;

    private static final int MAX_TOKEN_CHARS = 128;
    private static final int MAX_STATUS_CHARS = 1_300;
    private static final int MAX_ANSWER_CHARS = 1_000;

    private final EndpointContext context;
    private final UdpSocket socket;
    private final AddressCookies challenges;
    private final Clients clients;
    private final RunningLevel running;
    private final RconConsole console;
    private final RconHandler answers =
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

    /** Replies to who has repeated his challenge. */
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
        // The third word: an OpenArena client takes it for its own old protocol 71, an
        // ioquake3 for the new one; our answer follows the client's first packet.
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
                .put("sv_maxclients", most())
                .put("gametype", 0)
                .put("pure", running.purity().wanted() ? 1 : 0)
                .put("g_needpass", context.password().isEmpty() ? 0 : 1);
    }

    /** How many of all games there can be before nobody of this one is let in. */
    private int most() {
        return context.arena().players().size() + clients.room();
    }

    private String status(List<String> words) {
        StringBuilder text = new StringBuilder();
        text.append(running.serverinfo().put("sv_maxclients", most()))
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
        FailedAttemptLimiter guesses = context.addressLimits().passwords(clients.hasPlayer(from));
        if (!guesses.isAllowed(now, from.getAddress())) {
            context.counters().count("quake3.drop.rcon");
            reply(now, from, "print\n" + RconHandler.LIMITED);
            return;
        }
        String password = context.adminPassword();
        if (password.isEmpty()) {
            reply(now, from, "print\nNo rconpassword set on the server.\n");
        } else if (words.size() < 3 || !same(password, words.get(1))) {
            guesses.recordFailure(now, from.getAddress());
            context.operatorConsole().wrongPassword(now, Quake3Codec.GAME, from.getAddress());
            reply(now, from, "print\nBad rconpassword.\n");
        } else {
            String author = "rcon " + AddressText.of(from);
            String answer = console.execute(now, author, Quake3Text.plain(RconHandler.order(text)));
            for (String part : answers.packets(now, answer)) {
                byte[] bytes = new OutOfBand("print\n" + part).datagram().toArray();
                socket.send(from, bytes, 0, bytes.length);
            }
        }
    }

    /** In constant time, so that an answer's delay tells nothing. */
    private static boolean same(String a, String b) {
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
                    repeat(now, from, client);
                    return;
                }
                if (now - client.connectedAt() < RECONNECT_INTERVAL_NANOS
                        || isAlive(now, from, client)) {
                    return;
                }
            }
            old = client;
        }
        if (!challenges.isValid(now, from, challenge)) {
            reply(now, from, "print\nNo or bad challenge for your address.\n");
        } else if (knowsPassword(now, from, userinfo) && !isBanned(now, from)) {
            accept(now, from, userinfo, old);
        }
    }

    /**
     * Whether a client has been heard at another port than that of one that comes with its qport:
     * it keeps its place. The challenge proves that one at the same port has replaced it.
     */
    private static boolean isAlive(long now, InetSocketAddress from, Quake3Player client) {
        return !client.address().equals(from) && client.silence(now) < Arena.IDLE_TIMEOUT_NANOS;
    }

    /** An answer was lost: the same one again, but no second connection. */
    private void repeat(long now, InetSocketAddress from, Quake3Player client) {
        if (client.id() == null) {
            replyAfterCookie(now, from, "connectResponse " + client.line().challenge());
        }
    }

    private boolean knowsPassword(long now, InetSocketAddress from, InfoString userinfo) {
        if (context.password().isEmpty()) {
            return true;
        }
        FailedAttemptLimiter attemptLimiter = context.addressLimits().passwords();
        if (!attemptLimiter.isAllowed(now, from.getAddress())) {
            refuse(now, from, PASSWORD_LIMIT);
            return false;
        }
        if (!same(context.password(), userinfo.get("password"))) {
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

    /** Does not let somebody in who has proved its address. */
    private void refuse(long now, InetSocketAddress from, LeaveReason why) {
        String text = Quake3Text.line(why.text(), 500);
        if (replyAfterCookie(now, from, "print\n" + text + "\n")) {
            context.arena().refused(now, Quake3Codec.GAME, AddressText.of(from.getAddress()), why);
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
        int first = 1 + context.random().nextInt(FIRST_MESSAGES);
        ClientChannel channel = new ClientChannel(socket, from, userinfo, first, clients.made());
        clients.add(
                new Quake3Player(
                        slot, channel, userinfo, clients, place, running.openArena(), now));
        replyAfterCookie(now, from, "connectResponse " + channel.challenge());
    }

    /** A place among the sessions of an address: one that has vanished makes room for another. */
    private AddressLimits.@Nullable Place place(long now, InetSocketAddress from) {
        AddressLimits.Place place = context.addressLimits().enter(from.getAddress());
        Quake3Player vanished = place == null ? clients.vanished(now, from.getAddress()) : null;
        if (vanished != null) {
            clients.remove(now, vanished, LeaveReason.TIMED_OUT);
            place = context.addressLimits().enter(from.getAddress());
        }
        return place;
    }

    /** A free slot: who has not sent anything yet makes room for others. */
    private int slot(long now) {
        int slot = clients.free();
        Quake3Player silent = slot < 0 ? clients.silent() : null;
        if (silent != null) {
            clients.remove(now, silent, LeaveReason.TIMED_OUT);
            slot = clients.free();
        }
        return slot;
    }
}

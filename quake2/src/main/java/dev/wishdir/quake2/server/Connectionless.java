package dev.wishdir.quake2.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.game.RconHandler;
import dev.wishdir.net.AddressCookies;
import dev.wishdir.net.FailedAttemptLimiter;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.AddressText;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Handles out-of-band packets: server info, challenge, connect, and rcon. See
 * docs/protocols/quake2.md, 1.
 */
final class Connectionless {
    private static final LeaveReason WRONG_PASSWORD = LeaveReason.of(LeaveReason.Code.PASSWORD);

    private final EndpointContext context;
    private final Quake2Endpoint endpoint;
    private final Sessions sessions;
    private final AddressCookies challenges;
    private final RconHandler rcon =
            new RconHandler(MAX_TEXT_CHARS - 16, line -> Quake2Text.line(line, 500));

    /** Characters of a packet, besides the four bytes of its mark. */
    private static final int MAX_TEXT_CHARS = Netchan.MAX_PACKET_BYTES - 4;

    /** Refusals that are reported to the operator; all are counted. */
    private final TokenBucket refusals = new TokenBucket(5, 0.5);

    Connectionless(EndpointContext context, Quake2Endpoint endpoint, Sessions sessions) {
        this.context = context;
        this.endpoint = endpoint;
        this.sessions = sessions;
        challenges = new AddressCookies(context.random(), context.cycle().now());
    }

    /** Processes a packet. */
    void receive(long now, InetSocketAddress from, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "getchallenge" ->
                    reply(now, from, "challenge " + (int) challenges.cookie(now, from) + " p=34");
            case "connect" -> connect(now, from, words);
            case "info" -> info(now, from, words);
            case "status" -> {
                String head = "print\n" + endpoint.serverInfo() + "\n";
                reply(now, from, head + endpoint.listings().status(MAX_TEXT_CHARS - head.length()));
            }
            case "ping" -> reply(now, from, "ack");
            case "rcon" -> rcon(now, from, words, packet.text());
            default -> endpoint.count("drop.command");
        }
    }

    private void reply(long now, InetSocketAddress to, String text) {
        byte[] packet = new OutOfBand(text).packet();
        if (fits(packet)) {
            endpoint.sendUnproven(now, to, packet, packet.length);
        }
    }

    private boolean fits(byte[] packet) {
        boolean fits = packet.length <= Netchan.MAX_PACKET_BYTES;
        if (!fits) {
            endpoint.count("drop.long-reply");
        }
        return fits;
    }

    /** Replies to an address that has returned its challenge. */
    private void replyAfterCookie(long now, InetSocketAddress to, String text) {
        byte[] packet = new OutOfBand(text).packet();
        if (fits(packet)) {
            endpoint.sendAfterCookie(now, to, packet, packet.length);
        }
    }

    private void info(long now, InetSocketAddress from, List<String> words) {
        if (words.size() < 2) {
            // An answer of the same name, perhaps our own, reflected.
            endpoint.count("drop.command");
            return;
        }
        int version = Numbers.parse(words.get(1)).orElse(-1);
        String name = Quake2Text.line(context.name(), 16);
        if (version != Quake2Codec.PROTOCOL) {
            reply(now, from, "info\n" + name + ": wrong version\n");
            return;
        }
        reply(
                now,
                from,
                String.format(
                        Locale.ROOT,
                        "info\n%16s %8s %2d/%2d\n",
                        name,
                        endpoint.level().name(),
                        endpoint.arena().players().size(),
                        context.maxPlayers()));
    }

    private void connect(long now, InetSocketAddress from, List<String> words) {
        int protocol = words.size() < 2 ? -1 : Numbers.parse(words.get(1)).orElse(-1);
        if (protocol != Quake2Codec.PROTOCOL) {
            refuse(now, from, "Server is protocol version 34.");
            return;
        }
        int challenge = words.size() < 4 ? -1 : Numbers.parse(words.get(3)).orElse(-1);
        OptionalInt given = words.size() < 3 ? OptionalInt.empty() : Numbers.parse(words.get(2));
        Optional<InfoString> userInfo =
                words.size() < 5 ? Optional.empty() : InfoString.parse(words.get(4));
        if (given.isEmpty() || userInfo.isEmpty()) {
            refuse(now, from, "Connection refused.");
            return;
        }
        int qport = given.getAsInt() & 0xFFFF;
        boolean repeated =
                sessions.find(from)
                        .filter(same -> same.isSameConnect(qport, challenge))
                        .isPresent();
        if (repeated) {
            welcome(now, from);
        } else if (!challenges.isValid(now, from, challenge)) {
            refuse(now, from, "Bad challenge.");
        } else {
            Optional<LeaveReason> refusal =
                    passwordRefusal(now, from, userInfo.get())
                            .or(() -> context.banned(Quake2Codec.GAME, from.getAddress(), ""))
                            .or(() -> sessions.accept(now, from, qport, challenge, userInfo.get()));
            if (refusal.isPresent()) {
                if (refusals.tryAcquire(now)) {
                    context.arena()
                            .refused(
                                    now,
                                    Quake2Codec.GAME,
                                    AddressText.of(from.getAddress()),
                                    refusal.get());
                }
                endpoint.count("refused");
                replyAfterCookie(now, from, refusal(refusal.get().text()));
                return;
            }
            challenges.spend(from);
            welcome(now, from);
        }
    }

    /** Accepts a client. Clients that don't support HTTP downloads ignore the parameter. */
    private void welcome(long now, InetSocketAddress from) {
        String files =
                context.httpDownloads()
                        .url(now, Quake2Codec.GAME, from.getAddress())
                        .map(url -> " dlserver=" + url)
                        .orElse("");
        replyAfterCookie(now, from, "client_connect" + files);
    }

    private void refuse(long now, InetSocketAddress to, String reason) {
        endpoint.count("refused");
        reply(now, to, refusal(reason));
    }

    private static String refusal(String reason) {
        return "print\n" + reason + "\n";
    }

    /** The refusal of a wrong password; empty if it is right. */
    private Optional<LeaveReason> passwordRefusal(
            long now, InetSocketAddress from, InfoString userInfo) {
        String given = userInfo.get("password");
        FailedAttemptLimiter attemptLimiter = context.addressLimits().passwords();
        if (context.password().isEmpty()) {
            return Optional.empty();
        }
        if (given.isEmpty()) {
            return Optional.of(WRONG_PASSWORD);
        }
        if (!attemptLimiter.isAllowed(now, from.getAddress())) {
            return Optional.of(LeaveReason.of(LeaveReason.Code.PASSWORD_LIMIT));
        }
        if (!equal(context.password(), given)) {
            attemptLimiter.recordFailure(now, from.getAddress());
            return Optional.of(WRONG_PASSWORD);
        }
        return Optional.empty();
    }

    private static boolean equal(String secret, String given) {
        return MessageDigest.isEqual(
                secret.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private void rcon(long now, InetSocketAddress from, List<String> words, String text) {
        boolean proved = sessions.find(from).filter(Quake2Session::isProven).isPresent();
        FailedAttemptLimiter attemptLimiter = context.addressLimits().passwords(proved);
        if (!attemptLimiter.isAllowed(now, from.getAddress())) {
            endpoint.count("rcon.limited");
            reply(now, from, "print\n" + RconHandler.LIMITED);
            return;
        }
        if (context.adminPassword().isEmpty()
                || words.size() < 2
                || !equal(context.adminPassword(), words.get(1))) {
            attemptLimiter.recordFailure(now, from.getAddress());
            context.operatorConsole().wrongPassword(now, Quake2Codec.GAME, from.getAddress());
            endpoint.count("rcon.refused");
            reply(now, from, "print\nBad rcon_password.\n");
            return;
        }
        String answer =
                context.operatorConsole()
                        .execute(
                                now,
                                new OperatorConsole.By(
                                        "rcon " + AddressText.of(from), endpoint::changeMap),
                                Quake2Text.plain(RconHandler.order(text)));
        for (String part : rcon.packets(now, answer)) {
            byte[] packet = new OutOfBand("print\n" + part).packet();
            endpoint.send(from, packet, packet.length);
        }
    }
}

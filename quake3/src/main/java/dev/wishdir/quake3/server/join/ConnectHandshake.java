package dev.wishdir.quake3.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressCookies;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.session.ClientChannel;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.ClientTransport;
import dev.wishdir.quake3.server.session.MissingFilesTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.session.SessionLifecycle;
import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The connect handshake: {@code getchallenge} and {@code connect}, from an unproven address to a
 * session. Quake III, connect.
 */
public final class ConnectHandshake {
    private static final LeaveReason ADDRESS_LIMIT = LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT);
    private static final LeaveReason WRONG_PASSWORD = LeaveReason.of(LeaveReason.Code.PASSWORD);
    private static final LeaveReason PASSWORD_LIMIT =
            LeaveReason.of(LeaveReason.Code.PASSWORD_LIMIT);

    private static final long RECONNECT_INTERVAL_NANOS = 3_000_000_000L;

    /** Maximum number of the first message: clients may take a higher one for a forgery. */
    private static final int MAX_FIRST_MESSAGE = 60_000;

    private final EndpointContext context;
    private final UdpSocket socket;
    private final OutOfBandSender sender;
    private final ClientTable clients;
    private final SessionLifecycle lifecycle;
    private final Quake3Session.Services services;
    private final AddressCookies challenges;

    public ConnectHandshake(
            EndpointContext context,
            UdpSocket socket,
            OutOfBandSender sender,
            ClientTable clients,
            SessionLifecycle lifecycle,
            Quake3Session.Services services) {
        this.context = context;
        this.socket = socket;
        this.sender = sender;
        this.clients = clients;
        this.lifecycle = lifecycle;
        this.services = services;
        challenges = new AddressCookies(context.random(), context.cycle().now());
    }

    public void getChallenge(long now, InetSocketAddress from, List<String> words) {
        if (words.size() > 2 && !words.get(2).equals(Protocol.GAME_NAME)) {
            sender.reply(
                    now,
                    from,
                    "print\nGame mismatch: This is a " + Protocol.GAME_NAME + " server\n");
            return;
        }
        int clientChallenge = 0;
        if (words.size() > 1 && words.get(1).matches("-?\\d{1,10}")) {
            clientChallenge = (int) Long.parseLong(words.get(1));
        }
        // The third word: an OpenArena client takes it for its own old protocol 71, an ioquake3
        // client
        // for the new one; the server then follows the client's first packet.
        sender.reply(
                now,
                from,
                "challengeResponse "
                        + (int) challenges.cookie(now, from)
                        + " "
                        + clientChallenge
                        + " "
                        + Protocol.IOQUAKE3_71.number());
    }

    public void connect(long now, InetSocketAddress from, List<String> words) {
        InfoString userinfo = InfoString.parse(words.size() > 1 ? words.get(1) : "");
        int protocol = userinfo.number("protocol", 0);
        if (protocol != Protocol.QUAKE3_68.number() && protocol != Protocol.IOQUAKE3_71.number()) {
            sender.reply(
                    now,
                    from,
                    "print\nServer uses protocol version 71 (yours is " + protocol + ").\n");
            return;
        }
        int challenge = userinfo.number("challenge", 0);
        int qport = userinfo.number("qport", 0) & 0xFFFF;
        Quake3Session old = null;
        for (Quake3Session client : clients) {
            if (!client.address().getAddress().equals(from.getAddress())
                    || client.channel().transport().qport() != qport
                            && client.address().getPort() != from.getPort()) {
                continue;
            }
            if (!client.isZombie()) {
                if (client.channel().transport().challenge() == challenge
                        && client.address().equals(from)) {
                    repeatConnectResponse(now, from, client);
                    return;
                }
                if (now - client.activity().connectedAt() < RECONNECT_INTERVAL_NANOS
                        || keepsSlot(now, from, client)) {
                    return;
                }
            }
            old = client;
        }
        if (!challenges.isValid(now, from, challenge)) {
            sender.reply(now, from, "print\nNo or bad challenge for your address.\n");
        } else if (checkPassword(now, from, userinfo) && !isBanned(now, from)) {
            if (lifecycle.missingFiles().takeNotice(now, from.getAddress(), qport)) {
                sender.replyAfterCookie(now, from, "print\n" + MissingFilesTable.NOTICE + "\n");
            } else {
                accept(now, from, userinfo, old);
            }
        }
    }

    /**
     * Whether a client with the same qport but another port is not idle and keeps its slot. At the
     * same port, the challenge proves that the new client has replaced the old one.
     */
    private static boolean keepsSlot(long now, InetSocketAddress from, Quake3Session client) {
        return !client.address().equals(from)
                && client.activity().idleNanos(now) < Player.IDLE_TIMEOUT_NANOS;
    }

    /** Repeats a lost {@code connectResponse} without a second connection. */
    private void repeatConnectResponse(long now, InetSocketAddress from, Quake3Session client) {
        if (client.player().isEmpty()) {
            sender.replyAfterCookie(
                    now, from, "connectResponse " + client.channel().transport().challenge());
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
        if (!context.isPassword(userinfo.get("password"))) {
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
        if (sender.replyAfterCookie(now, from, "print\n" + text + "\n")) {
            context.arena()
                    .reportRefusal(
                            now, Quake3Codec.GAME, AddressText.of(from.getAddress()), reason);
        }
    }

    private void accept(
            long now, InetSocketAddress from, InfoString userinfo, @Nullable Quake3Session old) {
        if (old != null) {
            lifecycle.remove(now, old, LeaveReason.LEFT);
        }
        // A refusal for want of room costs the address no session.
        AddressLimits.Place place = isFull() ? null : enter(now, from);
        if (place == null) {
            removeIdle(now, from);
            if (isFull()) {
                refuse(now, from, context.full(Quake3Codec.GAME));
                return;
            }
            place = enter(now, from);
        }
        if (place == null) {
            refuse(now, from, ADDRESS_LIMIT);
            return;
        }
        int slot = slot(now);
        challenges.spend(from);
        int first = 1 + context.random().nextInt(MAX_FIRST_MESSAGE);
        ClientTransport transport =
                new ClientTransport(
                        socket, from, userinfo, first, services.movementCache().deltas());
        Optional<String> downloadUrl =
                context.httpDownloads().url(now, Quake3Codec.GAME, from.getAddress());
        ClientChannel channel = new ClientChannel(transport, userinfo, downloadUrl);
        lifecycle.add(
                new Quake3Session(
                        services,
                        slot,
                        channel,
                        userinfo,
                        new Quake3Session.Admission(place, context.passwordProof()),
                        now));
        sender.replyAfterCookie(now, from, "connectResponse " + transport.challenge());
    }

    private boolean isFull() {
        return context.arena().isFull()
                || clients.freeSlot() < 0 && clients.oldestUnproven() == null;
    }

    private AddressLimits.@Nullable Place enter(long now, InetSocketAddress from) {
        return context.addressLimits().enter(now, from.getAddress());
    }

    /** A client that reconnects must not be refused because of its own dead session. */
    private void removeIdle(long now, InetSocketAddress from) {
        Quake3Session idle = clients.longestIdle(now, from.getAddress());
        if (idle != null) {
            lifecycle.remove(now, idle, LeaveReason.TIMED_OUT);
        }
    }

    /** A free slot, if necessary that of a client that has not sent a message yet. */
    private int slot(long now) {
        int slot = clients.freeSlot();
        Quake3Session unproven = slot < 0 ? clients.oldestUnproven() : null;
        if (unproven != null) {
            lifecycle.remove(now, unproven, LeaveReason.TIMED_OUT);
            slot = clients.freeSlot();
        }
        return slot;
    }
}

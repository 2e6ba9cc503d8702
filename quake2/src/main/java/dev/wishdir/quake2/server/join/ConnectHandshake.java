package dev.wishdir.quake2.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressCookies;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.ConnectRequest;
import dev.wishdir.quake2.server.session.PacketSender;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.view.EventMessages;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The first part of a client's way in: challenge and {@code connect}, which starts a session. See
 * docs/protocols/quake2.md, 1.
 */
public final class ConnectHandshake {
    private static final LeaveReason WRONG_PASSWORD = LeaveReason.of(LeaveReason.Code.PASSWORD);

    private final EndpointContext context;
    private final ClientTable clients;
    private final SessionFactory sessions;
    private final PacketSender sender;
    private final Quake2Counters counters;
    private final AddressCookies challenges;

    /** Refusals that are reported to the operator; all are counted. */
    private final TokenBucket refusals = new TokenBucket(5, 0.5);

    public ConnectHandshake(
            EndpointContext context,
            ClientTable clients,
            SessionFactory sessions,
            PacketSender sender,
            Quake2Counters counters) {
        this.context = context;
        this.clients = clients;
        this.sessions = sessions;
        this.sender = sender;
        this.counters = counters;
        challenges = new AddressCookies(context.random(), context.cycle().now());
    }

    /** Answers {@code getchallenge}. */
    public void challenge(long now, InetSocketAddress from) {
        sender.reply(now, from, "challenge " + (int) challenges.cookie(now, from) + " p=34");
    }

    /**
     * Answers {@code connect}.
     *
     * @param words of the packet
     */
    public void connect(long now, InetSocketAddress from, List<String> words) {
        if (ConnectRequest.protocol(words) != Quake2Codec.PROTOCOL) {
            refuse(now, from, "Server is protocol version 34.");
            return;
        }
        Optional<ConnectRequest> parsed = ConnectRequest.parse(from, words);
        if (parsed.isEmpty()) {
            refuse(now, from, "Connection refused.");
            return;
        }
        ConnectRequest request = parsed.get();
        if (clients.find(from).filter(same -> same.isSameConnect(request)).isPresent()) {
            welcome(now, from);
            return;
        }
        if (!challenges.isValid(now, from, request.challenge())) {
            refuse(now, from, "Bad challenge.");
            return;
        }
        Optional<LeaveReason> refusal =
                passwordRefusal(now, request)
                        .or(() -> context.banned(Quake2Codec.GAME, from.getAddress(), ""))
                        .or(() -> accept(now, request));
        if (refusal.isPresent()) {
            refuseAfterCookie(now, from, refusal.get());
        } else {
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
        sender.replyAfterCookie(now, from, "client_connect" + files);
    }

    private void refuse(long now, InetSocketAddress to, String reason) {
        counters.count("refused");
        sender.reply(now, to, text(reason));
    }

    /** Refuses a client that has returned its challenge, and reports it. */
    private void refuseAfterCookie(long now, InetSocketAddress to, LeaveReason reason) {
        if (refusals.tryAcquire(now)) {
            String address = AddressText.of(to.getAddress());
            context.arena().reportRefusal(now, Quake2Codec.GAME, address, reason);
        }
        counters.count("refused");
        sender.replyAfterCookie(now, to, text(reason.text()));
    }

    private static String text(String reason) {
        return "print\n" + Quake2Text.line(reason, EventMessages.MAX_LINE_CHARS) + "\n";
    }

    /** The refusal of a wrong password; empty if it is right. */
    private Optional<LeaveReason> passwordRefusal(long now, ConnectRequest request) {
        if (context.password().isEmpty()) {
            return Optional.empty();
        }
        String given = request.userInfo().get("password");
        if (given.isEmpty()) {
            return Optional.of(WRONG_PASSWORD);
        }
        FailedAttemptLimiter attemptLimiter = context.addressLimits().passwords();
        InetAddress from = request.from().getAddress();
        if (!attemptLimiter.isAllowed(now, from)) {
            return Optional.of(LeaveReason.of(LeaveReason.Code.PASSWORD_LIMIT));
        }
        if (!context.isPassword(given)) {
            attemptLimiter.recordFailure(now, from);
            return Optional.of(WRONG_PASSWORD);
        }
        return Optional.empty();
    }

    /**
     * Starts a session of a client that has returned its challenge. A refusal for want of room
     * costs its address no session.
     *
     * @return the reason to refuse it; empty if it was accepted
     */
    private Optional<LeaveReason> accept(long now, ConnectRequest request) {
        InetAddress from = request.from().getAddress();
        clients.find(request.from()).ifPresent(old -> clients.remove(old, LeaveReason.LEFT));
        clients.findIdle(now, from, session -> session.qport() == request.qport())
                .ifPresent(same -> clients.remove(same, LeaveReason.TIMED_OUT));
        AddressLimits limits = context.addressLimits();
        AddressLimits.Place place = clients.isFull() ? null : limits.enter(now, from);
        if (place == null) {
            // A client that reconnects must not be refused because of its own dead session.
            clients.findIdle(now, from, _ -> true)
                    .ifPresent(dead -> clients.remove(dead, LeaveReason.TIMED_OUT));
            if (clients.isFull()) {
                return Optional.of(clients.full());
            }
            place = limits.enter(now, from);
        }
        if (place == null) {
            return Optional.of(LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT));
        }
        OptionalInt slot = clients.takeSlot();
        if (slot.isEmpty()) {
            place.leave();
            return Optional.of(clients.full());
        }
        clients.add(sessions.create(request, place, slot.getAsInt()));
        return Optional.empty();
    }
}

package dev.wishdir.nethernet;

import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.PrefixLimits;
import dev.wishdir.net.limit.PrefixTokenBuckets;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;
import dev.wishdir.nethernet.identity.IdentityRejectedException;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The HTTP signalling of a server: its status for server lists, and an answer to each offer.
 *
 * <p>Signatures are verified off the loop; an offer does not affect other clients.
 *
 * <p>Its constructor has many parameters: what it shares with the server, and what the application
 * decides, wired once.
 */
public final class NetherNetSignalling implements HttpHandler {
    /**
     * Settings of the signalling.
     *
     * @param policy by which identities are accepted at first
     * @param domain the issuer's name in the server's identity; shown to players
     * @param advertised address to which clients send; null for the address at which their request
     *     arrived, with {@code udpPort}. Clients in a private network get both
     * @param udpPort of the server
     */
    public record Settings(
            Identity.Policy policy,
            String domain,
            @Nullable InetSocketAddress advertised,
            int udpPort) {}

    private static final Logger LOG = LoggerFactory.getLogger(NetherNetSignalling.class);
    private static final String PATH = "/v1/join";
    private static final String SDP = "application/sdp";
    private static final String NETWORK_ID = "[0-9A-Za-z._~%-]{1,64}";
    private static final PrefixLimits STATUSES_A_SECOND = new PrefixLimits(20, 80, 160);
    private static final PrefixLimits OFFERS_A_SECOND = new PrefixLimits(2, 8, 16);
    private static final PrefixLimits OFFERS_AT_ONCE = new PrefixLimits(5, 20, 40);

    /** An offer with its verified identity. */
    private record Checked(Sdp offer, @Nullable Identity identity) {}

    private final Settings settings;
    private final NetherNetServer host;
    private final DutyCycle cycle;
    private final Counters counters;
    private final String prefix;
    private final Supplier<String> status;
    private final Predicate<InetAddress> admitted;
    private final LongSupplier seconds;
    private final Identity.Maker identity;
    private final TokenBucket lines = new TokenBucket(3, 0.1);
    private final Map<InetAddress, Integer> checking = new LinkedHashMap<>();
    private final PrefixTokenBuckets statuses =
            new PrefixTokenBuckets(STATUSES_A_SECOND, STATUSES_A_SECOND);
    private final PrefixTokenBuckets offers =
            new PrefixTokenBuckets(OFFERS_AT_ONCE, OFFERS_A_SECOND);
    private Identity.Policy policy;
    private @Nullable InetSocketAddress advertised;
    private int checks;

    /**
     * @param key identifies the server to clients
     * @param prefix of the counters' names, such as {@code bedrock.nethernet}
     * @param status the server's current entry in server lists, JSON; empty while no client may
     *     join, so that clients try another transport
     * @param admitted whether an address may connect
     * @param seconds the time, seconds since 1970
     */
    public NetherNetSignalling(
            Settings settings,
            IdentityKey key,
            NetherNetServer host,
            DutyCycle cycle,
            Counters counters,
            String prefix,
            Supplier<String> status,
            Predicate<InetAddress> admitted,
            LongSupplier seconds) {
        this.settings = settings;
        this.host = host;
        this.cycle = cycle;
        this.counters = counters;
        this.prefix = prefix;
        this.status = status;
        this.admitted = admitted;
        this.seconds = seconds;
        policy = settings.policy;
        advertised = settings.advertised;
        identity = new Identity.Maker(key, settings.domain, Map.of());
    }

    /** Changes the address that clients send to, for later offers; as in {@link Settings}. */
    public void setAdvertised(InetSocketAddress address) {
        advertised = address;
    }

    /** Changes the policy for later offers, such as after new keys of its issuer were read. */
    public void setPolicy(Identity.Policy policy) {
        this.policy = policy;
    }

    @Override
    public boolean admits(InetAddress from) {
        return admitted.test(from);
    }

    @Override
    public boolean trusts(InetAddress from) {
        return host.isTrusted(from);
    }

    @Override
    public void onOpened(MemoryConsumer connection) {
        host.memory().add(connection);
    }

    @Override
    public void onClosed(MemoryConsumer connection) {
        host.memory().remove(connection);
    }

    @Override
    public void handle(HttpRequest request, Consumer<HttpResponse> answer) {
        String path = request.path();
        boolean offer = path.startsWith(PATH + "/");
        if (!offer && !path.equals(PATH)) {
            refuse(answer, 404, "nothing is here");
        } else if (!request.method().equals(offer ? "POST" : "GET")) {
            refuse(answer, 405, "not so");
        } else if (offer) {
            offer(request, path.substring(PATH.length() + 1), answer);
        } else {
            status(request, answer);
        }
    }

    private void refuse(Consumer<HttpResponse> answer, int code, String words) {
        counters.count(prefix + ".http." + code);
        answer.accept(HttpResponse.of(code, words));
    }

    /** The prefix of a subscriber: an IPv4 address, or the first address of an IPv6 /64. */
    private static InetAddress subscriberPrefix(InetAddress from) {
        if (!(from instanceof Inet6Address)) {
            return from;
        }
        byte[] bytes = from.getAddress();
        Arrays.fill(bytes, 8, 16, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private void status(HttpRequest request, Consumer<HttpResponse> answer) {
        InetAddress from = request.remote().getAddress();
        if (!host.isTrusted(from) && !statuses.take(cycle.now(), from)) {
            refuse(answer, 429, "too often from your address");
            return;
        }
        String json = status.get();
        if (json.isEmpty()) {
            refuse(answer, 503, "not now");
        } else {
            counters.count(prefix + ".http.status");
            answer.accept(new HttpResponse(200, HttpBody.of("application/json", json)));
        }
    }

    private void offer(HttpRequest request, String networkId, Consumer<HttpResponse> answer) {
        InetAddress from = request.remote().getAddress();
        InetAddress subscriber = subscriberPrefix(from);
        if (!networkId.matches(NETWORK_ID)) {
            refuse(answer, 400, "no network id");
            return;
        }
        if (!host.isTrusted(from) && !offers.take(cycle.now(), from)) {
            refuse(answer, 429, "too often from your address");
            return;
        }
        NetherNetServer.Room room = host.room(from, checks, checking.getOrDefault(subscriber, 0));
        if (room != NetherNetServer.Room.FREE) {
            switch (room) {
                case FULL -> refuse(answer, 503, NetherNetPeer.Refusal.FULL.text());
                case NONE_FOR_ADDRESS ->
                        refuse(answer, 429, NetherNetPeer.Refusal.ADDRESS_LIMIT.text());
                case FREE, TOO_MANY_CHECKED_OF_ADDRESS ->
                        refuse(answer, 429, "too many at once from your address");
            }
            return;
        }
        long now = seconds.getAsLong();
        byte[] body = request.body().bytes();
        Identity.Policy current = policy;
        boolean begun =
                cycle.offload(
                        () -> {
                            Sdp offer = Sdp.read(body);
                            return new Checked(
                                    offer.with(null), Identity.check(offer, current, now));
                        },
                        checked -> {
                            done(subscriber);
                            accept(request, checked, answer);
                        },
                        failure -> {
                            done(subscriber);
                            refuse(request, failure, answer);
                        });
        if (begun) {
            checks++;
            checking.merge(subscriber, 1, Integer::sum);
        } else {
            refuse(answer, 503, "busy");
        }
    }

    private void done(InetAddress subscriber) {
        checks--;
        checking.computeIfPresent(subscriber, (_, count) -> count == 1 ? null : count - 1);
    }

    private void accept(HttpRequest request, Checked checked, Consumer<HttpResponse> answer) {
        if (host.isReplay(request.remote(), checked.offer)) {
            refuse(answer, 409, "this offer was made before");
            return;
        }
        Sdp description =
                host.take(
                        cycle.now(),
                        request.remote(),
                        checked.offer,
                        checked.identity,
                        reachable(request));
        counters.count(prefix + ".http.answered");
        answer.accept(
                new HttpResponse(
                        200,
                        HttpBody.of(SDP, identity.sign(description, seconds.getAsLong()).text())));
    }

    /** The addresses to offer. A router seldom lets clients behind it reach its public address. */
    private List<InetSocketAddress> reachable(HttpRequest request) {
        InetSocketAddress arrived =
                new InetSocketAddress(request.local().getAddress(), settings.udpPort);
        InetSocketAddress announced = advertised;
        if (announced == null || announced.equals(arrived)) {
            return List.of(arrived);
        }
        return LanResponder.isNear(request.remote().getAddress())
                ? List.of(announced, arrived)
                : List.of(announced);
    }

    private void refuse(HttpRequest request, Throwable failure, Consumer<HttpResponse> answer) {
        switch (failure) {
            case IdentityRejectedException refused -> {
                counters.count(prefix + ".http.identity");
                if (lines.tryAcquire(cycle.now())) {
                    LOG.info(
                            "{}: no identity that is taken: {}",
                            request.remote().getAddress(),
                            refused.getMessage());
                }
                refuse(answer, 403, String.valueOf(refused.getMessage()));
            }
            case MalformedPacketException _ -> refuse(answer, 400, "no offer");
            case java.util.concurrent.TimeoutException _ -> refuse(answer, 503, "busy");
            default -> {
                if (lines.tryAcquire(cycle.now())) {
                    LOG.error("defect in the check of an offer", failure);
                }
                refuse(answer, 503, "not now");
            }
        }
    }
}

package dev.wishdir.bedrock.server.join;

import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.transport.NetherNetTransport;
import dev.wishdir.bedrock.protocol.transport.TransportDemultiplexer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.ResolvedHost;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.nethernet.LanResponder;
import dev.wishdir.nethernet.NetherNetServer;
import dev.wishdir.nethernet.NetherNetSignalling;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IdentityKey;
import dev.wishdir.nethernet.identity.IssuerKeyCache;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Services that NetherNet needs besides the UDP port: signalling on the TCP port of the same
 * number, answers in the local network, and the server's public address.
 */
public final class NetherNetService {
    private static final Logger LOG = LoggerFactory.getLogger(NetherNetService.class);
    private static final String PREFIX = TransportDemultiplexer.NETHERNET_COUNTERS;

    /** The name of the issuer of the server's own identity, as the game's own server has it. */
    private static final String DOMAIN = "self";

    private final EndpointContext context;
    private final BedrockOptions options;
    private final IssuerKeyCache issuerKeys;
    private final Supplier<ServerInfo> entry;
    private final LongSupplier seconds;
    private final NetherNetServer host;
    private final IdentityKey key;
    private final NetherNetSignalling signalling;
    private final Optional<ResolvedHost> publicHost;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private IdentityIssuer issuer;

    /**
     * @param issuerKeys keys of the issuer of identities
     * @param host the connections
     * @param udp their port
     * @param entry the current entry of server lists
     * @param seconds the time since 1970
     * @throws IOException if a port can't be bound, or a file of an option can't be used; nothing
     *     but the shared port stays open then
     */
    public NetherNetService(
            EndpointContext context,
            BedrockOptions options,
            IssuerKeyCache issuerKeys,
            NetherNetServer host,
            InetSocketAddress udp,
            Supplier<ServerInfo> entry,
            LongSupplier seconds)
            throws IOException {
        this.context = context;
        this.options = options;
        this.issuerKeys = issuerKeys;
        issuer = issuerKeys.issuer();
        this.entry = entry;
        this.seconds = seconds;
        this.host = host;
        Optional<Path> file = options.nethernet().identityKey();
        key =
                file.isPresent()
                        ? IdentityKey.ofFile(file.get())
                        : NetherNetTransport.identity(LoginKeys.generate(context.random()));
        LOG.info(
                "Bedrock players know this server by the key {}{}",
                key.fingerprint(),
                file.isPresent()
                        ? ""
                        : ", until it ends: --bedrock-identity-key keeps it, so that they are"
                                + " not asked again");
        signalling = open(udp);
        publicHost = options.nethernet().publicAddress().map(it -> it.host(udp.getPort()));
    }

    private NetherNetSignalling open(InetSocketAddress udp) throws IOException {
        NetherNetOptions chosen = options.nethernet();
        try {
            NetherNetSignalling signalling =
                    new NetherNetSignalling(
                            new NetherNetSignalling.Settings(
                                    policy(),
                                    DOMAIN,
                                    chosen.publicAddress()
                                            .map(it -> it.atStart(udp.getPort()))
                                            .orElse(null),
                                    udp.getPort()),
                            key,
                            host,
                            context.cycle(),
                            context.counters(),
                            PREFIX,
                            () -> entry.get().json(),
                            _ -> true,
                            seconds);
            opened.add(
                    context.cycle()
                            .serve(
                                    udp,
                                    HttpSettings.standard(List.of(), chosen.tls()),
                                    signalling));
            if (chosen.lanPort() != 0) {
                openLan(udp, chosen.lanPort());
            }
            return signalling;
        } catch (IOException e) {
            close();
            throw new IOException(e.getMessage() + "; option transport raknet plays without it", e);
        }
    }

    /**
     * The policy for offers. Where keys are fetched when a login needs them, an offer proves only
     * that the client has its key, and the login which account the key has.
     */
    private Identity.Policy policy() {
        boolean certified = options.trust().isProofNeeded();
        return options.trust().issuer().isKnown()
                ? new Identity.Policy(certified, !certified, issuer)
                : new Identity.Policy(certified, true, IdentityIssuer.MOJANG);
    }

    private void openLan(InetSocketAddress udp, int port) throws IOException {
        InetAddress own = udp.getAddress();
        InetSocketAddress reachable =
                at(own.isAnyLocalAddress() ? ownAddress() : own, udp.getPort());
        // What is sent to all of a network comes to no socket that is bound to an address of it.
        InetAddress heard = own.isLoopbackAddress() ? own : InetAddress.getByAddress(new byte[4]);
        Lan answering =
                context.cycle()
                        .open(
                                at(heard, port),
                                socket ->
                                        new Lan(
                                                socket,
                                                new LanResponder(
                                                        context.random().nextLong(),
                                                        host,
                                                        socket,
                                                        reachable,
                                                        () -> entry.get().lan(),
                                                        key,
                                                        context.counters(),
                                                        PREFIX,
                                                        seconds)));
        opened.add(answering.socket);
    }

    /** Answers in the local network, on a socket of its own. */
    private record Lan(UdpSocket socket, LanResponder responder) implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            responder.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            return responder.advance(now);
        }
    }

    private static InetSocketAddress at(InetAddress address, int port) {
        return new InetSocketAddress(address, port);
    }

    /** An address of this machine in its local network. */
    private static InetAddress ownAddress() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(InetAddress::isSiteLocalAddress)
                .findFirst()
                .orElse(InetAddress.getLoopbackAddress());
    }

    /** As {@link DatagramHandler#advance}. */
    public long advance(long now) {
        if (!issuer.equals(issuerKeys.issuer())) {
            issuer = issuerKeys.issuer();
            signalling.setPolicy(policy());
        }
        if (publicHost.isEmpty()) {
            return DatagramHandler.NEVER;
        }
        publicHost.get().advance(context.cycle(), signalling::setAdvertised);
        return now + ResolvedHost.RETRY_NANOS;
    }

    /** Closes all sockets besides the UDP port. */
    public void close() {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception e) {
                LOG.warn("cannot close {}", each, e);
            }
        }
        opened.clear();
    }
}

package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.transport.NetherNetTransport;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TransportConnection;
import dev.wishdir.bedrock.protocol.transport.TransportDemultiplexer;
import dev.wishdir.bedrock.protocol.transport.TransportDemultiplexer.Kind;
import dev.wishdir.bedrock.protocol.transport.TurnSchedule;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.proxy.Proxy;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.nethernet.NetherNetPeer;
import dev.wishdir.nethernet.NetherNetSignalling;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A proxy between clients and one server that terminates both sides: each has its own transport,
 * RakNet or NetherNet, and its own keys and compression. The content of sessions is seen, and may
 * be changed by a {@link dev.wishdir.game.proxy.Interceptor} of {@link BedrockMessage}s; all else
 * passes as its bytes, in its order.
 *
 * <p>The login is signed again with the proxy's key, so the server must accept players without Xbox
 * accounts, unless the operator's account is configured. Clients and memory are bounded as a
 * server's. Used only by the thread of its cycle.
 */
public final class BedrockProxy implements Proxy {
    private static final Logger LOG = LoggerFactory.getLogger(BedrockProxy.class);
    private static final String DOMAIN = "self";

    private final BedrockProxyConfig config;
    private final DutyCycle servers;
    private final UdpSocket socket;
    private final Counters counters = new Counters();
    private final MemoryBudget memoryBudget = MemoryBudget.standard(counters);
    private final LoginKeys keys;
    private final Map<Transport, BedrockProxySession> sessions = new LinkedHashMap<>();
    private final TurnSchedule schedule = new TurnSchedule();
    private final BedrockProxySession.Services services;
    private final TransportDemultiplexer demultiplexer;
    private final StatusQuery status;
    private final AutoCloseable signalling;

    /** Whether data was queued for clients that their port has not sent. */
    private boolean isDue;

    /**
     * Opens a proxy.
     *
     * @param clients has the ports for clients
     * @param servers has the sockets towards the server, on the same thread; it may emulate bad
     *     links
     * @throws IOException if a port can't be bound
     */
    public static BedrockProxy open(
            DutyCycle clients,
            DutyCycle servers,
            BedrockProxyConfig config,
            BedrockProxyListener listener)
            throws IOException {
        return clients.open(
                        config.listen(),
                        socket ->
                                new BedrockProxy(clients, servers, config, listener, socket)
                                .new Handler())
                .proxy();
    }

    private BedrockProxy(
            DutyCycle clients,
            DutyCycle servers,
            BedrockProxyConfig config,
            BedrockProxyListener listener,
            UdpSocket socket)
            throws IOException {
        this.config = config;
        this.servers = servers;
        this.socket = socket;
        keys = LoginKeys.generate(config.random());
        services =
                new BedrockProxySession.Services(
                        config, listener, clients, keys, new Sockets(), schedule);
        demultiplexer =
                new TransportDemultiplexer(
                        Set.of(Kind.RAKNET, Kind.NETHERNET),
                        new TransportDemultiplexer.Services(
                                config.limits(), memoryBudget, counters, config.random()),
                        socket,
                        config.maxClients(),
                        new Connections(),
                        this::motd,
                        clients.now());
        status = servers.open(source(), toServer -> new StatusQuery(config, servers, toServer));
        try {
            signalling =
                    clients.serve(
                            socket.local(),
                            HttpSettings.standard(List.of(), null),
                            signalling(clients));
        } catch (IOException e) {
            status.close();
            throw e;
        }
        clients.add(memoryBudget);
    }

    private NetherNetSignalling signalling(DutyCycle clients) {
        IdentityKey identity = NetherNetTransport.identity(keys);
        return new NetherNetSignalling(
                new NetherNetSignalling.Settings(
                        Identity.Policy.OFFLINE, DOMAIN, null, socket.local().getPort()),
                identity,
                demultiplexer.nethernet().orElseThrow(),
                clients,
                counters,
                TransportDemultiplexer.NETHERNET_COUNTERS,
                () -> status.entry().status(),
                _ -> true,
                config::seconds);
    }

    private String motd(long guid) {
        return status.entry().motd(guid, address().getPort());
    }

    private InetSocketAddress source() {
        return config.from()
                .get()
                .map(local -> new InetSocketAddress(local, 0))
                .orElseGet(() -> new InetSocketAddress(0));
    }

    private final class Sockets implements BedrockProxySession.Connector {
        @Override
        public ServerConnection connect(
                long now, BedrockCodec codec, int protocol, ServerConnection.Listener listener)
                throws IOException {
            return servers.open(
                    source(),
                    toServer ->
                            new ServerConnection(
                                    now,
                                    toServer,
                                    codec,
                                    protocol,
                                    config.account().map(LoginAccount::keys).orElse(keys),
                                    listener,
                                    BedrockProxy.this::connect,
                                    () -> isDue));
        }

        @Override
        public void onQueued() {
            isDue = true;
        }
    }

    private TransportConnection connect(UdpSocket output, TransportConnection.Listener listener) {
        return switch (config.transport()) {
            case RAKNET ->
                    TransportConnection.raknet(
                            config.server(),
                            ClientConfig.DEFAULT_JOIN_TIMEOUT,
                            output,
                            listener,
                            config.random());
            case NETHERNET ->
                    TransportConnection.nethernet(
                            config.server(),
                            "",
                            keys,
                            output,
                            listener,
                            servers,
                            config.random(),
                            config::seconds);
        };
    }

    private final class Handler implements DatagramHandler {
        BedrockProxy proxy() {
            return BedrockProxy.this;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            demultiplexer.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            long next = schedule.advance(now);
            isDue = false;
            return Math.min(next, demultiplexer.advance(now));
        }
    }

    private final class Connections implements Transport.Listener {
        private BedrockProxySession add(long now, Transport transport) {
            String refusal = "";
            if (sessions.size() >= config.maxClients()) {
                counters.count("proxy.drop.full");
                refusal = "The proxy is full: " + config.maxClients() + " clients at most.";
            }
            BedrockProxySession session =
                    new BedrockProxySession(now, services, transport, refusal);
            sessions.put(transport, session);
            memoryBudget.add(session);
            return session;
        }

        @Override
        public void onConnected(long now, Transport transport) {
            add(now, transport);
        }

        @Override
        public void onRefused(long now, Transport transport, NetherNetPeer.Refusal reason) {
            String text = "The proxy refuses you: " + reason.text();
            add(now, transport).kick(now, text, text);
        }

        @Override
        public void onReceived(long now, Transport transport, byte[] batch) {
            BedrockProxySession session = sessions.get(transport);
            if (session != null) {
                session.receive(now, batch);
            }
        }

        /** Passes a message that may be lost on in the order of arrival, as all others. */
        @Override
        public void onReceivedUnreliably(long now, Transport transport, byte[] batch) {
            onReceived(now, transport, batch);
        }

        @Override
        public void onEnded(
                long now, Transport transport, Transport.EndReason ending, String reason) {
            BedrockProxySession session = sessions.remove(transport);
            if (session != null) {
                memoryBudget.remove(session);
                session.onEnded(now, ending, reason);
            }
        }
    }

    /** Address at which clients reach the proxy. */
    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    /** Number of connected clients. */
    @Override
    public int clients() {
        return sessions.size();
    }

    /** Number of half-open connections of clients. */
    @Override
    public int halfOpen() {
        return demultiplexer.connections() - sessions.size();
    }

    /** Counts of what was not passed on. */
    @Override
    public Counters counters() {
        return counters;
    }

    /** Heap that the sessions retain, bytes. */
    public long retainedBytes() {
        return sessions.values().stream().mapToLong(BedrockProxySession::retainedBytes).sum();
    }

    @Override
    public void stop(long now) {
        close(now, "The proxy stops.");
    }

    /**
     * Disconnects all clients with a reason, and closes the ports.
     *
     * @param reason a sentence for the players
     */
    public void close(long now, String reason) {
        List<Map.Entry<Transport, BedrockProxySession>> open = List.copyOf(sessions.entrySet());
        open.forEach(each -> each.getValue().kick(now, reason, "the proxy stopped"));
        open.forEach(each -> each.getKey().close());
        demultiplexer.advance(now);
        // What is not acknowledged yet is not waited for: the socket is closed.
        open.forEach(each -> each.getKey().abort(now, reason));
        status.close();
        try {
            signalling.close();
        } catch (Exception e) {
            LOG.warn("cannot close the signalling", e);
        }
        socket.close();
    }
}

package dev.wishdir.quake3.server.session;

import static java.util.Objects.requireNonNull;

import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.ClientConnection;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Protocol;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/** The client's end of a {@link ClientTransport}: receives what that sends, and acknowledges it. */
final class ClientPeer implements UdpSocket {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;

    private static final int CHALLENGE = 921_773_704;
    private static final int QPORT = 4_711;

    /** Its rate limits it, as it is no private address. */
    static final InetSocketAddress ADDRESS = address();

    final ClientTransport transport;
    final Queue<byte[]> datagrams = new ArrayDeque<>();
    final List<ServerMessage> messages = new ArrayList<>();
    private final ClientConnection connection =
            new ClientConnection(Protocol.QUAKE3_68, CHALLENGE, QPORT);

    ClientPeer() {
        InfoString userinfo =
                new InfoString()
                        .put("challenge", CHALLENGE)
                        .put("qport", QPORT)
                        .put("protocol", Protocol.QUAKE3_68.number());
        transport = new ClientTransport(this, ADDRESS, userinfo, 1, new EntityDeltaCache());
    }

    private static InetSocketAddress address() {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(new byte[] {(byte) 203, 0, 113, 7}), 27_961);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a message without a snapshot. */
    void sendOps(ServerMessage.Op... ops) {
        requireNonNull(transport.connection()).send(List.of(ops), transport.sink());
    }

    /** Receives all datagrams that were sent, and acknowledges the newest message. */
    void acknowledge() {
        receive();
        connection.send(
                List.<ClientMessage.Op>of(),
                (data, offset, length) ->
                        transport.receive(
                                ADDRESS, Arrays.copyOfRange(data, offset, offset + length)));
    }

    /** Receives all datagrams that were sent. */
    void receive() {
        for (byte[] next = datagrams.poll(); next != null; next = datagrams.poll()) {
            ClientConnection.Received received = connection.receive(next);
            if (received != null) {
                messages.add(received.message());
            }
        }
    }

    @Override
    public InetSocketAddress local() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);
    }

    @Override
    public void send(InetSocketAddress to, byte[] data, int offset, int length) {
        datagrams.add(Arrays.copyOfRange(data, offset, offset + length));
    }

    @Override
    public void close() {}
}

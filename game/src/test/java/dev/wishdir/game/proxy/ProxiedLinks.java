package dev.wishdir.game.proxy;

import static java.util.Objects.requireNonNull;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A session of a proxy between a client and a server, over links that lose, repeat and reorder
 * packets. For games without transport timers.
 */
public final class ProxiedLinks {
    /** Decides what the links do; tests may use it too. */
    public final Random random = new Random(5);

    /** Problems that the session has reported. */
    public final List<String> problems = new ArrayList<>();

    /** Packets that have arrived at the proxy. */
    public final List<Bytes> intoProxy = new ArrayList<>();

    /** Packets that the proxy has sent. */
    public final List<Bytes> outOfProxy = new ArrayList<>();

    private final Link toServer;
    private final Link toClient;
    private final Link fromServer = new Link(packet -> intoProxy(Direction.S2C, packet));
    private final Link fromClient = new Link(packet -> intoProxy(Direction.C2S, packet));
    private @Nullable ProxySession session;
    private double faults;

    private final class Link {
        private final Consumer<byte[]> to;
        private final List<byte[]> waiting = new ArrayList<>();

        Link(Consumer<byte[]> to) {
            this.to = to;
        }

        void send(byte[] packet) {
            if (random.nextDouble() < faults) {
                return;
            }
            int place =
                    random.nextDouble() < faults
                            ? random.nextInt(waiting.size() + 1)
                            : waiting.size();
            waiting.add(place, packet);
            if (random.nextDouble() < faults) {
                waiting.add(random.nextInt(waiting.size() + 1), packet);
            }
        }

        /** Delivers all packets, but on a bad link keeps one at times. */
        void deliver() {
            int kept = faults > 0 && random.nextInt(4) == 0 ? 1 : 0;
            while (waiting.size() > kept) {
                to.accept(waiting.removeFirst());
            }
        }
    }

    /**
     * @param onServer takes the packets that reach the server
     * @param onClient takes the packets that reach the client
     */
    public ProxiedLinks(Consumer<byte[]> onServer, Consumer<byte[]> onClient) {
        toServer = new Link(onServer);
        toClient = new Link(onClient);
    }

    /** Opens the session. */
    public void open(ProxySession.Factory sessions) {
        session =
                sessions.open(
                        new ProxySession.Output() {
                            @Override
                            public InetSocketAddress client() {
                                return new InetSocketAddress(1);
                            }

                            @Override
                            public void send(Direction direction, byte[] datagram) {
                                outOfProxy.add(Bytes.of(datagram));
                                (direction == Direction.C2S ? toServer : toClient).send(datagram);
                            }

                            @Override
                            public void report(String problem) {
                                problems.add(problem);
                            }
                        });
    }

    /** Sets the probability of each fault, 0..1. */
    public void faults(double share) {
        faults = share;
    }

    /** Does something over links without faults. */
    public void withoutFaults(Runnable work) {
        double before = faults;
        faults = 0;
        work.run();
        faults = before;
    }

    private void intoProxy(Direction direction, byte[] packet) {
        intoProxy.add(Bytes.of(packet));
        receive(direction, packet);
    }

    /** The session receives a packet from no link. */
    public void receive(Direction direction, byte[] packet) {
        requireNonNull(session, "not open").receive(0, direction, packet);
    }

    /** The session receives a packet, and what it sends is dropped. */
    public void receiveOutOfBand(Direction direction, byte[] packet) {
        int sent = outOfProxy.size();
        receive(direction, packet);
        outOfProxy.subList(sent, outOfProxy.size()).clear();
        dropSent();
    }

    /** Drops what the proxy has sent and the links have not delivered. */
    public void dropSent() {
        toServer.waiting.clear();
        toClient.waiting.clear();
    }

    /** The server sends a packet. */
    public void sendFromServer(byte[] packet) {
        fromServer.send(packet);
    }

    /** The client sends a packet. */
    public void sendFromClient(byte[] packet) {
        fromClient.send(packet);
    }

    /** Delivers the packets of all links. */
    public void deliver() {
        fromServer.deliver();
        toClient.deliver();
        fromClient.deliver();
        toServer.deliver();
    }

    /**
     * An interceptor's changes of numbered texts: each third is dropped, others of each fourth are
     * replaced, and one is injected before each fifth.
     */
    public static List<String> changed(String text) {
        int number = Integer.parseInt(text.replaceAll("\\D", ""));
        List<String> texts = new ArrayList<>();
        if (number % 5 == 0) {
            texts.add("injected " + number);
        }
        if (number % 3 != 0) {
            texts.add(number % 4 == 0 ? "replaced " + number : text);
        }
        return texts;
    }

    /** The changes of many texts, in order. */
    public static List<String> changed(List<String> all) {
        return all.stream().flatMap(text -> changed(text).stream()).toList();
    }
}

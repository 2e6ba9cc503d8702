package dev.wishdir.quake2.client;

import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * As real servers were seen to behave: it has one challenge for an address, new for each who asks
 * and good for one use; it ignores the requests of a client that it has accepted; who enters is
 * dead until he lets go of the attack button and presses it.
 */
final class ScriptedServer implements DatagramHandler {
    private static final int SERVER_COUNT = 7;
    private static final long KEEP_ALIVE_INTERVAL_NANOS = 1_000_000_000;

    private final UdpSocket socket;
    private final Map<InetSocketAddress, Guest> guests = new LinkedHashMap<>();

    /** Out of band, in the order they were sent. */
    final List<String> answers = new ArrayList<>();

    /** The answer to every connect. */
    String refusal = "";

    /** It accepts clients, but no client_connect arrives. */
    boolean losesAcceptance;

    /** No client is let go on. */
    boolean keepsWaiting;

    private long nextKeepAlive = Long.MIN_VALUE;
    private int challenges;
    private int valid = -1;

    static final class Guest {
        final Netchan netchan = Netchan.server();
        boolean alive;
        int frames;
    }

    static ScriptedServer open(SimulatedNetwork network) throws IOException {
        return network.cycle().open(new InetSocketAddress(27910), ScriptedServer::new);
    }

    private ScriptedServer(UdpSocket socket) {
        this.socket = socket;
    }

    InetSocketAddress address() {
        return socket.local();
    }

    List<Guest> guests() {
        return List.copyOf(guests.values());
    }

    /** Sends a packet a second to those who are not in the game. */
    @Override
    public long advance(long now) {
        if (now >= nextKeepAlive) {
            nextKeepAlive = now + KEEP_ALIVE_INTERVAL_NANOS;
            guests.forEach((address, guest) -> {
                if (guest.frames == 0) {
                    Writer packet = guest.netchan.send();
                    socket.send(address, packet.array(), 0, packet.position());
                }
            });
        }
        return nextKeepAlive;
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        OutOfBand.of(data)
                .ifPresentOrElse(packet -> answer(from, packet.words()), () -> hear(from, data));
    }

    private void answer(InetSocketAddress from, List<String> words) {
        if (guests.containsKey(from)) {
            return;
        }
        if (words.getFirst().equals("getchallenge")) {
            valid = ++challenges;
            tell(from, "challenge " + valid + " p=34,35,36");
        } else if (!refusal.isEmpty()) {
            tell(from, "print\n" + refusal + "\n");
        } else if (Integer.parseInt(words.get(3)) == valid) {
            valid = -1;
            guests.put(from, new Guest());
            if (!losesAcceptance) {
                tell(from, "client_connect");
            }
        } else {
            tell(from, "print\nBad challenge.\n");
        }
    }

    private void tell(InetSocketAddress to, String text) {
        answers.add(text);
        byte[] packet = new OutOfBand(text).packet();
        socket.send(to, packet, 0, packet.length);
    }

    private void hear(InetSocketAddress from, byte[] data) {
        Guest guest = guests.get(from);
        Reader r = new Reader(data);
        if (guest == null || !guest.netchan.receive(r)) {
            return;
        }
        while (r.remaining() > 0) {
            switch (Quake2Codec.readClient(r)) {
                case ClientMessage.StringCmd cmd -> run(from, guest, cmd.text().value());
                case Move move -> {
                    int before = move.previous().cmd().buttons();
                    UserCmd newest = move.newest().cmd();
                    guest.alive |= (newest.buttons() & ~before & 1) != 0;
                    frame(from, guest);
                }
                default -> {}
            }
        }
    }

    private void run(InetSocketAddress from, Guest guest, String line) {
        if (line.equals("new")) {
            reliable(
                    from,
                    guest,
                    new ServerMessage.ServerData(34, SERVER_COUNT, 0, "", 0, "box"),
                    new ServerMessage.StuffText(
                            keepsWaiting ? "\n" : "precache " + SERVER_COUNT + "\n"));
        } else if (line.startsWith("begin")) {
            frame(from, guest);
        }
    }

    private void frame(InetSocketAddress to, Guest guest) {
        PlayerState state =
                new PlayerState(
                        guest.alive ? 0 : PlayerState.DEAD,
                        Triple.ZERO,
                        Triple.ZERO,
                        0,
                        0,
                        800,
                        Triple.ZERO,
                        Triple.ZERO,
                        Triple.ZERO,
                        Triple.ZERO,
                        0,
                        0,
                        Triple.ZERO,
                        Triple.ZERO,
                        PlayerState.ZERO.blend(),
                        90,
                        0,
                        PlayerState.ZERO.stats());
        guest.frames++;
        send(
                to,
                guest,
                new Frame(
                        guest.frames,
                        -1,
                        0,
                        Bytes.EMPTY,
                        PlayerDelta.between(PlayerState.ZERO, state),
                        List.of()));
    }

    private void reliable(InetSocketAddress to, Guest guest, ServerMessage... messages) {
        Writer w = new Writer(1000);
        for (ServerMessage message : messages) {
            Quake2Codec.write(w, message);
        }
        guest.netchan.queue(w.array(), w.position());
        Writer packet = guest.netchan.send();
        socket.send(to, packet.array(), 0, packet.position());
    }

    private void send(InetSocketAddress to, Guest guest, ServerMessage message) {
        Writer w = new Writer(1000);
        Quake2Codec.write(w, message);
        Writer packet = guest.netchan.send(w.array(), w.position());
        socket.send(to, packet.array(), 0, packet.position());
    }
}

package dev.wishdir.quake2.server;

import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client that sends exactly what a test wants, and records what it receives. */
public final class RawClient implements DatagramHandler {
    static final UserCmd STILL = new UserCmd(Triple.ZERO, 0, 0, 0, 0, 0, 25, 128);

    /** Texts out of band. */
    final List<String> answers = new ArrayList<>();

    final List<ServerMessage> heard = new ArrayList<>();
    final FrameHistory history = new FrameHistory();
    final SimulatedNetwork network;
    final InetSocketAddress server;
    final UdpSocket socket;
    final int qport;
    Netchan netchan;
    public FrameHistory.Snapshot snapshot = FrameHistory.Snapshot.EMPTY;
    int lastFrame = -1;

    /** Takes nothing in, so that it acknowledges nothing more. */
    boolean deaf;

    public static RawClient open(
            SimulatedNetwork network, InetSocketAddress local, InetSocketAddress server, int qport)
            throws IOException {
        return network.cycle().open(local, socket -> new RawClient(network, socket, server, qport));
    }

    private RawClient(
            SimulatedNetwork network, UdpSocket socket, InetSocketAddress server, int qport) {
        this.network = network;
        this.socket = socket;
        this.server = server;
        this.qport = qport;
        netchan = Netchan.client(qport);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            answers.add(new String(data, 4, data.length - 4, StandardCharsets.ISO_8859_1));
            return;
        }
        Reader r = new Reader(data);
        if (deaf || !netchan.receive(r)) {
            return;
        }
        while (r.remaining() > 0) {
            ServerMessage message = Quake2Codec.readServer(r);
            heard.add(message);
            if (message instanceof ServerMessage.SpawnBaseline baseline) {
                history.baseline(baseline.entity());
            } else if (message instanceof Frame frame) {
                snapshot = history.apply(frame);
                lastFrame = snapshot.usable() ? snapshot.number() : -1;
            }
        }
    }

    @Override
    public long advance(long now) {
        return Duty.NEVER;
    }

    private void soon() {
        network.run(20_000_000);
    }

    /** Sends a datagram as it is. */
    void raw(byte... data) {
        socket.send(server, data, 0, data.length);
    }

    /** Asks out of band; empty where no answer comes soon. */
    String ask(String text) {
        int before = answers.size();
        raw(new OutOfBand(text).packet());
        soon();
        return answers.size() == before ? "" : answers.getLast();
    }

    int challenge() {
        return Integer.parseInt(ask("getchallenge\n").split(" ")[1]);
    }

    static String connectLine(int qport, int challenge, String info) {
        return "connect 34 " + qport + " " + challenge + " \"" + info + "\"\n";
    }

    /** Goes as far as an accepted {@code connect}; gives the answer to it. */
    String connect(String info) {
        netchan = Netchan.client(qport);
        return ask(connectLine(qport, challenge(), info));
    }

    /** Joins as an honest client does. */
    public RawClient join(String name) {
        return join(name, "");
    }

    RawClient join(String name, String password) {
        String answer =
                connect(
                        "\\name\\"
                                + name
                                + "\\skin\\male/grunt\\rate\\15000\\password\\"
                                + password);
        if (!answer.equals("client_connect")) {
            throw new AssertionError(answer);
        }
        command("new");
        soon();
        command("begin " + serverCount());
        network.runUntil(() -> lastFrame > 0, 2_000_000_000L);
        return this;
    }

    /** The number by which the server calls it. */
    public int slot() {
        return heard(ServerMessage.ServerData.class).getLast().playerNum();
    }

    /** The lines that it received. */
    List<String> prints() {
        return heard(ServerMessage.Print.class).stream().map(ServerMessage.Print::text).toList();
    }

    /** All texts of configstrings that it received. */
    List<String> configStrings() {
        return heard(ServerMessage.ConfigString.class).stream()
                .map(ServerMessage.ConfigString::text)
                .toList();
    }

    /** The newest text of a configstring. */
    String configString(int index) {
        return heard(ServerMessage.ConfigString.class).stream()
                .filter(string -> string.index() == index)
                .toList()
                .getLast()
                .text();
    }

    public boolean wasSentAway() {
        return heard.contains(ServerMessage.Signal.DISCONNECT);
    }

    /** The number of the map that the server sent last. */
    int serverCount() {
        return heard(ServerMessage.ServerData.class).getLast().serverCount();
    }

    public <T extends ServerMessage> List<T> heard(Class<T> type) {
        return heard.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Has the server run a command line. */
    public void command(String line) {
        say(new ClientMessage.StringCmd(line));
    }

    /** Sends messages in one packet. */
    public void say(ClientMessage... messages) {
        Writer w = new Writer(4000);
        for (ClientMessage message : messages) {
            Quake2Codec.write(w, message);
        }
        body(w.toByteArray());
    }

    /** Sends a packet with anything in it; time passes until it has come. */
    void body(byte... data) {
        Writer packet = netchan.send(data, data.length);
        socket.send(server, packet.array(), 0, packet.position());
        network.run(2_000_000);
    }

    /** A move with the right checksum for a sequence number. */
    static byte[] move(int sequence, int lastFrame, UserCmd... three) {
        Writer w = new Writer(256);
        Quake2Codec.write(w, Move.of(lastFrame, three[0], three[1], three[2]));
        return checked(w.toByteArray(), sequence);
    }

    /** Puts the right checksum into a move. */
    static byte[] checked(byte[] move, int sequence) {
        move[1] = (byte) MoveChecksum.of(move, 2, move.length - 2, sequence);
        return move;
    }

    public void move(UserCmd... three) {
        body(move(netchan.nextSequence(), lastFrame, three));
    }

    public void move(UserCmd cmd) {
        move(cmd, cmd, cmd);
    }

    /** Lets packets be lost on the way: their numbers are never seen. */
    void skip(int packets) {
        for (int i = 0; i < packets; i++) {
            netchan.send();
        }
    }
}

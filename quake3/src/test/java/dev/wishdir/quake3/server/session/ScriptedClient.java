package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.FrameHistory;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.wire.BitWriter;
import dev.wishdir.wire.Bytes;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A client that sends exactly what a test wants, right or wrong, and records what it receives. */
public final class ScriptedClient {
    public static final long SECOND = 1_000_000_000L;

    private final SimulatedNetwork network;
    private final InetSocketAddress server;
    private final int number;
    private final Netchan.Sink sink;
    private final FrameHistory frames = new FrameHistory();
    public final InetSocketAddress address;
    public final int qport;
    public final List<String> answers = new ArrayList<>();
    public final List<String> commands = new ArrayList<>();
    public final List<ServerMessage.Download> blocks = new ArrayList<>();
    public int datagramBytes;

    /** How often it was told to allow downloads as it connected. */
    int notices;

    /** Another one has its address now. */
    public boolean gone;

    public final List<ServerMessage.Snapshot> snapshots = new ArrayList<>();
    public int gamestates;
    public int challenge;
    public int serverId;
    public int clientNum;
    public int lastClientCommand;
    public Frame frame = Frame.EMPTY;
    public Configstrings configstrings = new Configstrings();

    /** The server's info in the last gamestate. */
    public InfoString serverinfo = new InfoString();

    public Quake3Codec codec = new Quake3Codec(Protocol.QUAKE3_68, 0);
    public Netchan netchan = new Netchan(Side.CLIENT, false, 0, 0);

    /**
     * @param number 68, or 71 for the modern packets
     */
    public ScriptedClient(
            SimulatedNetwork network, InetSocketAddress server, int port, int number) {
        this(
                network,
                server,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                number);
    }

    public ScriptedClient(
            SimulatedNetwork network,
            InetSocketAddress server,
            InetSocketAddress address,
            int number) {
        this.network = network;
        this.server = server;
        this.number = number;
        this.address = address;
        qport = address.getPort();
        sink = (data, offset, length) -> inject(Bytes.copyOf(data, offset, length).toArray());
        network.tap((_, _, to, data) -> {
            if (to.equals(address) && !gone) {
                datagramBytes += data.length;
                receive(data);
            }
        });
    }

    public void inject(byte[] datagram) {
        network.inject(address, server, datagram);
    }

    /** Asks out of band and gives the last answer, empty where there is none. */
    public String ask(String text) {
        answers.clear();
        inject(new OutOfBand(text).datagram().toArray());
        network.run(SECOND / 50);
        return answers.isEmpty() ? "" : answers.getLast();
    }

    /** Has a challenge and is accepted. */
    public ScriptedClient connect(String more) {
        assertThat(ask("getchallenge 7 Quake3Arena")).startsWith("challengeResponse ");
        challenge = Integer.parseInt(answers.getLast().split(" ")[1]);
        String userinfo =
                "\\challenge\\%d\\qport\\%d\\protocol\\%d%s"
                        .formatted(challenge, qport, number, more);
        Protocol protocol = number == 68 ? Protocol.QUAKE3_68 : Protocol.IOQUAKE3_71;
        codec = new Quake3Codec(protocol, challenge);
        netchan = new Netchan(Side.CLIENT, protocol.modern(), qport, challenge);
        String connect = "connect \"" + userinfo + "\"";
        String answer = ask(connect);
        while (answer.equals("print\n" + MissingFilesTable.NOTICE + "\n")) {
            notices++;
            answer = ask(connect);
        }
        assertThat(answer).isEqualTo("connectResponse " + challenge);
        return this;
    }

    /** Connects, loads the level and plays. */
    public ScriptedClient join(String name) {
        return joinWith("\\name\\" + name);
    }

    /** Connects with more in its userinfo, loads the level and plays. */
    public ScriptedClient joinWith(String userinfo) {
        connect(userinfo);
        send();
        network.run(SECOND / 2);
        assertThat(gamestates).isEqualTo(1);
        walk(0);
        network.run(SECOND / 10);
        walk(0);
        network.run(SECOND / 10);
        assertThat(playing()).isTrue();
        return this;
    }

    public boolean playing() {
        return !snapshots.isEmpty()
                && (snapshots.getLast().flags() & ServerMessage.Snapshot.NOT_ACTIVE) == 0;
    }

    /** The newest server time that it knows. */
    public int serverTime() {
        return snapshots.isEmpty() ? 0 : snapshots.getLast().serverTime();
    }

    public static Usercmd command(int time, int yaw, int forward) {
        return new Usercmd(time, 0, yaw, 0, forward, 0, 0, 0, 1);
    }

    public void walk(int forward) {
        move(command(serverTime() + 1, 0, forward));
    }

    public void move(Usercmd... all) {
        send(new ClientMessage.Move(true, List.of(all)));
    }

    /** Gives reliable commands that have the next numbers. */
    public void say(String... texts) {
        List<ClientMessage.Op> ops = new ArrayList<>();
        for (String text : texts) {
            codec.clientCommands().receive(++lastClientCommand, text);
            ops.add(new ClientMessage.ClientCommand(lastClientCommand, text));
        }
        send(ops.toArray(ClientMessage.Op[]::new));
    }

    /** Sends a message whose head is right. */
    public void send(ClientMessage.Op... ops) {
        send(serverId, netchan.incoming(), codec.serverCommands().last(), ops);
    }

    /** Sends a message with any head. */
    public void send(int serverId, int acknowledge, int reliable, ClientMessage.Op... ops) {
        payload(codec.encode(new ClientMessage(serverId, acknowledge, reliable, List.of(ops))));
    }

    /** Sends a message with a right head and anything after it. */
    public void written(Consumer<BitWriter> rest) {
        BitWriter w = new BitWriter(Huffman.CODE, ServerMessage.MAX_LENGTH);
        w.i32("serverId", serverId);
        w.i32("messageAcknowledge", netchan.incoming());
        w.i32("reliableAcknowledge", codec.serverCommands().last());
        rest.accept(w);
        byte[] message = w.toByteArray((w.position() >> 3) + 1);
        codec.scramble(message, serverId, netchan.incoming(), codec.serverCommands().last());
        payload(message);
    }

    void payload(byte[] message) {
        netchan.send(message, sink);
        while (netchan.hasPendingFragments()) {
            netchan.sendFragment(sink);
        }
    }

    private void receive(byte[] data) {
        if (OutOfBand.is(Bytes.wrap(data))) {
            answers.add(OutOfBand.read(Bytes.wrap(data)).text());
            return;
        }
        byte[] message = challenge == 0 ? null : netchan.receive(data);
        if (message == null) {
            return;
        }
        ServerMessage read = codec.decodeServer(message, netchan.incoming());
        for (ServerMessage.Op op : read.ops()) {
            switch (op) {
                case ServerMessage.Gamestate g -> {
                    gamestates++;
                    codec.checksumFeed(g.checksumFeed());
                    codec.serverCommands().skipTo(g.serverCommandSequence());
                    configstrings.replace(g.configstrings());
                    serverinfo =
                            InfoString.parse(
                                    g.configstrings().getOrDefault(Configstrings.SERVERINFO, ""));
                    serverId = configstrings.system().number("sv_serverid", 0);
                    clientNum = g.clientNum();
                    frames.gamestate(g);
                }
                case ServerMessage.ServerCommand c -> {
                    if (codec.serverCommands().receive(c.id(), c.text())) {
                        commands.add(c.text().strip());
                        List<String> words = OutOfBand.words(c.text());
                        if (words.getFirst().equals("cs")) {
                            configstrings.command(words);
                            serverId = configstrings.system().number("sv_serverid", 0);
                        }
                    }
                }
                case ServerMessage.Snapshot s -> {
                    snapshots.add(s);
                    Frame seen = frames.add(netchan.incoming(), s);
                    frame = seen == null ? frame : seen;
                }
                case ServerMessage.Download d -> blocks.add(d);
                case ServerMessage.Voip _, ServerMessage.Nop _ -> {}
            }
        }
    }
}

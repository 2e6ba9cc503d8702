package dev.wishdir.quake3.client;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.ClientConnection;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A Quake III client of protocol 68 or the modern 71 that does whatever its messages allow, and
 * much that they nearly allow.
 */
public final class MisbehavingQuake3Client implements MisbehavingClient, DatagramHandler {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** When nothing has come for so long it takes itself for forgotten. */
    private static final long FORGOTTEN = 20 * SECOND;

    private static final long FORGOTTEN_WHILE_GOOD = 5 * SECOND;

    private enum State {
        CHALLENGING,
        CONNECTING,
        CONNECTED,
        PRIMED,
        OVER
    }

    private final DutyCycle cycle;
    private final InetSocketAddress server;
    private final String first;
    private final RandomGenerator random;
    private final UdpSocket socket;
    private final int number;
    private final int qport;
    private final Configstrings configstrings = new Configstrings();
    private State state = State.CHALLENGING;
    private @Nullable ClientConnection connection;
    private String wished;
    private String look = "sarge";
    private int challenge;
    private int clientNum = -1;
    private boolean active;
    private boolean good;
    private int serverTime;
    private int lastCommandTime;
    private int yaw;
    private int forward;
    private byte[] last = {};
    private long heard;
    private long next;
    private long deafUntil;
    private long muteUntil;
    private long stopDownload = Duty.NEVER;

    /** As {@link MisbehavingClient.Maker#join}. */
    public static MisbehavingClient join(
            DutyCycle cycle, InetSocketAddress server, String name, RandomGenerator random)
            throws IOException {
        return cycle.open(
                new InetSocketAddress(InetAddress.getByAddress(new byte[4]), 0),
                socket -> new MisbehavingQuake3Client(cycle, socket, server, name, random));
    }

    private MisbehavingQuake3Client(
            DutyCycle cycle,
            UdpSocket socket,
            InetSocketAddress server,
            String name,
            RandomGenerator random) {
        this.cycle = cycle;
        this.socket = socket;
        this.server = server;
        this.random = random;
        first = name;
        wished = name;
        number = random.nextBoolean() ? 68 : 71;
        qport = random.nextInt(1 << 16);
        heard = cycle.now();
        next = heard;
    }

    @Override
    public boolean isIn() {
        return state == State.PRIMED && active;
    }

    @Override
    public boolean isOver() {
        return state == State.OVER;
    }

    @Override
    public String name() {
        return isIn() ? configstrings.player(clientNum).get("n") : "";
    }

    @Override
    public List<String> others() {
        List<String> names = new ArrayList<>();
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            String name = configstrings.player(slot).get("n");
            if (slot != clientNum && !name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    @Override
    public boolean plays(BlockArena arena) {
        return configstrings.server().get("mapname").equals(arena.mapName());
    }

    @Override
    public void behave() {
        good = true;
        deafUntil = 0;
        muteUntil = 0;
        stopDownload = Duty.NEVER;
        heard = cycle.now();
        command("stopdl");
    }

    @Override
    public void act() {
        long now = cycle.now();
        if (good || state == State.OVER) {
            return;
        }
        switch (random.nextInt(24)) {
            case 0, 1, 2 -> yaw = random.nextInt(1 << 16);
            case 3, 4 -> forward = random.nextInt(255) - 127;
            case 5 -> command("say line " + random.nextInt(1_000));
            case 6 -> command("say_team \"^1" + "x".repeat(random.nextInt(900)) + "\"");
            case 7 -> {
                wished = first + random.nextInt(100);
                command("userinfo \"" + userinfo() + "\"");
            }
            case 8 -> {
                look = "skin" + random.nextInt(100);
                command("userinfo \"" + userinfo() + "\"");
            }
            case 9 -> command("kill");
            case 10 -> command("team " + (random.nextBoolean() ? "spectator" : "free"));
            case 11 -> command(one("follow 0", "follownext", "followprev", "follow nobody"));
            case 12 -> command(one("score", "callvote kick x", "vote yes", "tell 0 x", "give all"));
            case 13 -> {
                command("download " + one(pak(), pak(), "../x.pk3", "\"\""));
                stopDownload = now + random.nextInt(3_000) * MILLI;
            }
            case 14 -> command(one("nextdl 0", "nextdl 7", "nextdl x", "stopdl", "donedl", "vdr"));
            case 15 -> command(one("cp 1 2 3", "", "\"", "userinfo", "x".repeat(1_000), "%s;quit"));
            case 16 -> {
                for (int i = 0; i < 40; i++) {
                    command("say burst " + i);
                }
            }
            case 17 -> deafUntil = now + random.nextInt(8_000) * MILLI;
            case 18 -> muteUntil = now + random.nextInt(random.nextInt(9_000) + 1) * MILLI;
            case 19 -> send(last);
            case 20 -> send(garbage());
            case 21 -> send(Arrays.copyOf(last, random.nextInt(last.length + 1)));
            case 22 ->
                    outOfBand(
                            one(
                                    "getinfo x",
                                    "getstatus x",
                                    "getchallenge",
                                    "rcon a b",
                                    "connect \"\\protocol\\71\\challenge\\1\\qport\\"
                                            + qport
                                            + "\"",
                                    "disconnect"));
            default -> {
                if (random.nextInt(8) == 0) {
                    leave();
                } else {
                    wild();
                }
            }
        }
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String pak() {
        return configstrings.system().get("sv_referencedPakNames") + ".pk3";
    }

    private void command(String text) {
        if (connection != null && state == State.PRIMED) {
            connection.command(text);
        }
    }

    private String userinfo() {
        return "\\challenge\\%d\\qport\\%d\\protocol\\%d\\name\\%s\\rate\\90000\\snaps\\40\\model\\%s"
                .formatted(challenge, qport, number, wished, look);
    }

    /** User commands of times that were, will be or are the same, as many as a message takes. */
    private void wild() {
        List<Usercmd> commands = new ArrayList<>();
        int count = 1 + random.nextInt(ClientMessage.MAX_USERCMDS);
        int time = serverTime + random.nextInt(4_000) - 2_000;
        for (int i = 0; i < count; i++) {
            time += random.nextInt(60);
            commands.add(
                    new Usercmd(
                            time,
                            random.nextInt(1 << 16),
                            random.nextInt(1 << 16),
                            0,
                            random.nextInt(255) - 127,
                            random.nextInt(255) - 127,
                            random.nextInt(255) - 127,
                            random.nextInt(1 << 16),
                            random.nextInt(256)));
        }
        transmit(List.of(new ClientMessage.Move(random.nextBoolean(), commands)));
    }

    /** A packet with the right head and the next number, and anything after it. */
    private byte[] garbage() {
        if (last.length < 4) {
            return new byte[random.nextInt(40)];
        }
        boolean modern = number == 71;
        int sequence = (last[0] & 0xFF | (last[1] & 0xFF) << 8 | (last[2] & 0xFF) << 16) + 1;
        Writer w = new Writer(100);
        w.i32le("sequence", sequence);
        w.u16le("qport", qport);
        if (modern) {
            w.i32le("checksum", NetchanHeader.checksum(challenge, sequence));
        }
        byte[] rest = new byte[20 + random.nextInt(60)];
        random.nextBytes(rest);
        w.append(rest, 0, rest.length);
        return w.toByteArray();
    }

    private void leave() {
        command("disconnect");
        for (int i = 0; i < 3; i++) {
            transmit(List.of());
        }
        end();
    }

    private void end() {
        if (state != State.OVER) {
            state = State.OVER;
            active = false;
            socket.close();
        }
    }

    private void send(byte[] datagram) {
        if (state != State.OVER && datagram.length > 0) {
            socket.send(server, datagram, 0, datagram.length);
        }
    }

    private void outOfBand(String text) {
        send(new OutOfBand(text).datagram().toArray());
    }

    private void transmit(List<ClientMessage.Op> ops) {
        if (connection != null) {
            connection.send(
                    ops,
                    (data, offset, length) -> {
                        last = Bytes.copyOf(data, offset, length).toArray();
                        send(last);
                    });
        }
    }

    @Override
    public long advance(long now) {
        if (state == State.OVER) {
            return Duty.NEVER;
        }
        if (now - heard > (good ? FORGOTTEN_WHILE_GOOD : FORGOTTEN)) {
            end();
            return Duty.NEVER;
        }
        if (now >= next) {
            next = now + (now < muteUntil ? 50 * MILLI : speak(now));
        }
        return next;
    }

    /** Says what the state wants. Returns in how many nanoseconds to speak again. */
    private long speak(long now) {
        switch (state) {
            case CHALLENGING -> outOfBand("getchallenge 7 " + Protocol.GAME_NAME);
            case CONNECTING -> outOfBand("connect \"" + userinfo() + "\"");
            case CONNECTED -> transmit(List.of());
            case PRIMED -> {
                if (now >= stopDownload) {
                    stopDownload = Duty.NEVER;
                    command("stopdl");
                }
                lastCommandTime = Math.max(lastCommandTime + 1, serverTime + 1);
                Usercmd walk = new Usercmd(lastCommandTime, 0, yaw, 0, forward, 0, 0, 0, 1);
                transmit(List.of(new ClientMessage.Move(true, List.of(walk))));
                return 50 * MILLI;
            }
            case OVER -> {}
        }
        return SECOND / 2;
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (state == State.OVER || !from.equals(server)) {
            return;
        }
        if (OutOfBand.is(Bytes.wrap(data))) {
            outOfBand(now, OutOfBand.read(Bytes.wrap(data)));
        } else if (connection != null && now >= deafUntil) {
            try {
                ClientConnection.Received received = connection.receive(data);
                if (received != null) {
                    heard = now;
                    received(connection, received);
                }
            } catch (MalformedPacketException e) {
                throw new AssertionError("the server sent what no client understands", e);
            }
        }
    }

    private void outOfBand(long now, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.getFirst()) {
            case "challengeresponse" -> {
                if (state == State.CHALLENGING) {
                    heard = now;
                    challenge = Integer.parseInt(words.get(1));
                    state = State.CONNECTING;
                    next = now;
                }
            }
            case "connectresponse" -> {
                if (state == State.CONNECTING) {
                    heard = now;
                    state = State.CONNECTED;
                    connection =
                            new ClientConnection(
                                    number == 68 ? Protocol.QUAKE3_68 : Protocol.IOQUAKE3_71,
                                    challenge,
                                    qport);
                    next = now;
                }
            }
            case "print" -> {
                if (state == State.CONNECTING) {
                    end();
                }
            }
            default -> {}
        }
    }

    private void received(ClientConnection c, ClientConnection.Received received) {
        for (ServerMessage.Op op : received.message().ops()) {
            switch (op) {
                case ServerMessage.Gamestate g -> {
                    configstrings.replace(g.configstrings());
                    clientNum = g.clientNum();
                    lastCommandTime = 0;
                    state = State.PRIMED;
                }
                case Snapshot s -> {
                    serverTime = s.serverTime();
                    active |= (s.flags() & Snapshot.NOT_ACTIVE) == 0;
                }
                case ServerMessage.Download d -> {
                    // Its stopdl is lost where too many commands wait: it takes the file then.
                    if (good || random.nextBoolean()) {
                        command("nextdl " + d.block());
                    }
                }
                default -> {}
            }
        }
        for (String text : received.commands()) {
            List<String> words = OutOfBand.words(text);
            switch (words.getFirst()) {
                case "disconnect" -> end();
                case "cs", "bcs0", "bcs1", "bcs2" -> configstrings.command(words);
                default -> {}
            }
        }
        c.serverId(configstrings.system().number("sv_serverid", 0));
    }
}

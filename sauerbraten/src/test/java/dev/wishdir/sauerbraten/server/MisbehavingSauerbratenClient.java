package dev.wishdir.sauerbraten.server;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.RandomMessages;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A client of this game that does what it should not. */
public final class MisbehavingSauerbratenClient
        implements MisbehavingClient, DatagramHandler, EnetListener {
    private static final long MILLI = 1_000_000;
    private static final long POSITIONS = 33 * MILLI;
    private static final long PINGS = 250 * MILLI;
    private static final int MAX_DEAF_MILLIS = 8000;

    /** What would make it forget who it is, or ends it for certain. */
    private static final Set<Class<?>> NEVER_SAID =
            Set.of(
                    RosterMessage.SwitchName.class,
                    SessionMessage.Connect.class,
                    RelayMessage.FromAi.class,
                    ChatMessage.ServMsg.class);

    private final UdpSocket socket;
    private final DutyCycle cycle;
    private final RandomGenerator random;
    private final RandomMessages messages;
    private final List<SauerbratenMessage> kinds;
    private final String first;
    private final EnetHost host;
    private final EnetPeer peer;
    private final Map<Integer, String> names = new HashMap<>();
    private SauerbratenCodec codec = SauerbratenCodec.V260;
    private String name = "";
    private String map = "";
    private Bytes last = Bytes.EMPTY;
    private int renames;
    private int cn = -1;
    private int lifeseq;
    private int x = 8192;
    private int y = 8192;
    private boolean alive;
    private boolean behaved;
    private boolean over;
    private long now;
    private long deafUntil = Long.MIN_VALUE;
    private long nextPosition = NEVER;
    private long nextPing = NEVER;

    /** Begins to join, with a client of this kind. */
    public static MisbehavingClient join(
            DutyCycle cycle, InetSocketAddress server, String name, RandomGenerator random)
            throws IOException {
        return join(cycle, new InetSocketAddress(0), server, name, random);
    }

    /** As {@link #join(DutyCycle, InetSocketAddress, String, RandomGenerator)}, from an address. */
    static MisbehavingSauerbratenClient join(
            DutyCycle cycle,
            InetSocketAddress local,
            InetSocketAddress server,
            String name,
            RandomGenerator random)
            throws IOException {
        return cycle.open(
                local,
                socket -> new MisbehavingSauerbratenClient(cycle, socket, server, name, random));
    }

    private MisbehavingSauerbratenClient(
            DutyCycle cycle,
            UdpSocket socket,
            InetSocketAddress server,
            String name,
            RandomGenerator random) {
        this.cycle = cycle;
        this.socket = socket;
        this.random = random;
        first = name;
        messages = new RandomMessages(codec, random.nextLong());
        kinds =
                RandomMessages.blanks(codec, Direction.C2S).stream()
                        .filter(kind -> !NEVER_SAID.contains(kind.getClass()))
                        .toList();
        now = cycle.now();
        host = new EnetHost(SauerbratenTransport.client(), this, socket, random);
        peer = host.connect(server, 0);
    }

    private void wake() {
        cycle.execute(() -> {});
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        if (!over && now >= deafUntil) {
            host.receive(now, from, data);
        }
    }

    @Override
    public long advance(long now) {
        this.now = now;
        if (over) {
            return NEVER;
        }
        if (now >= nextPosition) {
            nextPosition = now + POSITIONS;
            if (alive) {
                walk();
            }
        }
        if (now >= nextPing) {
            nextPing = now + PINGS;
            send(1, false, new SessionMessage.Ping((int) (now / MILLI)));
        }
        long next = Math.min(host.advance(now), Math.min(nextPosition, nextPing));
        return over ? NEVER : next;
    }

    private void walk() {
        x = Math.clamp(x + random.nextInt(-20, 21), 7000, 9000);
        y = Math.clamp(y + random.nextInt(-20, 21), 7000, 9000);
        send(
                0,
                false,
                Pos.of(
                        cn,
                        4 | (lifeseq & 1) << 3,
                        x,
                        y,
                        8192,
                        Pos.LEVEL,
                        90,
                        0,
                        Pos.LEVEL,
                        0,
                        0,
                        false));
    }

    private void send(int channel, boolean reliable, SauerbratenMessage... packet) {
        last = codec.packet(packet);
        peer.send(channel, last, reliable);
    }

    @Override
    public void act() {
        now = cycle.now();
        if (!isIn() || behaved) {
            return;
        }
        switch (random.nextInt(24)) {
            case 0, 1, 2 -> send(1, true, new ChatMessage.Text("line " + random.nextInt(1000)));
            case 3 -> send(1, true, new ChatMessage.ClientSayTeam("team " + random.nextInt(1000)));
            case 4, 5 -> rename();
            case 6, 7 -> send(1, true, new LifeMessage.Suicide());
            case 8, 9 -> send(1, true, new LifeMessage.TrySpawn());
            case 10 -> send(1, true, new RosterMessage.Spectator(cn, random.nextBoolean()));
            case 11 -> send(1, true, new RosterMessage.SwitchModel(random.nextInt(-1, 8)));
            case 12 -> send(1, true, new MatchMessage.MapVote("map" + random.nextInt(3), 1));
            case 13 -> peer.send(random.nextInt(3), last, random.nextBoolean());
            case 14 -> deafUntil = now + random.nextInt(MAX_DEAF_MILLIS) * MILLI;
            case 15 -> flood();
            case 16 -> send(1, true, new LifeMessage.ClientSpawn(random.nextInt(-1, 128), 6));
            case 17 -> x = random.nextInt(1 << 16);
            case 18 -> garble();
            case 19 -> leave();
            default -> any();
        }
        wake();
    }

    private void rename() {
        name = first + "x" + renames++ % 100;
        send(1, true, new RosterMessage.SwitchName(name));
    }

    private void flood() {
        for (int i = random.nextInt(60); i > 0; i--) {
            peer.send(1, last, random.nextBoolean());
        }
    }

    /** Rarely, since it ends its sender most often. */
    private void garble() {
        if (random.nextInt(8) == 0 && last.length() > 1) {
            peer.send(1, last.slice(0, random.nextInt(1, last.length())), true);
        }
    }

    private void leave() {
        if (random.nextInt(10) == 0) {
            peer.disconnect(random.nextInt(3));
        }
    }

    private void any() {
        SauerbratenMessage message = messages.like(kinds.get(random.nextInt(kinds.size())));
        int channel = random.nextInt(20) == 0 ? 0 : SauerbratenCodec.channel(message);
        peer.send(channel, codec.packet(message), random.nextBoolean());
    }

    @Override
    public void behave() {
        behaved = true;
        deafUntil = Long.MIN_VALUE;
        wake();
    }

    @Override
    public boolean isIn() {
        return !name.isEmpty() && !over;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> others() {
        Map<Integer, String> others = new HashMap<>(names);
        others.remove(cn);
        return List.copyOf(others.values());
    }

    @Override
    public boolean plays(BlockArena arena) {
        return map.equals(arena.mapName());
    }

    @Override
    public void onReceived(long now, EnetPeer from, int channel, Bytes payload, boolean reliable) {
        if (channel == 2) {
            return;
        }
        for (SauerbratenMessage message :
                codec.readPacket(Direction.S2C, channel, new Reader(payload))) {
            take(message);
        }
    }

    private void take(SauerbratenMessage message) {
        switch (message) {
            case SessionMessage.ServInfo info -> {
                cn = info.cn();
                send(1, true, new SessionMessage.Connect(first, 0, "", "", ""));
            }
            case SessionMessage.Welcome _ -> {
                name = CubeText.playerName(first);
                nextPosition = now;
                nextPing = now;
            }
            case MatchMessage.MapChange change -> {
                codec = codec.inMode(change.mode());
                map = change.map();
                alive = false;
            }
            case LifeMessage.SpawnState spawn -> {
                lifeseq = spawn.state().lifeseq();
                alive = true;
                send(1, true, new LifeMessage.ClientSpawn(lifeseq, 6));
            }
            case LifeMessage.Died died -> alive &= died.victim() != cn;
            case RosterMessage.InitClient client -> names.put(client.cn(), client.name());
            case RosterMessage.CDis left -> names.remove(left.cn());
            case RelayMessage.Client relayed -> {
                for (SauerbratenMessage inner : codec.messages(relayed)) {
                    if (inner instanceof RosterMessage.SwitchName change) {
                        names.replace(relayed.cn(), change.name());
                    }
                }
            }
            default -> {}
        }
    }

    @Override
    public void onDisconnected(long now, EnetPeer from, long data, EnetDisconnectReason reason) {
        over = true;
        socket.close();
    }
}

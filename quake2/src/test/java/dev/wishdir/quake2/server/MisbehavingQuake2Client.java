package dev.wishdir.quake2.server;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.CommandTokenizer;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.random.RandomGenerator;

/**
 * A client of this game that does whatever the protocol allows, and much that it nearly allows. It
 * keeps the numbers of its packets right, since a packet with wrong ones is that of a stranger.
 */
public final class MisbehavingQuake2Client implements MisbehavingClient, DatagramHandler {
    private static final long SECOND = 1_000_000_000L;
    private static final long INTERVAL = 50_000_000;

    /** So long after the last packet of the server it has been forgotten. */
    private static final long FORGOTTEN = 20 * SECOND;

    private static final int MAX_QUEUED = 100;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private enum Phase {
        CHALLENGING,
        CONNECTING,
        CONNECTED,
        IN,
        OVER
    }

    private final InetSocketAddress server;
    private final RandomGenerator random;
    private final UdpSocket socket;
    private final int qport;
    private final Queue<ClientMessage> queued = new ArrayDeque<>();
    private final Map<Integer, String> configStrings = new HashMap<>();
    private FrameHistory history = new FrameHistory();
    private Netchan netchan = Netchan.client(0);
    private Phase phase = Phase.CHALLENGING;
    private String wished;
    private String skin = "male/grunt";
    private boolean watches;
    private int challenge;
    private int slot = -1;
    private int count;
    private int lastFrame = -1;
    private int yaw;
    private int forward = 400;
    private byte[] last = {};
    private boolean behaves;
    private boolean begun;
    private long now;
    private long next;
    private long lastHeard;
    private long deafUntil = Long.MIN_VALUE;
    private long muteUntil = Long.MIN_VALUE;

    private MisbehavingQuake2Client(
            DutyCycle cycle,
            UdpSocket socket,
            InetSocketAddress server,
            String name,
            RandomGenerator random) {
        this.socket = socket;
        this.server = server;
        this.random = random;
        wished = name;
        qport = random.nextInt(1 << 16);
        now = cycle.now();
        next = now;
        lastHeard = now;
    }

    /** Begins to join; a {@link MisbehavingClient.Maker}. */
    public static MisbehavingClient join(
            DutyCycle cycle, InetSocketAddress server, String name, RandomGenerator random)
            throws IOException {
        return cycle.open(
                new InetSocketAddress(0),
                socket -> new MisbehavingQuake2Client(cycle, socket, server, name, random));
    }

    @Override
    public boolean isIn() {
        return phase == Phase.IN && !name().isEmpty();
    }

    @Override
    public boolean isOver() {
        return phase == Phase.OVER;
    }

    @Override
    public String name() {
        return slot < 0
                ? ""
                : nameOf(configStrings.getOrDefault(ServerMessage.ConfigString.SKINS + slot, ""));
    }

    @Override
    public List<String> others() {
        List<String> names = new ArrayList<>();
        configStrings.forEach((index, text) -> {
            if (index >= ServerMessage.ConfigString.SKINS
                    && index != ServerMessage.ConfigString.SKINS + slot
                    && !text.isEmpty()) {
                names.add(nameOf(text));
            }
        });
        return names;
    }

    @Override
    public boolean plays(BlockArena arena) {
        return configStrings
                .getOrDefault(ServerMessage.ConfigString.MAP, "")
                .equals("maps/" + arena.mapName() + ".bsp");
    }

    private static String nameOf(String skin) {
        int end = skin.indexOf('\\');
        return end < 0 ? skin : skin.substring(0, end);
    }

    @Override
    public void behave() {
        behaves = true;
        deafUntil = Long.MIN_VALUE;
        muteUntil = Long.MIN_VALUE;
        forward = 400;
    }

    @Override
    public void receive(long time, InetSocketAddress from, byte[] data) {
        now = time;
        if (!from.equals(server) || phase == Phase.OVER || now < deafUntil) {
            return;
        }
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            outOfBand(outOfBand.get());
            return;
        }
        Reader r = new Reader(data);
        if (phase == Phase.CHALLENGING || phase == Phase.CONNECTING || !netchan.receive(r)) {
            return;
        }
        lastHeard = now;
        while (r.remaining() > 0 && phase != Phase.OVER) {
            message(Quake2Codec.readServer(r));
        }
    }

    private void outOfBand(OutOfBand packet) {
        switch (packet.name()) {
            case "challenge" -> {
                if (phase == Phase.CHALLENGING) {
                    challenge = Numbers.parse(packet.words().get(1)).orElseThrow();
                    phase = Phase.CONNECTING;
                    next = now;
                }
            }
            case "client_connect" -> {
                if (phase == Phase.CONNECTING) {
                    phase = Phase.CONNECTED;
                    netchan = Netchan.client(qport);
                    forget();
                    queued.clear();
                    command("new");
                    lastHeard = now;
                }
            }
            case "print" -> {
                if (phase == Phase.CONNECTING && packet.body().startsWith("Bad challenge")) {
                    phase = Phase.CHALLENGING;
                } else if (phase == Phase.CONNECTING) {
                    end();
                }
            }
            default -> {}
        }
    }

    private void forget() {
        configStrings.clear();
        history = new FrameHistory();
        slot = -1;
        lastFrame = -1;
        begun = false;
    }

    private void end() {
        phase = Phase.OVER;
        socket.close();
    }

    private void message(ServerMessage message) {
        switch (message) {
            case ServerMessage.ServerData data -> {
                forget();
                phase = Phase.CONNECTED;
                slot = data.playerNum();
                count = data.serverCount();
            }
            case ServerMessage.ConfigString string ->
                    configStrings.put(string.index(), string.text());
            case ServerMessage.SpawnBaseline baseline -> history.baseline(baseline.entity());
            case ServerMessage.StuffText text -> text.text().lines().forEach(this::run);
            case Frame frame -> frame(frame);
            case ServerMessage.Signal signal -> {
                if (signal == ServerMessage.Signal.DISCONNECT) {
                    end();
                }
            }
            default -> {}
        }
    }

    private void frame(Frame frame) {
        FrameHistory.Snapshot snapshot = history.apply(frame);
        lastFrame = snapshot.usable() ? snapshot.number() : -1;
        if (begun) {
            phase = Phase.IN;
        } else {
            // It asked for the sign-on again in the middle of one, and the first was finished.
            startOver();
        }
    }

    private void startOver() {
        phase = Phase.CHALLENGING;
        forget();
    }

    private void run(String line) {
        String rest = CommandTokenizer.afterFirst(line);
        switch (CommandTokenizer.of(line).isEmpty() ? "" : CommandTokenizer.of(line).getFirst()) {
            case "cmd" -> command(rest.replace("$version", "rascal"));
            case "precache" -> {
                command("begin " + rest);
                begun = true;
            }
            case "changing" -> phase = Phase.CONNECTED;
            case "reconnect" -> command("new");
            default -> {}
        }
    }

    private void command(String line) {
        queue(new ClientMessage.StringCmd(line));
    }

    private void queue(ClientMessage message) {
        if (queued.size() < MAX_QUEUED) {
            queued.add(message);
        }
    }

    private String info() {
        return "\\name\\"
                + wished
                + "\\skin\\"
                + skin
                + "\\rate\\15000\\spectator\\"
                + (watches ? 1 : 0);
    }

    @Override
    public long advance(long time) {
        now = time;
        if (phase == Phase.OVER) {
            return Duty.NEVER;
        }
        if (now - lastHeard > FORGOTTEN) {
            end();
            return Duty.NEVER;
        }
        if (now >= next) {
            switch (phase) {
                case CHALLENGING -> {
                    raw(new OutOfBand("getchallenge\n").packet());
                    next = now + SECOND;
                }
                case CONNECTING -> {
                    String line = RawClient.connectLine(qport, challenge, info());
                    raw(new OutOfBand(line).packet());
                    next = now + SECOND;
                }
                default -> {
                    send();
                    next = now + INTERVAL;
                }
            }
        }
        return next;
    }

    private void raw(byte[] data) {
        socket.send(server, data, 0, data.length);
    }

    private void send() {
        if (now < muteUntil) {
            return;
        }
        while (!queued.isEmpty()) {
            byte[] message = bytes(queued.element());
            if (!netchanTakes(message)) {
                break;
            }
            queued.remove();
        }
        transmit(phase == Phase.IN ? walk() : new byte[0]);
    }

    private boolean netchanTakes(byte[] message) {
        return message.length <= netchan.room() && netchan.queue(message, message.length);
    }

    private static byte[] bytes(ClientMessage... messages) {
        Writer w = new Writer(4000);
        for (ClientMessage message : messages) {
            Quake2Codec.write(w, message);
        }
        return w.toByteArray();
    }

    private byte[] walk() {
        UserCmd cmd = new UserCmd(new Triple(0, (short) yaw, 0), forward, 0, 0, 0, 0, 50, 128);
        return move(cmd);
    }

    private byte[] move(UserCmd cmd) {
        return RawClient.checked(bytes(Move.of(lastFrame, cmd, cmd, cmd)), netchan.nextSequence());
    }

    private void transmit(byte[] unreliable) {
        Writer packet = netchan.send(unreliable, unreliable.length);
        last = packet.toByteArray();
        raw(last);
    }

    @Override
    public void act() {
        if (phase == Phase.OVER || behaves) {
            return;
        }
        if (phase == Phase.CHALLENGING || phase == Phase.CONNECTING) {
            ask();
            return;
        }
        switch (random.nextInt(22)) {
            case 0, 1, 2 -> yaw = random.nextInt(1 << 16);
            case 3, 4 -> command("say " + word(1 + random.nextInt(60)));
            case 5 -> command("say " + anything(random.nextInt(200)));
            case 6, 7 -> change(() -> wished = word(1 + random.nextInt(12)));
            case 8 -> change(() -> skin = "male/" + word(5));
            case 9 -> change(() -> watches = !watches);
            case 10 -> command("kill");
            case 11 -> ask();
            case 12 -> raw(last);
            case 13 -> {
                for (int lost = random.nextInt(25); lost > 0; lost--) {
                    netchan.send();
                }
            }
            case 14 -> garbled();
            case 15 -> transmit(move(wild()));
            case 16 -> {
                byte[] wrong = walk();
                wrong[1] ^= (byte) (1 + random.nextInt(255));
                transmit(wrong);
            }
            case 17 -> deafUntil = now + random.nextLong(8 * SECOND);
            case 18 -> muteUntil = now + random.nextLong(7 * SECOND);
            case 19 -> many();
            case 20 -> signOn();
            default -> {
                if (random.nextInt(4) == 0) {
                    leave();
                }
            }
        }
    }

    private void change(Runnable setting) {
        setting.run();
        queue(new ClientMessage.UserInfo(ClientText.of(info())));
    }

    private void leave() {
        for (int i = 0; i < 3; i++) {
            transmit(bytes(new ClientMessage.StringCmd("disconnect")));
        }
        if (random.nextBoolean()) {
            end();
        } else {
            startOver();
        }
    }

    /** Asks for something, in the session or out of band. */
    private void ask() {
        String[] questions = {
            "getchallenge", "status", "info 34", "ping", "rcon guess status", "connect 34 1 2 x",
        };
        String[] commands = {
            "download maps/wishdir_flat.bsp 0",
            "download ../x",
            "nextdl",
            "info",
            "players",
            "bogus",
            "nextserver " + count,
        };
        if (random.nextBoolean() && phase != Phase.CHALLENGING && phase != Phase.CONNECTING) {
            command(commands[random.nextInt(commands.length)]);
        } else if (phase != Phase.CHALLENGING) {
            raw(new OutOfBand(questions[random.nextInt(questions.length)]).packet());
        }
    }

    /** Says what belongs to the sign-on, whether it is time or not. */
    private void signOn() {
        int any = random.nextInt(3) == 0 ? random.nextInt() : count;
        String[] commands = {
            "new",
            "configstrings " + any + " " + random.nextInt(-10, 2100),
            "baselines " + any + " 0",
        };
        command(commands[random.nextInt(commands.length)]);
        if (phase == Phase.IN && random.nextInt(3) == 0) {
            // From the beginning, with the same socket.
            startOver();
        }
    }

    private void many() {
        ClientMessage[] messages = new ClientMessage[1 + random.nextInt(12)];
        for (int i = 0; i < messages.length; i++) {
            wished = word(1 + random.nextInt(8));
            messages[i] =
                    switch (random.nextInt(3)) {
                        case 0 -> new ClientMessage.StringCmd("kill");
                        case 1 -> new ClientMessage.StringCmd("say " + word(10));
                        default -> new ClientMessage.UserInfo(ClientText.of(info()));
                    };
        }
        transmit(bytes(messages));
    }

    private UserCmd wild() {
        return new UserCmd(
                new Triple(
                        (short) random.nextInt(),
                        (short) random.nextInt(),
                        (short) random.nextInt()),
                (short) random.nextInt(),
                (short) random.nextInt(),
                (short) random.nextInt(),
                random.nextInt(256),
                random.nextInt(256),
                random.nextInt(256),
                random.nextInt(256));
    }

    /** A packet whose messages are cut or have another byte somewhere. */
    private void garbled() {
        byte[] body = random.nextBoolean() ? walk() : bytes(new ClientMessage.StringCmd("say x"));
        if (random.nextBoolean()) {
            body = Arrays.copyOf(body, random.nextInt(body.length));
        } else {
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
        transmit(body);
    }

    private String word(int length) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < length; i++) {
            word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return word.toString();
    }

    private String anything(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (1 + random.nextInt(255)));
        }
        return text.toString();
    }
}

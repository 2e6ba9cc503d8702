package dev.wishdir.quake2.client;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.PortException;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.netchan.CommandTokenizer;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A headless Quake II client, protocol 34. It runs the commands that the server sends ({@code cmd},
 * {@code precache}, {@code reconnect}, {@code changing}), answers the version probe, and sends a
 * command every 25 ms. It requests 120 frames a second, which only servers of this project support.
 * It does not predict: its position is that of the newest frame.
 *
 * <p>See docs/protocols/quake2.md, 5.
 */
public final class Quake2Client implements Client {
    /** Commands sent per second. */
    public static final int COMMANDS_PER_SECOND = 40;

    /** Duration of a command, milliseconds. */
    private static final int COMMAND_MSEC = 1000 / COMMANDS_PER_SECOND;

    private static final long COMMAND_INTERVAL_NANOS = COMMAND_MSEC * 1_000_000L;
    private static final long RETRY_NANOS = 1_500_000_000L;
    private static final long SERVER_TIMEOUT_NANOS = 30_000_000_000L;

    /**
     * Time after an acceptance without a packet of the connection at which the client starts over,
     * as the acceptance may be forged. Servers ignore those that return within 3 s.
     */
    private static final long ACCEPTANCE_TIMEOUT_NANOS = 3_500_000_000L;

    /**
     * Time for which a refusal is not believed: anyone can forge it, but not keep the server's
     * answer to the same request away.
     */
    private static final long REFUSAL_DELAY_NANOS = 900_000_000;

    /** Progress of the connection. */
    private enum Phase {
        OUTSIDE,
        CONNECTED,
        ENTERED,
        ENDED
    }

    private final ClientConfig config;
    private final boolean downloadsMap;
    private final ConnectHandshake handshake;
    private final ClientConnection connection;
    private final ClientView view;
    private final LocalFighter fighter;
    private final UserCmdBuilder commandBuilder = new UserCmdBuilder(COMMAND_MSEC);
    private final MapDownload download = new MapDownload();
    private Phase phase = Phase.OUTSIDE;
    private String lastPrint = "";

    private String beginCommand = "";
    private boolean joined;
    private long lastReceived;

    /** Time at which it gives up joining; later while it downloads a map. */
    private long joinBy;

    /** The time at which a refusal is believed unless the server accepts the client until then. */
    private long refusedAt = Long.MAX_VALUE;

    /** Whether a packet of the present connection was received. */
    private boolean received;

    private long nextSend;

    /**
     * Starts to connect.
     *
     * @throws IOException if no socket can be opened
     */
    public static Quake2Client connect(ClientConfig config) throws IOException {
        return connect(config, false);
    }

    /**
     * Starts to connect.
     *
     * @param downloadsMap whether to download the server's map before entering
     * @throws IOException if no socket can be opened
     */
    public static Quake2Client connect(ClientConfig config, boolean downloadsMap)
            throws IOException {
        return config.cycle()
                .open(
                        new InetSocketAddress(0),
                        socket -> new Quake2Client(config, downloadsMap, socket).new Handler())
                .client();
    }

    private Quake2Client(ClientConfig config, boolean downloadsMap, UdpSocket socket) {
        this.config = config;
        this.downloadsMap = downloadsMap;
        // Clients behind the same address have different ports, so their qports differ, too.
        int qport = socket.local().getPort();
        lastReceived = config.cycle().now();
        joinBy = lastReceived + config.joinTimeout().toNanos();
        nextSend = lastReceived;
        handshake = new ConnectHandshake(config, qport);
        view = new ClientView(this, config.listener());
        fighter = new LocalFighter(this, config.listener());
        connection = new ClientConnection(socket, config.server(), qport);
    }

    private final class Handler implements DatagramHandler {
        Quake2Client client() {
            return Quake2Client.this;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (from.equals(config.server()) && phase != Phase.ENDED) {
                Quake2Client.this.receive(now, data);
            }
        }

        @Override
        public long advance(long now) {
            return Quake2Client.this.advance(now);
        }
    }

    @Override
    public boolean joined() {
        config.cycle().checkThread("uses a client");
        return joined && phase == Phase.ENTERED;
    }

    @Override
    public long id() {
        config.cycle().checkThread("uses a client");
        return joined ? view.slot() : -1;
    }

    @Override
    public String level() {
        config.cycle().checkThread("uses a client");
        return view.configString(ServerMessage.ConfigString.MAP)
                .replaceFirst("^maps/", "")
                .replaceFirst("\\.bsp$", "");
    }

    @Override
    public Movement movement() {
        config.cycle().checkThread("uses a client");
        return view.movement();
    }

    @Override
    public Collection<RemotePlayer> others() {
        config.cycle().checkThread("uses a client");
        return view.others();
    }

    /**
     * The server decides when the gun is ready, and what the shot hits. A hand grenade is thrown as
     * soon as it can be: between the press and the throw this only aims.
     */
    @Override
    public boolean shoot(Vec3 at) {
        config.cycle().checkThread("uses a client");
        Vec3.requireFinite("at", at);
        if (!joined() || fighter.health().isEmpty()) {
            return false;
        }
        PlayerState state = view.state();
        Vec3 eye =
                Quake2Motion.toCanonical(state.origin())
                        .plus(
                                new Vec3(
                                        0,
                                        0,
                                        (Quake2Motion.FEET + state.viewOffset().z() / 4.0)
                                                / Quake2Motion.SCALE));
        Vec3 way = at.minus(eye);
        commandBuilder.aim(
                Math.toDegrees(Math.atan2(way.y(), way.x())),
                Math.toDegrees(Math.atan2(way.z(), way.horizontal())));
        if (!view.isThrowing() && fighter.inventory.isReady()) {
            commandBuilder.attack();
        }
        return true;
    }

    /** As the server last showed them: the client asks for them while this is called. */
    @Override
    public List<BotWeapon> weapons() {
        config.cycle().checkThread("uses a client");
        return health().isPresent() ? fighter.inventory.weapons() : List.of();
    }

    @Override
    public void select(BotWeapon weapon) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(weapon, "weapon");
        fighter.inventory.select(weapon);
    }

    @Override
    public OptionalDouble health() {
        config.cycle().checkThread("uses a client");
        return joined() ? fighter.health() : OptionalDouble.empty();
    }

    @Override
    public List<Vec3> items() {
        config.cycle().checkThread("uses a client");
        return view.items();
    }

    /** As of the last board: the server sends one to a dead player, and on request. */
    @Override
    public Map<Long, Integer> frags() {
        config.cycle().checkThread("uses a client");
        return fighter.frags();
    }

    /** By the skins that the game has for teams. */
    @Override
    public Map<Long, String> teams() {
        config.cycle().checkThread("uses a client");
        return view.teams();
    }

    /** As of the last board; captured flags as of the last frame. */
    @Override
    public Map<String, Integer> teamFrags() {
        config.cycle().checkThread("uses a client");
        return fighter.teamFrags();
    }

    @Override
    public List<RemoteFlag> flags() {
        config.cycle().checkThread("uses a client");
        return view.flags();
    }

    @Override
    public boolean dropFlag() {
        command("drop flag");
        return true;
    }

    /** The newest player state from the server. */
    public PlayerState state() {
        return view.state();
    }

    /** The server's map, once it is downloaded and its checksum is right. */
    public Optional<Bytes> map() {
        return download.map();
    }

    @Override
    public void say(String text) {
        Objects.requireNonNull(text, "text");
        command("say \"" + Quake2Text.line(text, 150).replace('"', '\'') + "\"");
    }

    @Override
    public boolean rename(String name) {
        Objects.requireNonNull(name, "name");
        userInfo(handshake.settings(name).toString());
        return true;
    }

    @Override
    public boolean act(PlayerAction action) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(action, "action");
        switch (action) {
            case ATTACK -> commandBuilder.attack();
            case TAUNT -> command("wave 2");
        }
        return true;
    }

    /** Sends a command line to the server, reliably. */
    public void command(String line) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(line, "line");
        connection.queue(new ClientMessage.StringCmd(line));
    }

    /** Sends other player settings (userinfo) to the server, reliably. */
    public void userInfo(String info) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(info, "info");
        connection.queue(new ClientMessage.UserInfo(ClientText.of(info)));
    }

    @Override
    public void close() {
        config.cycle().checkThread("uses a client");
        if (phase == Phase.ENDED) {
            return;
        }
        leave();
        end(EndReason.LEFT, "left the server");
    }

    private void leave() {
        if (phase == Phase.CONNECTED || phase == Phase.ENTERED) {
            connection.disconnect(config.cycle().now());
        }
    }

    private void end(EndReason ending, String reason) {
        if (phase != Phase.ENDED) {
            phase = Phase.ENDED;
            connection.close();
            config.listener().onEnded(this, ending, reason);
        }
    }

    private long advance(long now) {
        if (phase == Phase.ENDED) {
            return Duty.NEVER;
        }
        if (!joined && now >= joinBy) {
            leave();
            end(
                    EndReason.TIMED_OUT,
                    handshake.refusal().isEmpty() ? config.joinTimedOut() : handshake.refusal());
            return Duty.NEVER;
        }
        if (phase == Phase.OUTSIDE && now >= refusedAt) {
            end(EndReason.REFUSED, handshake.refusal());
            return Duty.NEVER;
        }
        if (joined && now - lastReceived > SERVER_TIMEOUT_NANOS) {
            end(EndReason.TIMED_OUT, PortException.text(config.server()) + " fell silent");
            return Duty.NEVER;
        }
        if (now >= nextSend) {
            if (phase == Phase.CONNECTED
                    && !received
                    && now - lastReceived >= ACCEPTANCE_TIMEOUT_NANOS) {
                startOver(now);
            }
            if (phase == Phase.OUTSIDE) {
                connection.outOfBand(handshake.request());
                nextSend = now + RETRY_NANOS;
            } else {
                send(now);
                nextSend = Duty.nextDeadline(nextSend, COMMAND_INTERVAL_NANOS, now);
            }
        }
        return joined ? nextSend : Math.min(Math.min(nextSend, joinBy), refusedAt);
    }

    /** Asks for a challenge again. */
    private void startOver(long now) {
        phase = Phase.OUTSIDE;
        handshake.start();
        connection.clear();
        nextSend = now;
    }

    private void send(long now) {
        if (phase == Phase.ENTERED && view.hasFrame()) {
            BotController.PlayerInput input = config.controller().steer(now, view.movement());
            fighter.inventory.takeChange(now).ifPresent(this::command);
            if (fighter.inventory.takeDue(now)) {
                // It is shown, and hidden again.
                command(LocalInventory.COMMAND);
                command(LocalInventory.COMMAND);
            }
            connection.send(now, commandBuilder.steer(input, view.state(), view.usableFrame()));
        } else {
            connection.send(now);
        }
    }

    private void receive(long now, byte[] data) {
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            outOfBand(now, outOfBand.get());
            return;
        }
        if (phase == Phase.OUTSIDE && !handshake.isConnecting()) {
            return;
        }
        Reader r = new Reader(data);
        if (!connection.receive(r)) {
            return;
        }
        if (phase == Phase.OUTSIDE) {
            // The server has accepted the client, and its answer was lost: it ignores requests now.
            onAccepted(now);
        }
        lastReceived = now;
        received = true;
        try {
            while (r.remaining() > 0 && phase != Phase.ENDED) {
                message(now, Quake2Codec.readServer(r));
            }
            if (phase == Phase.CONNECTED) {
                // Answer at once: the server's messages to all need room besides its next answer.
                nextSend = now;
            }
        } catch (MalformedPacketException e) {
            leave();
            end(EndReason.PROTOCOL_ERROR, "the server sent a malformed message: " + e.getMessage());
        }
    }

    private void outOfBand(long now, OutOfBand packet) {
        if (packet.name().equals("ping")) {
            connection.outOfBand("ack");
        } else if (phase == Phase.OUTSIDE) {
            switch (handshake.answer(packet)) {
                case NEXT -> {
                    refusedAt = Long.MAX_VALUE;
                    nextSend = now;
                }
                case RETRY -> {
                    refusedAt = Long.MAX_VALUE;
                    nextSend = now + config.random().nextLong(RETRY_NANOS);
                }
                case ACCEPTED -> {
                    connection.open();
                    onAccepted(now);
                }
                case REFUSED -> {
                    refusedAt = Math.min(refusedAt, now + REFUSAL_DELAY_NANOS);
                    nextSend = Math.max(nextSend, refusedAt);
                }
                case IGNORED -> {}
            }
        }
    }

    private void onAccepted(long now) {
        lastReceived = now;
        received = false;
        refusedAt = Long.MAX_VALUE;
        phase = Phase.CONNECTED;
        nextSend = now;
        command("new");
    }

    private void message(long now, ServerMessage message) {
        switch (message) {
            case Frame frame -> frame(now, frame);
            case ServerMessage.ServerData data -> serverData(data);
            case ServerMessage.ConfigString string ->
                    view.onConfigString(string.index(), string.text());
            case ServerMessage.SpawnBaseline baseline -> view.baseline(baseline.entity());
            case ServerMessage.StuffText text -> text.text().lines().forEach(this::run);
            case ServerMessage.Print print -> print(print);
            case ServerMessage.CenterPrint centred ->
                    config.listener().onChat(this, "", Quake2Text.plain(centred.text()).strip());
            case ServerMessage.Download download -> download(download);
            case ServerMessage.Layout layout -> fighter.onLayout(layout.text());
            case ServerMessage.Inventory counted -> fighter.inventory.onCounts(counted.counts());
            case ServerMessage.Signal signal -> signal(now, signal);
            default -> {}
        }
    }

    private void signal(long now, ServerMessage.Signal signal) {
        switch (signal) {
            case DISCONNECT -> {
                String reason = lastPrint.isEmpty() ? "the server disconnected" : lastPrint;
                // A server that kicks repeats it until it is acknowledged; one that ends cannot.
                EndReason welcomed =
                        connection.newestIsReliable() ? EndReason.KICKED : EndReason.SERVER_CLOSED;
                end(joined ? welcomed : EndReason.REFUSED, reason);
            }
            case RECONNECT -> {
                startOver(now);
                view.reset();
                commandBuilder.reset();
            }
            case NOP -> {}
        }
    }

    private void serverData(ServerMessage.ServerData data) {
        if (data.protocol() != Quake2Codec.PROTOCOL) {
            leave();
            end(EndReason.REFUSED, "the server speaks protocol " + data.protocol());
            return;
        }
        view.start(data.playerNum());
        commandBuilder.reset();
        phase = Phase.CONNECTED;
    }

    /** Runs a command of the server: only the few that are needed to join. */
    private void run(String line) {
        String rest = CommandTokenizer.afterFirst(line);
        List<String> words = CommandTokenizer.of(line);
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "cmd" -> command(rest.replace("$version", "wishdir"));
            case "precache" -> {
                beginCommand = "begin " + (words.size() < 2 ? "" : words.get(1));
                if (downloadsMap && download.map().isEmpty()) {
                    download.start();
                    command("download " + view.configString(ServerMessage.ConfigString.MAP) + " 0");
                } else {
                    enter();
                }
            }
            case "frames" ->
                    view.setFramesPerSecond(
                            words.size() < 2
                                    ? ClientView.DEFAULT_FRAMES_PER_SECOND
                                    : Math.clamp(
                                            Numbers.parse(words.get(1))
                                                    .orElse(ClientView.DEFAULT_FRAMES_PER_SECOND),
                                            ClientView.DEFAULT_FRAMES_PER_SECOND,
                                            1000));
            case "changing" -> {
                phase = Phase.CONNECTED;
                download.clear();
            }
            case "reconnect" -> {
                phase = Phase.CONNECTED;
                command("new");
            }
            default -> {}
        }
    }

    private void enter() {
        command(beginCommand);
        phase = Phase.ENTERED;
    }

    private void download(ServerMessage.Download part) {
        if (beginCommand.isEmpty() || phase != Phase.CONNECTED) {
            return;
        }
        joinBy = lastReceived + config.joinTimeout().toNanos();
        switch (download.onBlock(part, view.configString(ServerMessage.ConfigString.CHECKSUM))) {
            case MORE -> command("nextdl");
            case COMPLETE -> enter();
            case REFUSED -> {
                leave();
                end(EndReason.REFUSED, "the server refuses to send its map");
            }
            case CHECKSUM_MISMATCH -> {
                leave();
                end(
                        EndReason.PROTOCOL_ERROR,
                        "the downloaded map does not have the checksum that the server announced");
            }
        }
    }

    private void print(ServerMessage.Print print) {
        String text = Quake2Text.plain(print.text()).strip();
        if (print.level() != ServerMessage.Print.CHAT) {
            lastPrint = text;
            config.listener().onChat(this, "", text);
            return;
        }
        int colon = text.indexOf(": ");
        config.listener()
                .onChat(
                        this,
                        colon < 0 ? "" : text.substring(0, colon),
                        colon < 0 ? text : text.substring(colon + 2));
    }

    private void frame(long now, Frame frame) {
        if (!view.apply(frame) || phase != Phase.ENTERED) {
            return;
        }
        if (!joined) {
            joined = true;
            config.listener().onJoined(this);
        }
        if (fighter.onState(view.state())) {
            fighter.inventory.clear();
        }
        fighter.inventory.onState(view.state(), view.gunModel());
        view.notifyListener(now);
    }
}

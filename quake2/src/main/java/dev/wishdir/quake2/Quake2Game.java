package dev.wishdir.quake2;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.MasterServer;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.game.operator.PasswordRules;
import dev.wishdir.game.proxy.ProxyCodec;
import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.inspect.PositionReader;
import dev.wishdir.quake2.inspect.Quake2Dissector;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.Quake2ProxyRules;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.proxy.Quake2ProxyCodec;
import dev.wishdir.quake2.server.Quake2Endpoint;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Quake II, protocol 34. */
public final class Quake2Game implements Game {
    private static final String DATA = "data";
    private static final String FRAMES = "max-frame-rate";
    private static final String WEAPONS = "weapons";
    private static final BodyDimensions BODY =
            new BodyDimensions(Quake2Codec.GAME, 1, 1.75, 0.5625, 1.5);
    private static final int BSP = 38;

    /** Resolution of the view angles that others see. */
    private static final double STEP_DEGREES = 360.0 / 256;

    /**
     * Distance of a tag's angle from the next step, in steps, so that neither rounding nor
     * truncation changes the tag.
     */
    private static final double MARGIN_STEPS = 0.25;

    /**
     * Number of yaw steps: half a turn, as servers truncate towards zero, round, or round down, so
     * tags have no negative angle.
     */
    private static final int YAW_STEPS = 128;

    /** Number of pitch steps: up to 89 degrees downwards, of which others see a third. */
    private static final int PITCH_STEPS = 20;

    @Override
    public String name() {
        return Quake2Codec.GAME;
    }

    @Override
    public String title() {
        return "Quake II";
    }

    @Override
    public int port() {
        return Quake2Codec.PORT;
    }

    @Override
    public String joinInstruction(String host, int port) {
        return "connect " + host + (port == port() ? "" : ":" + port) + " in the console";
    }

    @Override
    public Colours colours() {
        return new Colours(0x7FD962, 0x2F7D12, 0x5FC93C);
    }

    @Override
    public Map<DamageMeans, String> weaponNames() {
        return Map.of(
                DamageMeans.PISTOL, "blaster",
                DamageMeans.RIFLE, "railgun",
                DamageMeans.ROCKET, "rocket launcher",
                DamageMeans.BFG, "BFG10K");
    }

    @Override
    public double damageFactor() {
        return 1.6;
    }

    @Override
    public String watcher() {
        return "a spectator (userinfo spectator, with --password as its value); sees players in"
                + " the parts of the map that are potentially visible from there";
    }

    @Override
    public List<String> stockMaps() {
        return List.of(
                "base1", "base2", "base3", "demo1", "match1", "q2dm1", "q2dm2", "q2dm3", "q2dm4",
                "q2dm5", "q2dm6", "q2dm7", "q2dm8");
    }

    @Override
    public Optional<String> mapFormat() {
        return Optional.of("Quake II (IBSP 38)");
    }

    @Override
    public String proxyNote() {
        return "downloads over HTTP bypass the proxy";
    }

    @Override
    public int movementRate() {
        return Quake2Client.COMMANDS_PER_SECOND;
    }

    @Override
    public Optional<BodyDimensions> body() {
        return Optional.of(BODY);
    }

    @Override
    public List<Level.File> files(BlockArena arena) throws IOException {
        return Quake2MapCatalog.generated(arena).files();
    }

    @Override
    public Optional<StockMap> map(String name, byte[] file) throws IOException {
        return StockMap.isVersion(file, BSP)
                ? Optional.of(Quake2MapCatalog.stock(name, file, BODY))
                : Optional.empty();
    }

    @Override
    public Optional<byte[]> mapFile(String name, Map<String, String> options) throws IOException {
        return new Quake2MapCatalog(folder(options)).file(name).map(Bytes::toArray);
    }

    private static Optional<Path> folder(Map<String, String> options) {
        return Optional.ofNullable(options.get(DATA)).map(Path::of);
    }

    @Override
    public List<Option> options() {
        return List.of(
                new Option(
                        DATA,
                        "DIR",
                        "Quake II folder with maps: .bsp files, or .pak and .pkz archives."),
                new Option(
                        FRAMES,
                        "N",
                        "Maximum frames per second for clients that request more than 10: 10 to "
                                + Quake2Endpoint.MAX_FRAMES_PER_SECOND
                                + " (default)."),
                new Option(
                        MasterServer.OPTION,
                        "HOST[:PORT],...",
                        "Master servers to register at, for server lists (default: none)."),
                new Option(
                        WEAPONS,
                        "NAME",
                        "What players have in matches: "
                                + Loadout.BLASTER
                                + " (default), as in the game, or "
                                + Loadout.ALL
                                + "."));
    }

    @Override
    public void check(Map<String, String> options) {
        Option.requireKnown(this, options(), options);
        frames(options);
        loadout(options);
        folder(options)
                .filter(folder -> !Files.isDirectory(folder))
                .ifPresent(folder -> {
                    throw new IllegalArgumentException("option data: there is no folder " + folder);
                });
        MasterServer.parse(
                options.getOrDefault(MasterServer.OPTION, ""), Quake2Endpoint.MASTER_PORT);
    }

    /** Sent in an info string to join, and before an rcon command that is split at spaces. */
    @Override
    public PasswordRules passwordRules(PasswordRules.Kind kind) {
        return switch (kind) {
            case JOIN ->
                    new PasswordRules(
                            c -> c >= ' ' && c <= '~' && "\\\";".indexOf(c) < 0,
                            63,
                            "ASCII without \\ \" and ;");
            case ADMIN ->
                    new PasswordRules(
                            c -> c > ' ' && c <= '~' && "\";".indexOf(c) < 0,
                            63,
                            "ASCII without spaces, \" and ;");
        };
    }

    private static int frames(Map<String, String> options) {
        String maximum = Integer.toString(Quake2Endpoint.MAX_FRAMES_PER_SECOND);
        String value = options.getOrDefault(FRAMES, maximum);
        int frames = Numbers.parse(value).orElse(0);
        if (frames < 10 || frames > Quake2Endpoint.MAX_FRAMES_PER_SECOND) {
            throw new IllegalArgumentException(
                    "option max-frame-rate must be from 10 to " + maximum + ", is '" + value + "'");
        }
        return frames;
    }

    private static Loadout loadout(Map<String, String> options) {
        try {
            return Loadout.named(options.getOrDefault(WEAPONS, Loadout.BLASTER.toString()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("option weapons " + e.getMessage(), e);
        }
    }

    @Override
    public Endpoint serve(EndpointContext context) throws IOException {
        check(context);
        return Quake2Endpoint.open(
                context,
                new Quake2MapCatalog(folder(context.options()), context.blocks()),
                frames(context.options()),
                loadout(context.options()));
    }

    @Override
    public List<Option> clientOptions() {
        return List.of(new Option(ClientConfig.SPECTATE, "on|off", "Join as a spectator."));
    }

    @Override
    public Client connect(ClientConfig config) throws IOException {
        check(config);
        return Quake2Client.connect(config);
    }

    @Override
    public Optional<ProxyCodec<?>> proxyCodec() {
        return Optional.of(new Quake2ProxyCodec());
    }

    @Override
    public ProxyRules proxyRules() {
        return new Quake2ProxyRules();
    }

    @Override
    public Dissector dissector(boolean explain, Optional<Path> keys) {
        return new Quake2Dissector(explain);
    }

    @Override
    public Dissector movementDissector(CapturedPlayers players, List<String> keys) {
        return Quake2Dissector.movement(players);
    }

    @Override
    public MovementReader movementReader() {
        return new PositionReader();
    }

    @Override
    public int latencyTagCount() {
        return YAW_STEPS * PITCH_STEPS;
    }

    /** Others see the yaw in 256ths of a turn, and a third of the pitch in as many. */
    @Override
    public View encodeLatencyTag(int tag) {
        int yaw = tag % YAW_STEPS;
        int pitch = tag / YAW_STEPS;
        return new View(
                (yaw + MARGIN_STEPS) * STEP_DEGREES, -3 * (pitch + MARGIN_STEPS) * STEP_DEGREES);
    }

    @Override
    public int decodeLatencyTag(Movement seen) {
        int yaw = Quake2Motion.angle8(seen.yaw());
        int pitch = Quake2Motion.angle8(-seen.pitch() / 3);
        return yaw >= YAW_STEPS || pitch >= PITCH_STEPS ? -1 : pitch * YAW_STEPS + yaw;
    }
}

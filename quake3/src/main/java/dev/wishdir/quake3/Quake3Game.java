package dev.wishdir.quake3;

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
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.inspect.PositionReader;
import dev.wishdir.quake3.inspect.Quake3Dissector;
import dev.wishdir.quake3.map.Pak;
import dev.wishdir.quake3.map.PakSearchPath;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.netchan.Quake3ProxyRules;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.proxy.Quake3ProxyCodec;
import dev.wishdir.quake3.server.Quake3Endpoint;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The entry point of Quake III Arena, ioquake3 and OpenArena. */
public final class Quake3Game implements Game {
    private static final String GAME = "game";
    private static final String DATA = "data";
    private static final String PURE = "pure";
    private static final BodyDimensions BODY =
            new BodyDimensions(Quake3Codec.GAME, 0.9375, 1.75, 0.5625, 1.5);
    private static final int BSP = 46;
    private static final int MASTER_PORT = 27_950;

    /** A tag is a yaw and a pitch in whole degrees, the precision that other clients receive. */
    private static final int YAWS = 340;

    private static final int PITCHES = 120;

    @Override
    public String name() {
        return Quake3Codec.GAME;
    }

    @Override
    public String title() {
        return "Quake III Arena, OpenArena";
    }

    @Override
    public boolean isListedByIpv6() {
        return true;
    }

    @Override
    public int port() {
        return 27_960;
    }

    @Override
    public String joinInstruction(String host, int port) {
        return "/cl_allowDownload 1, then /connect " + host + (port == port() ? "" : ":" + port);
    }

    @Override
    public Colours colours() {
        return new Colours(0xFF7B85, 0xB8202D, 0xF4505C);
    }

    @Override
    public Map<DamageMeans, String> weaponNames() {
        return Map.of(
                DamageMeans.MELEE, "gauntlet",
                DamageMeans.RIFLE, "railgun",
                DamageMeans.ROCKET, "rocket launcher",
                DamageMeans.GRENADE, "grenade launcher",
                DamageMeans.BFG, "BFG10K");
    }

    @Override
    public double damageFactor() {
        return 0.8;
    }

    @Override
    public String watcher() {
        return "a spectator (team spectator); sees players in the parts of the map that are"
                + " potentially visible from there";
    }

    @Override
    public List<String> stockMaps() {
        return Stream.concat(
                        Stream.of(
                                "oa_dm1",
                                "oa_dm2",
                                "oa_dm3",
                                "oa_dm4",
                                "oa_dm5",
                                "oa_dm6",
                                "oa_dm7",
                                "aggressor",
                                "q3tourney1"),
                        IntStream.rangeClosed(0, 19).mapToObj(i -> "q3dm" + i))
                .toList();
    }

    @Override
    public Optional<String> mapFormat() {
        return Optional.of("Quake III (IBSP 46)");
    }

    @Override
    public String proxyNote() {
        return "downloads over HTTP bypass the proxy";
    }

    @Override
    public int movementRate() {
        return Quake3Client.MESSAGES_PER_SECOND;
    }

    @Override
    public Optional<BodyDimensions> body() {
        return Optional.of(BODY);
    }

    @Override
    public List<Level.File> files(BlockArena arena) throws IOException {
        return Quake3MapCatalog.generated(arena).played().files();
    }

    @Override
    public Optional<StockMap> map(String name, byte[] file) throws IOException {
        return StockMap.isVersion(file, BSP)
                ? Optional.of(Quake3MapCatalog.stock(name, file, BODY))
                : Optional.empty();
    }

    @Override
    public Optional<byte[]> mapFile(String name, Map<String, String> options) throws IOException {
        return new Quake3MapCatalog(folder(options)).file(name);
    }

    private static Optional<Path> folder(Map<String, String> options) throws IOException {
        String data = options.getOrDefault(DATA, "");
        return data.isEmpty()
                ? PakSearchPath.usual()
                // Fails at the start, not at the first change of the map.
                : Optional.of(PakSearchPath.read(Path.of(data)).folder());
    }

    @Override
    public List<Option> options() {
        return List.of(
                new Option(
                        GAME,
                        "NAME",
                        "The game of the clients: baseoa (OpenArena, default) or baseq3 (Quake"
                                + " III)."),
                new Option(
                        DATA,
                        "DIR",
                        "The folder of the game with its pk3 files, for --map (default: an"
                                + " installed OpenArena)."),
                new Option(
                        Quake3Endpoint.WEAPONS,
                        "spawn|all",
                        "The weapons with which a life in a match begins: those of the game"
                                + " (gauntlet and machine gun, default) or all."),
                new Option(
                        PURE,
                        "0|1",
                        "1: accept only clients with the same pk3 files as --quake3-data (default"
                                + " 0)."),
                new Option(
                        MasterServer.OPTION,
                        "HOST[:PORT],...",
                        "Master servers to register at (default: none)."));
    }

    private static boolean isPure(Map<String, String> options) {
        String pure = options.getOrDefault(PURE, "0");
        return switch (pure) {
            case "0" -> false;
            case "1" -> true;
            default ->
                    throw new IllegalArgumentException(
                            "option pure is '" + pure + "', must be 0 or 1");
        };
    }

    private static List<Pak> paks(boolean pure, Optional<Path> folder) throws IOException {
        if (!pure) {
            return List.of();
        }
        Path data =
                folder.orElseThrow(() ->
                        new IllegalArgumentException(
                                "option pure 1 needs the game's folder: name it with option"
                                        + " data"));
        List<Pak> paks = PakSearchPath.read(data).paks();
        if (paks.isEmpty()) {
            throw new IOException(
                    "option pure 1: none of the pk3 files in " + data + " can be read");
        }
        return paks;
    }

    @Override
    public void check(Map<String, String> options) {
        Option.requireKnown(this, options(), options);
        game(options);
        MasterServer.parse(options.getOrDefault(MasterServer.OPTION, ""), MASTER_PORT);
        isPure(options);
        Quake3Endpoint.weapons(options);
        try {
            folder(options);
        } catch (IOException e) {
            throw new IllegalArgumentException("option data: " + e.getMessage(), e);
        }
    }

    /** Rules of an info string, or of a word of a command line; both turn % into a dot. */
    @Override
    public PasswordRules passwordRules(PasswordRules.Kind kind) {
        return switch (kind) {
            case JOIN ->
                    new PasswordRules(
                            c -> c >= ' ' && c <= '~' && "\\\";%".indexOf(c) < 0,
                            63,
                            "ASCII without \\ \" ; and %");
            case ADMIN ->
                    new PasswordRules(
                            c -> c > ' ' && c <= '~' && "\";%".indexOf(c) < 0,
                            63,
                            "ASCII without blanks, \" ; and %");
        };
    }

    private static String game(Map<String, String> options) {
        String game = options.getOrDefault(GAME, "baseoa");
        if (!game.equals("baseoa") && !game.equals("baseq3")) {
            throw new IllegalArgumentException(
                    "option game is '" + game + "', must be baseoa or baseq3");
        }
        return game;
    }

    @Override
    public Endpoint serve(EndpointContext context) throws IOException {
        check(context);
        String game = game(context.options());
        List<MasterServer> masters =
                MasterServer.parse(
                        name(),
                        context.options().getOrDefault(MasterServer.OPTION, ""),
                        MASTER_PORT);
        Optional<Path> folder = folder(context.options());
        List<Pak> paks = paks(isPure(context.options()), folder);
        return Quake3Endpoint.open(
                context, new Quake3MapCatalog(folder, context.blocks()), game, paks, masters);
    }

    @Override
    public List<Option> clientOptions() {
        return List.of(new Option(ClientConfig.SPECTATE, "on|off", "Join as a spectator."));
    }

    @Override
    public Client connect(ClientConfig config) throws IOException {
        check(config);
        return Quake3Client.connect(config);
    }

    @Override
    public Optional<ProxyCodec<?>> proxyCodec() {
        return Optional.of(new Quake3ProxyCodec());
    }

    @Override
    public ProxyRules proxyRules() {
        return new Quake3ProxyRules();
    }

    @Override
    public Dissector dissector(boolean explain, Optional<Path> keys) {
        return new Quake3Dissector(explain);
    }

    @Override
    public Dissector movementDissector(CapturedPlayers players, List<String> keys) {
        return Quake3Dissector.movement(players);
    }

    @Override
    public MovementReader movementReader() {
        return new PositionReader();
    }

    @Override
    public int latencyTagCount() {
        return YAWS * PITCHES;
    }

    @Override
    public View encodeLatencyTag(int tag) {
        int yaw = tag % YAWS - YAWS / 2;
        int down = tag / YAWS - PITCHES / 2;
        return new View(Angles.wrap360(middle(yaw)), -middle(down));
    }

    /** The middle of the angles that are truncated to this number of degrees. */
    private static double middle(int degrees) {
        return degrees < 0 ? degrees - 0.5 : degrees + 0.5;
    }

    @Override
    public int decodeLatencyTag(Movement seen) {
        long yaw = Math.round(Angles.wrap180(seen.yaw())) + YAWS / 2;
        long down = Math.round(-seen.pitch()) + PITCHES / 2;
        return yaw < 0 || yaw >= YAWS || down < 0 || down >= PITCHES
                ? -1
                : (int) (down * YAWS + yaw);
    }
}

package dev.wishdir.bedrock;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.validation.MovementLimits;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.inspect.BedrockDissector;
import dev.wishdir.bedrock.inspect.PositionReader;
import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockProxyRules;
import dev.wishdir.bedrock.proxy.BedrockProxyKind;
import dev.wishdir.bedrock.server.BedrockEndpoint;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.game.proxy.ProxyKind;
import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.motion.Movement;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Minecraft: Bedrock Edition. */
public final class BedrockGame implements Game {
    private static final int PORT = 19132;
    private static final int TURN = 360;
    private static final int PITCHES = 20;
    private static final double HALF = 0.5;
    private static final double MARK = 0.25;
    private static final double FIRST_PITCH = 10;
    private static final double NEAR = 0.1;

    private final BedrockCodec codec;
    private final InstantSource clock;

    /** Creates the game by the system's clock, with clients of the reference version. */
    public BedrockGame() {
        this(InstantSource.system());
    }

    /**
     * Creates the game, with clients of the reference version.
     *
     * @param clock for the validity of logins; with seeded randomness and virtual time a session is
     *     reproducible
     */
    public BedrockGame(InstantSource clock) {
        this(BedrockCodec.V748, clock);
    }

    private BedrockGame(BedrockCodec codec, InstantSource clock) {
        this.codec = codec;
        this.clock = clock;
    }

    @Override
    public Game ofVersion(String version) {
        return new BedrockGame(
                BedrockCodec.named(version)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "bedrock speaks "
                                                + BedrockCodec.OLDEST.game()
                                                + " to "
                                                + BedrockCodec.NEWEST.game()
                                                + ", or one of the protocols "
                                                + Arrays.stream(BedrockCodec.protocols())
                                                        .mapToObj(Integer::toString)
                                                        .collect(Collectors.joining(", ")))),
                clock);
    }

    @Override
    public String name() {
        return BedrockCodec.NAME;
    }

    @Override
    public String title() {
        return "Minecraft: Bedrock";
    }

    @Override
    public int port() {
        return PORT;
    }

    @Override
    public String joinInstruction(String host, int port) {
        return "add a server: address " + host + ", port " + port;
    }

    @Override
    public List<Port> ports() {
        return List.of(new Port("Bedrock's NetherNet", 0, true));
    }

    @Override
    public Colours colours() {
        return new Colours(0x6CC8FF, 0x0B6AA8, 0x3FA9FF);
    }

    @Override
    public Map<DamageMeans, String> weaponNames() {
        return Map.of(
                DamageMeans.MELEE, "sword or hand",
                DamageMeans.PISTOL, "bow or crossbow",
                DamageMeans.MACHINE_GUN, "snowball",
                DamageMeans.RIFLE, "trident");
    }

    @Override
    public double damageFactor() {
        return 1.1;
    }

    @Override
    public String watcher() {
        return "a silent player; sees players within the server's view distance";
    }

    @Override
    public Optional<String> refusalAdvice(String reason) {
        return reason.contains("xbox") || reason.contains("notauthenticated")
                ? Optional.of(
                        "this client has no account: a Wishdir server accepts it with"
                                + " --bedrock-auth off, Mojang's with online-mode=false")
                : Optional.empty();
    }

    @Override
    public List<String> versions() {
        return BedrockCodec.versions();
    }

    @Override
    public List<Option> proxyOptions() {
        return BedrockProxyKind.OPTIONS;
    }

    @Override
    public ProxyKind<?> proxy(Map<String, String> options) throws IOException {
        return BedrockProxyKind.of(options);
    }

    @Override
    public String proxyNote() {
        return "sessions are decrypted: the proxy has an encrypted connection of its own to client"
                + " and server, and signs the login again, without the player's Xbox account. The"
                + " server must allow that (online mode off), or --account is needed. Transfers to"
                + " another server do not pass. With --transparent only the transport and the login"
                + " are shown, and NetherNet does not pass";
    }

    @Override
    public int movementRate() {
        return BedrockMotion.TICKS_PER_SECOND;
    }

    @Override
    public Optional<BodyDimensions> body() {
        return Optional.of(new BodyDimensions(name(), 0.6, 1.8, 0.5625, 1));
    }

    @Override
    public Optional<MovementLimits> movementLimits() {
        return Optional.of(BedrockBody.LIMITS);
    }

    @Override
    public List<Level.File> files(BlockArena arena) {
        return BlockWorld.chunks(arena.blocks()).stream()
                .map(chunk ->
                        new Level.File(
                                "chunks/" + chunk.x() + "." + chunk.z() + ".chunk",
                                chunk.payload()))
                .toList();
    }

    @Override
    public List<Option> options() {
        return List.of(
                new Option("authority", "server|client", "Movement authority (default server)."),
                new Option(
                        "auth",
                        "on|off",
                        "Accept only identities that Xbox has certified (default: on; off on"
                                + " loopback)."),
                new Option(
                        "auth-key",
                        "BASE64",
                        "The key that certifies identities (default: Mojang's)."),
                new Option(
                        "auth-issuer",
                        "FILE|off",
                        "Public keys that sign the tokens of newer versions, as a JSON Web Key Set"
                                + " or PEM (default: with auth on, fetched from Mojang's service"
                                + " when a player first needs them).",
                        Option.FileAccess.READ),
                new Option(
                        "auth-cache",
                        "FILE|off",
                        "Where fetched keys are kept for the next start (default:"
                                + " wishdir/bedrock-issuer-keys.json in the user's cache folder)."),
                new Option("encryption", "on|off", "Encrypt sessions over RakNet (default: on)."),
                new Option(
                        "compression",
                        "deflate|snappy|none",
                        "Compression of batches (default deflate)."),
                new Option(
                        "transport",
                        "both|raknet|nethernet",
                        "Transports (default both). NetherNet also needs the TCP port of the same"
                                + " number."),
                new Option(
                        "identity-key",
                        "FILE",
                        "The key that identifies the server over NetherNet; created if missing"
                            + " (default: a new key at each start, and clients ask their players"
                            + " again).",
                        Option.FileAccess.CREATE),
                new Option(
                        "public-address",
                        "HOST[:PORT]",
                        "Address to which clients send NetherNet packets if the server is behind a"
                                + " router (default: the address that the client requested)."),
                new Option(
                        "tls-certificate",
                        "FILE",
                        "Certificate chain (PEM) for NetherNet signalling over HTTPS.",
                        Option.FileAccess.READ),
                new Option(
                        "tls-key",
                        "FILE",
                        "Private key (PEM, PKCS#8) of the certificate.",
                        Option.FileAccess.READ),
                new Option(
                        "lan",
                        "on|off|PORT",
                        "Answer LAN discovery (default: off; on is port 7551)."));
    }

    @Override
    public List<Option> clientOptions() {
        return List.of(
                new Option(
                        BedrockClient.TRANSPORT,
                        "raknet|nethernet",
                        "Transport (default raknet)."));
    }

    @Override
    public void check(Map<String, String> options) {
        Option.requireKnown(this, options(), options);
        BedrockEndpoint.check(options);
    }

    @Override
    public Endpoint serve(EndpointContext context) throws IOException {
        check(context);
        return BedrockEndpoint.open(context, clock);
    }

    @Override
    public Client connect(ClientConfig config) throws IOException {
        check(config);
        return BedrockClient.connect(config, codec, clock);
    }

    @Override
    public ProxyRules proxyRules() {
        return new BedrockProxyRules();
    }

    @Override
    public Dissector dissector(boolean explain, Optional<Path> keys) throws IOException {
        return new BedrockDissector(explain, keys, codec);
    }

    @Override
    public Dissector movementDissector(CapturedPlayers players, List<String> keys) {
        return BedrockDissector.movement(players, keys, codec);
    }

    @Override
    public MovementReader movementReader() {
        return new PositionReader();
    }

    @Override
    public int latencyTagCount() {
        return TURN * PITCHES;
    }

    @Override
    public View encodeLatencyTag(int tag) {
        int turns = tag / TURN;
        return new View(tag % TURN + HALF, FIRST_PITCH + turns + MARK);
    }

    @Override
    public int decodeLatencyTag(Movement seen) {
        double yaw = Math.floor(seen.yaw());
        double pitch = Math.floor(seen.pitch() - FIRST_PITCH);
        boolean marked =
                Math.abs(seen.yaw() - yaw - HALF) < NEAR
                        && Math.abs(seen.pitch() - FIRST_PITCH - pitch - MARK) < NEAR
                        && pitch >= 0
                        && pitch < PITCHES;
        return marked ? (int) (pitch * TURN + yaw) : -1;
    }
}

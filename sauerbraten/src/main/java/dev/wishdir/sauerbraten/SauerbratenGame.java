package dev.wishdir.sauerbraten;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.validation.MovementLimits;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
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
import dev.wishdir.game.proxy.ProxyKind;
import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.sauerbraten.client.KickRequest;
import dev.wishdir.sauerbraten.client.SauerbratenClient;
import dev.wishdir.sauerbraten.inspect.PositionReader;
import dev.wishdir.sauerbraten.inspect.SauerbratenDissector;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenProxyRules;
import dev.wishdir.sauerbraten.proxy.SauerbratenProxyCodec;
import dev.wishdir.sauerbraten.server.SauerbratenEndpoint;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cube 2: Sauerbraten, protocol 260. */
public final class SauerbratenGame implements Game {
    private static final int PORT = 28_785;
    private static final int RATE = 30;

    /** A latency tag is a view in whole degrees, as on the wire, without the steepest pitches. */
    private static final int MAX_PITCH = 80;

    private static final int YAW_STEPS = 360;

    @Override
    public String name() {
        return SauerbratenCodec.GAME;
    }

    @Override
    public String title() {
        return "Cube 2: Sauerbraten";
    }

    @Override
    public int port() {
        return PORT;
    }

    @Override
    public String joinInstruction(String host, int port) {
        return "/connect " + host + (port == port() ? "" : " " + port);
    }

    @Override
    public List<Port> ports() {
        return List.of(new Port("Sauerbraten's server browser", 1, false));
    }

    @Override
    public Colours colours() {
        return new Colours(0xFFB454, 0xA35A00, 0xFFA52E);
    }

    @Override
    public Map<DamageMeans, String> weaponNames() {
        return Map.of(
                DamageMeans.MELEE, "fist",
                DamageMeans.PISTOL, "pistol",
                DamageMeans.MACHINE_GUN, "chaingun",
                DamageMeans.RIFLE, "rifle",
                DamageMeans.ROCKET, "rocket launcher",
                DamageMeans.GRENADE, "grenade launcher");
    }

    @Override
    public double damageFactor() {
        return 0.35;
    }

    @Override
    public String watcher() {
        return "a spectator (N_SPECTATOR); sees all players";
    }

    @Override
    public int movementRate() {
        return RATE;
    }

    @Override
    public Optional<BodyDimensions> body() {
        return Optional.of(new BodyDimensions(name(), 1.025, 1.875, 0.5125, 2));
    }

    @Override
    public Optional<MovementLimits> movementLimits() {
        return Optional.of(SauerbratenMotion.LIMITS);
    }

    @Override
    public List<Level.File> files(BlockArena arena) {
        return List.of(
                new Level.File(
                        "packages/base/" + arena.mapName() + ".ogz",
                        OgzCompiler.build(arena).file()));
    }

    @Override
    public List<Option> options() {
        return List.of(
                new Option(
                        SauerbratenEndpoint.MODE,
                        "NUMBER",
                        "The first mode, 0 (ffa) to 8 (tac team), and in a match with flags 11"
                                + " (ctf), 12 (insta ctf) or 17 (effic ctf). Default: coop edit"
                                + " (1) for an arena, that of the match or ffa for a map file."),
                new Option(
                        MapFile.OPTION,
                        "FILE",
                        "The .ogz file of the first map. In coop edit, clients download it; in"
                                + " other modes, the server announces players with another file.",
                        Option.FileAccess.READ),
                new Option(
                        SauerbratenEndpoint.EDIT,
                        "off|master|all",
                        "Players of this game that may edit the map in coop edit. Default: off if"
                                + " other games play the same arena, otherwise all."),
                new Option(
                        SauerbratenEndpoint.AUTH_KEYS,
                        "FILE",
                        "Public keys of players that may become master, auth or admin. Lines: "
                                + SauerbratenEndpoint.AUTH_KEY_LINE
                                + ". Read again when it changes.",
                        Option.FileAccess.READ),
                new Option(
                        SauerbratenEndpoint.AUTH_DOMAIN,
                        "NAME",
                        "Players with a key of this domain enter without the password, in private"
                                + " mode, and when the server is full."),
                new Option(
                        MasterServer.OPTION,
                        "HOST[:PORT],...",
                        "Master servers to register at, for the game's server list (default:"
                                + " none). Owners of keys that they know become auth; they may ban"
                                + " addresses."),
                new Option(
                        SauerbratenEndpoint.RELAYS,
                        "NUMBER",
                        "Maximum position packets per second to a client, 30 to 1000 (default "
                                + SauerbratenEndpoint.DEFAULT_RELAYS
                                + ")."));
    }

    @Override
    public List<Option> clientOptions() {
        return List.of(
                new Option(
                        MapFile.OPTION,
                        "FILE",
                        "The server's .ogz map file. Without it, the server announces the bot as a"
                                + " player without the map.",
                        Option.FileAccess.READ),
                new Option(
                        PlayerKeys.OPTION,
                        "FILE",
                        "Private keys with which to enter and to claim rights; lines as wishdir"
                                + " sauerbraten-key prints them, or the game's auth.cfg.",
                        Option.FileAccess.READ),
                new Option(
                        KickRequest.OPTION,
                        "NAME",
                        "Kick the player of this name, once the client has a privilege, as by"
                                + " --key."),
                new Option(ClientConfig.SPECTATE, "on|off", "Join as a spectator."));
    }

    @Override
    public void check(Map<String, String> options) {
        Option.requireKnown(this, options(), options);
        SauerbratenEndpoint.check(options);
    }

    /** The password hash ignores characters outside the game's character set. */
    @Override
    public PasswordRules passwordRules(PasswordRules.Kind kind) {
        return new PasswordRules(
                c -> c >= ' ' && c <= 0xFFFF && CubeText.code((char) c) >= ' ' && c != '"',
                200,
                "from the game's character set, without \"");
    }

    @Override
    public Endpoint serve(EndpointContext context) throws IOException {
        check(context);
        return SauerbratenEndpoint.open(context);
    }

    @Override
    public Client connect(ClientConfig config) throws IOException {
        check(config);
        return SauerbratenClient.connect(config);
    }

    @Override
    public Optional<ProxyCodec<?>> proxyCodec() {
        return Optional.of(new SauerbratenProxyCodec());
    }

    @Override
    public ProxyRules proxyRules() {
        return new SauerbratenProxyRules();
    }

    @Override
    public Dissector dissector(boolean explain, Optional<Path> keys) {
        return new SauerbratenDissector(explain);
    }

    @Override
    public Dissector movementDissector(CapturedPlayers players, List<String> keys) {
        return SauerbratenDissector.movement(players);
    }

    @Override
    public List<Option> proxyOptions() {
        return List.of(
                new Option(
                        PlayerKeys.OPTION,
                        "FILE",
                        "Prove the keys of this file to the server, for clients without a key of"
                                + " their own; lines as wishdir sauerbraten-key prints them, or the"
                                + " game's auth.cfg.",
                        Option.FileAccess.READ));
    }

    @Override
    public ProxyKind<?> proxy(Map<String, String> options) throws IOException {
        String keys = options.getOrDefault(PlayerKeys.OPTION, "");
        return keys.isEmpty()
                ? ProxyKind.ofDatagrams(new SauerbratenProxyCodec())
                : ProxyKind.ofSessions(new SauerbratenProxyCodec(PlayerKeys.read(keys)));
    }

    @Override
    public MovementReader movementReader() {
        return new PositionReader();
    }

    @Override
    public int latencyTagCount() {
        return YAW_STEPS * (2 * MAX_PITCH + 1);
    }

    @Override
    public View encodeLatencyTag(int tag) {
        return new View(tag % YAW_STEPS, tag / YAW_STEPS - MAX_PITCH);
    }

    @Override
    public int decodeLatencyTag(Movement seen) {
        int yaw = (int) Math.round(Angles.wrap360(seen.yaw())) % YAW_STEPS;
        int pitch = (int) Math.round(seen.pitch());
        return Math.abs(pitch) > MAX_PITCH ? -1 : yaw + YAW_STEPS * (pitch + MAX_PITCH);
    }
}

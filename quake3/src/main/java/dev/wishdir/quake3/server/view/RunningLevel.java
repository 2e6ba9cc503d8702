package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.Level.File;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.quake3.combat.PickupItem;
import dev.wishdir.quake3.entity.LevelEntities;
import dev.wishdir.quake3.map.Pak;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.wire.Bytes;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The current level: server id, clock, entities, purity and the configstrings of these. */
public final class RunningLevel {
    /** The sound of a powerup that is there again. */
    private static final String POWERUP_RETURNS = "sound/items/poweruprespawn.wav";

    /** Server frames a second. */
    public static final int FRAMES_PER_SECOND = 40;

    /** The length of a server frame. */
    public static final long FRAME_NANOS = 1_000_000_000L / FRAMES_PER_SECOND;

    static final int FRAME_MILLIS = 1_000 / FRAMES_PER_SECOND;

    private static final long MILLI = 1_000_000;
    private static final int START_TIME_MILLIS = 5_000;

    /**
     * Server time at which a level must begin again: clients of the game cannot pass the largest
     * number of 31 bits, and have 74 h to load the level.
     */
    static final int MAX_TIME_MILLIS = 0x7000_0000;

    /** {@code sv_allowDownload}: downloads are allowed; clients stay connected during HTTP ones. */
    private static final int DOWNLOAD_FLAGS = 1 | 8;

    private static final MatchRules NO_LIMITS =
            MatchRules.of(MatchMode.NONE).withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private final EndpointContext context;
    private Quake3Map map;
    private final String game;
    private final List<Pak> paks;
    private Purity purity = new Purity(List.of(), 0);
    private final RandomGenerator random;
    private long started;
    private int clockSetBack;
    private int serverId;
    private int restartedServerId;
    private int checksumFeed;
    private int levelStart;
    private boolean serverCount;
    private LevelEntities entities;
    private List<Quake3Map.Spawn> flagSpawns = List.of();
    private final MatchStrings matchStrings = new MatchStrings();

    /**
     * @param game the game folder that clients must have, {@code baseoa} or {@code baseq3}
     * @param paks that clients must have, empty if the server is not pure
     */
    public RunningLevel(EndpointContext context, Quake3Map map, String game, List<Pak> paks) {
        this.paks = paks;
        this.context = context;
        this.map = map;
        this.game = game;
        random = context.random();
        started = context.cycle().now();
        entities = new LevelEntities(map, random);
        begin(started, map);
    }

    /** Begins a level, with a clock of its own; every client then needs a gamestate. */
    public void begin(long now, Quake3Map map) {
        this.map = map;
        flagSpawns = map.flagSpawns();
        int before = time(now);
        started = now;
        clockSetBack = before - time(now);
        restart(now);
        restartedServerId = serverId;
        checksumFeed = random.nextInt();
        purity = new Purity(paks.isEmpty() ? paks : searchOrder(map), checksumFeed);
        context.httpDownloads()
                .offer(
                        Quake3Codec.GAME,
                        map
                                .offer()
                                .map(each -> new File(pakName(each.pak()) + ".pk3", each.file()))
                                .stream()
                                .toList());
    }

    /** All paks of the server in the search order of clients: by name, the last first. */
    private List<Pak> searchOrder(Quake3Map map) {
        return Stream.concat(
                        map.offer().map(Quake3Map.Offer::pak).stream(), paks.reversed().stream())
                .sorted(
                        Comparator.comparing((Pak pak) -> pak.name().toLowerCase(Locale.ROOT))
                                .reversed())
                .toList();
    }

    /** The pak checksums that clients must prove. */
    public Purity purity() {
        return purity;
    }

    /** Restarts the level; clients keep its gamestate. */
    public void restart(long now) {
        serverId = Math.max(serverId + 1, time(now) & 0x7FFFFF);
        levelStart = time(now);
        entities = new LevelEntities(map, random);
        serverCount = !serverCount;
    }

    /** Begins a round of the match in the same level: its clock starts again. */
    public void startRound(long now) {
        levelStart = time(now);
    }

    /** The configstrings of the match. */
    public MatchStrings matchStrings() {
        return matchStrings;
    }

    /** The solids of the level, with its movers where they are. */
    public BrushWorld world() {
        return map.world().with(List.of(), entities.placed());
    }

    /** The server time in milliseconds, by the clock of the level. */
    public int time(long now) {
        return START_TIME_MILLIS + (int) ((now - started) / MILLI);
    }

    /** Whether the level must begin again, as its clock is near the end of its numbers. */
    public boolean isExhausted(long now) {
        return (now - started) / MILLI >= MAX_TIME_MILLIS;
    }

    /** By how much the newest level's clock was set back when it began, milliseconds. */
    public int clockSetBack() {
        return clockSetBack;
    }

    public int serverId() {
        return serverId;
    }

    /** Whether a client with this server id has not yet received a restart of the level. */
    public boolean isBeforeRestart(int id) {
        return id >= restartedServerId && id < serverId;
    }

    /** Server time at which the level began, milliseconds. */
    public int levelStart() {
        return levelStart;
    }

    /** The snapshot flag that toggles with each level and each restart. */
    public int serverCountFlag() {
        return serverCount ? ServerMessage.Snapshot.SERVER_COUNT : 0;
    }

    public Quake3Map level() {
        return map;
    }

    /** The spawn points of the level in the mode that is played. */
    public List<Quake3Map.Spawn> spawns() {
        return hasFlags() ? flagSpawns : map.spawns();
    }

    /** Triggers, movers and baselines of the level. */
    public LevelEntities entities() {
        return entities;
    }

    public boolean openArena() {
        return game.equals("baseoa");
    }

    /** The file that a client may download under this name, if any. */
    public Optional<Bytes> offer(String file) {
        return map.offer()
                .filter(offer -> file.equals(pakName(offer.pak()) + ".pk3"))
                .map(Quake3Map.Offer::file);
    }

    private String pakName(Pak pak) {
        return game + "/" + pak.name();
    }

    public InfoString serverinfo() {
        return new InfoString()
                .put("sv_hostname", Quake3Text.serverName(context.name()))
                .put("mapname", map.name())
                .put("sv_maxclients", EntityState.MAX_CLIENTS)
                .put("gamename", game)
                .put("g_gametype", TeamNumber.gameType(rules().mode()))
                .put("dmflags", 0)
                .put("fraglimit", hasFlags() ? 0 : rules().scoreLimit())
                .put("timelimit", (int) rules().timeLimit().toMinutes())
                .put("capturelimit", hasFlags() ? rules().scoreLimit() : 0)
                .put("version", context.software());
    }

    /** Whether the board of the arena's match is shown, between two rounds. */
    public boolean isIntermission() {
        return context.arena().match().phase() == Match.Phase.INTERMISSION;
    }

    private boolean hasFlags() {
        return rules().mode().hasFlags();
    }

    private MatchRules rules() {
        return context.arena().match().isOn() ? context.arena().match().rules() : NO_LIMITS;
    }

    public InfoString systeminfo() {
        return new InfoString()
                .put("sv_serverid", serverId)
                .put("sv_pure", purity.isRequired() ? 1 : 0)
                .put("sv_cheats", 0)
                .put("sv_fps", FRAMES_PER_SECOND)
                .put("pmove_fixed", 0)
                .put("pmove_msec", 8)
                .put("pmove_float", openArena() ? 1 : 0)
                .put("g_synchronousClients", 0)
                .put("timescale", 1)
                .put("sv_paks", purity.checksums())
                .put("sv_pakNames", purity.names())
                .put("sv_referencedPaks", joined(pak -> pak.checksum() + " "))
                .put("sv_referencedPakNames", joined(pak -> pakName(pak) + " ").strip());
    }

    /** Joins a property of the paks that a client needs, and downloads if it lacks them. */
    private String joined(Function<Pak, String> part) {
        return Stream.concat(map.offer().map(Quake3Map.Offer::pak).stream(), purity.needed())
                .map(part)
                .collect(Collectors.joining());
    }

    /**
     * The gamestate of a client: configstrings, baselines, client number and checksum feed.
     *
     * @param downloadUrl for HTTP downloads; empty if the client downloads in band
     * @param lastCommand number of the last server command
     * @param players the configstring of the player in a slot; empty if there is none
     */
    public ServerMessage.Gamestate gamestate(
            int clientNum,
            Optional<String> downloadUrl,
            int lastCommand,
            IntFunction<String> players) {
        SortedMap<Integer, String> strings = new TreeMap<>();
        InfoString serverinfo = serverinfo();
        downloadUrl.ifPresent(
                url -> serverinfo.put("sv_allowDownload", DOWNLOAD_FLAGS).put("sv_dlURL", url));
        strings.put(Configstrings.SERVERINFO, serverinfo.toString());
        strings.put(Configstrings.SYSTEMINFO, systeminfo().toString());
        strings.put(Configstrings.MESSAGE, Quake3Text.value(map.title(), 80));
        strings.put(Configstrings.GAME_VERSION, game + "-1");
        strings.put(Configstrings.LEVEL_START_TIME, Integer.toString(levelStart));
        List<PlacedItem> items =
                context.arena().match().items().of(Quake3Codec.GAME).stream()
                        .map(Item::placed)
                        .toList();
        strings.put(Configstrings.ITEMS, PickupItem.marks(items, hasFlags()));
        if (items.stream().anyMatch(item -> item.kind() == ItemKind.QUAD)) {
            strings.put(Configstrings.SOUNDS + Configstrings.POWERUP_RETURNS, POWERUP_RETURNS);
        }
        matchStrings
                .all()
                .forEach((index, value) -> {
                    if (!value.isEmpty()) {
                        strings.put(index, value);
                    }
                });
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            String info = players.apply(slot);
            if (!info.isEmpty()) {
                strings.put(Configstrings.PLAYERS + slot, info);
            }
        }
        trim(strings, Configstrings.PLAYERS + clientNum);
        return new ServerMessage.Gamestate(
                lastCommand, strings, entities.baselines(), clientNum, checksumFeed);
    }

    /** Trims a gamestate to half of the client's limit by removing players from the last slot. */
    private static void trim(SortedMap<Integer, String> strings, int own) {
        int chars = 0;
        for (String text : strings.values()) {
            chars += text.length() + 1;
        }
        for (int i = Configstrings.PLAYERS + EntityState.MAX_CLIENTS;
                chars >= ServerMessage.Gamestate.MAX_CHARS / 2 && --i >= Configstrings.PLAYERS; ) {
            String text = i == own ? null : strings.remove(i);
            chars -= text == null ? 0 : text.length() + 1;
        }
    }
}

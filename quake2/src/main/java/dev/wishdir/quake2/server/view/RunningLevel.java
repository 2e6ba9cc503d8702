package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level.File;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.message.LayoutProgram;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The current level: its map, its files, and the entities of its frames. */
public final class RunningLevel {
    /** The game folder of the files of its clients. */
    public static final String GAME_FOLDER = "baseq2";

    private final Arena arena;
    private final HttpDownloads httpDownloads;
    private final ConfigStrings strings;
    private final ItemEntities items;
    private final FlagEntities flags;
    private Quake2Map map;

    /** The files that clients may download, by path. */
    private Map<String, Bytes> files = Map.of();

    private FrameEntities frameEntities;
    private PrecacheTable precache;
    private ShotSpace shotSpace;

    /** Begins the first level. */
    public RunningLevel(
            Arena arena,
            HttpDownloads httpDownloads,
            ConfigStrings strings,
            ItemEntities items,
            FlagEntities flags,
            long now,
            Quake2Map first) {
        this.items = items;
        this.flags = flags;
        this.arena = arena;
        this.httpDownloads = httpDownloads;
        this.strings = strings;
        map = first;
        frameEntities = new FrameEntities(first.areaBytes());
        precache = new PrecacheTable(first.inlineModels());
        shotSpace = new ShotSpace(first.world());
        begin(now, first);
    }

    /** Begins a level: the configstrings then describe its map, and no player. */
    public void begin(long now, Quake2Map next) {
        map = next;
        arena.setLevel(now, Quake2Codec.GAME, next.level());
        offer(next.files());
        frameEntities = new FrameEntities(next.areaBytes());
        precache = new PrecacheTable(next.inlineModels(), items.kinds(), flags.areOn());
        items.describe(precache);
        shotSpace = new ShotSpace(next.world());
        strings.describe(next);
        if (arena.match().isOn()) {
            strings.describe(
                    precache,
                    flags.areOn() ? LayoutProgram.FLAG_STATUS_BAR : LayoutProgram.STATUS_BAR);
            flags.describe(precache);
        }
    }

    /** Offers the files of the map; over HTTP their paths begin with the game folder. */
    private void offer(List<File> mapFiles) {
        files = mapFiles.stream().collect(Collectors.toUnmodifiableMap(File::path, File::content));
        httpDownloads.offer(
                Quake2Codec.GAME,
                mapFiles.stream()
                        .map(file -> new File(GAME_FOLDER + "/" + file.path(), file.content()))
                        .toList());
    }

    /** The flags of the match. */
    public FlagEntities flags() {
        return flags;
    }

    /** The spawn points of the map in the mode that is played. */
    public List<Movement> spawns() {
        return flags.areOn() ? map.flagSpawns() : map.spawns();
    }

    public Quake2Map map() {
        return map;
    }

    /** The models, sounds and pictures of fights by their indices. */
    public PrecacheTable precache() {
        return precache;
    }

    /** Space that shots meet. */
    public ShotSpace shotSpace() {
        return shotSpace;
    }

    /** A file that clients may download: only those of the current map. */
    public Optional<Bytes> download(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** The entities of the current frame. */
    public FrameEntities frameEntities() {
        return frameEntities;
    }
}

package dev.wishdir.sauerbraten.map;

import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.GameTeam;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.GzipInput;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

/**
 * A map of the game, an {@code .ogz} file of version 32 or 33 (Cube 2: Sauerbraten, maps). Its
 * geometry, an octree, is kept as bytes.
 *
 * @param version 32 in most of the maps that Debian packages, 33 in a new one
 * @param worldsize side of the world, units, a power of 2
 * @param numpvs number of visibility sets in the geometry
 * @param lightmaps number of lightmaps in the geometry
 * @param blendmap whether the geometry has a blend map
 * @param numvslots number of texture variants in the geometry
 * @param vars map variables
 * @param game that the map is for, {@code fps}
 * @param extraEntity additional bytes of each entity
 * @param extra additional data of the game
 * @param textures most recently used texture slots
 * @param entities messages refer to them by index
 * @param geometry the rest of the file
 */
public record Ogz(
        int version,
        int worldsize,
        int numpvs,
        int lightmaps,
        int blendmap,
        int numvslots,
        List<EditMessage.EditVar> vars,
        String game,
        int extraEntity,
        Bytes extra,
        List<Integer> textures,
        List<Entity> entities,
        Bytes geometry) {
    /** The version of new maps. */
    static final int VERSION = 33;

    /** Maximum uncompressed size of a map, bytes. */
    public static final int MAX_LENGTH = 64 << 20;

    /** Maximum number of entities. */
    public static final int MAX_ENTITIES = 10_000;

    /** A map to read into. */
    public static final Ogz BLANK =
            new Ogz(
                    VERSION,
                    2,
                    0,
                    0,
                    0,
                    0,
                    List.of(),
                    "",
                    0,
                    Bytes.EMPTY,
                    List.of(),
                    List.of(),
                    Bytes.EMPTY);

    private static final int MAGIC = 'O' | 'C' << 8 | 'T' << 16 | 'A' << 24;
    private static final int MIN_VERSION = 32;
    private static final int HEADER_LENGTH = 40;
    private static final int MAX_WORLD = 1 << 16;
    private static final int MAX_VARS = 10_000;

    public Ogz {
        vars = List.copyOf(vars);
        textures = List.copyOf(textures);
        entities = List.copyOf(entities);
    }

    /**
     * An entity of the map.
     *
     * @param x units, like {@code y} and {@code z}
     * @param attr1 meaning depends on the type
     * @param type 3 player start (attr1 yaw, attr2 team), 8..18 items, 19 teleport, 20 teledest, 23
     *     jump pad, 24 base, 30 flag
     */
    public record Entity(
            float x,
            float y,
            float z,
            int attr1,
            int attr2,
            int attr3,
            int attr4,
            int attr5,
            int type,
            int reserved,
            Bytes extra) {
        /** Type of a player start. */
        public static final int PLAYERSTART = 3;

        /** Type of a flag; {@code attr1} is the yaw, {@code attr2} the team. */
        public static final int FLAG = 30;

        /** Height of player starts above the ground in generated maps, units. */
        public static final int PLAYER_START_HEIGHT = 4;

        private static final Entity BLANK = new Entity(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Bytes.EMPTY);

        /** A player start; yaw in degrees. */
        public static Entity playerStart(Vec3 units, int yaw, int team) {
            return new Entity(
                    (float) units.x(),
                    (float) units.y(),
                    (float) units.z(),
                    yaw,
                    team,
                    0,
                    0,
                    0,
                    PLAYERSTART,
                    0,
                    Bytes.EMPTY);
        }

        /** Type of a teleporter; {@code attr1} is its tag. */
        public static final int TELEPORT = 19;

        /** Type of a teleport destination; {@code attr1} is the yaw, {@code attr2} the tag. */
        public static final int TELEDEST = 20;

        /** Type of a jump pad; the attributes are its velocity: z, y and x. */
        public static final int JUMPPAD = 23;

        /** An entity with the attributes of its type. */
        static Entity of(int type, Vec3 units, int attr1, int attr2, int attr3) {
            return new Entity(
                    (float) units.x(),
                    (float) units.y(),
                    (float) units.z(),
                    attr1,
                    attr2,
                    attr3,
                    0,
                    0,
                    type,
                    0,
                    Bytes.EMPTY);
        }

        /** Its position, units. */
        public Vec3 place() {
            return new Vec3(x, y, z);
        }

        private static Entity wire(Wire w, Entity m, int extraLength) {
            float x = w.f32le("x", m.x);
            float y = w.f32le("y", m.y);
            float z = w.f32le("z", m.z);
            int attr1 = w.i16le("attr1", m.attr1);
            int attr2 = w.i16le("attr2", m.attr2);
            int attr3 = w.i16le("attr3", m.attr3);
            int attr4 = w.i16le("attr4", m.attr4);
            int attr5 = w.i16le("attr5", m.attr5);
            int type = w.u8("type", m.type);
            int reserved = w.u8("reserved", m.reserved);
            Bytes extra = w.bytes("extra", m.extra, extraLength);
            return new Entity(x, y, z, attr1, attr2, attr3, attr4, attr5, type, reserved, extra);
        }
    }

    /** Walks the uncompressed file. */
    public static Ogz wire(Wire w, Ogz m) {
        Header header = header(w, m);
        int numents = w.bounded("numents", w.i32le("numents", m.entities.size()), MAX_ENTITIES);
        int numpvs = w.i32le("numpvs", m.numpvs);
        int lightmaps = w.i32le("lightmaps", m.lightmaps);
        int blendmap = w.i32le("blendmap", m.blendmap);
        int numvars = w.bounded("numvars", w.i32le("numvars", m.vars.size()), MAX_VARS);
        int numvslots = w.i32le("numvslots", m.numvslots);
        List<EditMessage.EditVar> vars = new ArrayList<>();
        for (int i = 0; i < numvars; i++) {
            vars.add(variable(w, Wire.item(m.vars, i, EditMessage.EditVar.BLANK)));
        }
        int gameLength = w.u8("gamelength", m.game.length());
        String game = text(w, "game", m.game, gameLength);
        w.u8("gameend", 0);
        int extraEntity = w.u16le("extraentity", m.extraEntity);
        Bytes extra = w.bytes("extra", m.extra, w.u16le("extralength", m.extra.length()));
        int numtextures = w.u16le("numtextures", m.textures.size());
        List<Integer> textures = new ArrayList<>();
        for (int i = 0; i < numtextures; i++) {
            textures.add(w.u16le("texture", Wire.item(m.textures, i, 0)));
        }
        List<Entity> entities = new ArrayList<>();
        for (int i = 0; i < numents; i++) {
            entities.add(Entity.wire(w, Wire.item(m.entities, i, Entity.BLANK), extraEntity));
        }
        return new Ogz(
                header.version,
                header.worldsize,
                numpvs,
                lightmaps,
                blendmap,
                numvslots,
                vars,
                game,
                extraEntity,
                extra,
                textures,
                entities,
                w.rest("geometry", m.geometry, MAX_LENGTH));
    }

    private static void constant(Wire w, String name, int value) {
        int read = w.i32le(name, value);
        if (read != value) {
            throw w.malformed(name, "is " + read + ", must be " + value);
        }
    }

    /** The first fields. */
    private record Header(int version, int worldsize) {}

    private static Header header(Wire w, Ogz m) {
        constant(w, "magic", MAGIC);
        int version = w.i32le("version", m.version);
        if (version < MIN_VERSION || version > VERSION) {
            throw w.malformed(
                    "version", "is " + version + ": only maps of versions 32 and 33 are supported");
        }
        constant(w, "headersize", HEADER_LENGTH);
        int worldsize = w.bounded("worldsize", w.i32le("worldsize", m.worldsize), MAX_WORLD);
        if (Integer.bitCount(worldsize) != 1) {
            throw w.malformed("worldsize", "is " + worldsize + ", must be a power of 2");
        }
        return new Header(version, worldsize);
    }

    private static EditMessage.EditVar variable(Wire w, EditMessage.EditVar m) {
        int type = w.u8("vartype", m.value().vtype());
        String name = text(w, "varname", m.name(), w.u16le("varnamelength", m.name().length()));
        EditMessage.Value value =
                switch (type) {
                    case 0 ->
                            new EditMessage.IntValue(
                                    w.i32le(
                                            "value",
                                            m.value() instanceof EditMessage.IntValue v
                                                    ? v.value()
                                                    : 0));
                    case 1 ->
                            new EditMessage.FloatValue(
                                    w.f32le(
                                            "value",
                                            m.value() instanceof EditMessage.FloatValue v
                                                    ? v.value()
                                                    : 0));
                    case 2 -> {
                        String text = m.value() instanceof EditMessage.TextValue v ? v.value() : "";
                        int length = w.u16le("valuelength", text.length());
                        yield new EditMessage.TextValue(text(w, "value", text, length));
                    }
                    default -> throw w.malformed("vartype", "is " + type + ", must be 0..2");
                };
        return new EditMessage.EditVar(name, value);
    }

    private static String text(Wire w, String name, String value, int length) {
        byte[] bytes = new byte[value.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Math.max(0, CubeText.code(value.charAt(i)));
        }
        Bytes read = w.bytes(name, Bytes.wrap(bytes), length);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(CubeText.character(read.get(i) & 0xFF));
        }
        return text.toString();
    }

    /** The flags of teams, in the order in which the messages of ctf number them. */
    public List<FlagMessage.Placed> flags() {
        return entities.stream()
                .filter(entity -> entity.type == Entity.FLAG)
                .filter(entity -> GameTeam.of(entity.attr2).isPresent())
                .limit(FlagMessage.MAX_FLAGS)
                .map(entity -> new FlagMessage.Placed(entity.attr2, Point.of(entity.place())))
                .toList();
    }

    /**
     * The first flag of each team in canonical coordinates, with the player starts of the teams;
     * empty if a team has no flag.
     */
    public Optional<FlagBases> bases(SauerbratenMotion motion) {
        return base(motion, GameTeam.EVIL)
                .flatMap(
                        red -> base(motion, GameTeam.GOOD).map(blue -> FlagBases.ofMap(red, blue)));
    }

    private Optional<FlagBases.Base> base(SauerbratenMotion motion, GameTeam team) {
        return flags().stream()
                .filter(flag -> flag.team() == team.number)
                .findFirst()
                .map(flag ->
                        new FlagBases.Base(
                                motion.toCanonical(flag.o().units()),
                                starts(motion, start -> start.attr2 == team.number)));
    }

    /** The player starts in canonical coordinates, on the ground. */
    public List<Movement> starts(SauerbratenMotion motion) {
        return starts(motion, _ -> true);
    }

    private List<Movement> starts(SauerbratenMotion motion, Predicate<Entity> wanted) {
        return entities.stream()
                .filter(entity -> entity.type == Entity.PLAYERSTART)
                .filter(wanted)
                .map(entity ->
                        Movement.at(
                                motion.toCanonical(
                                        entity.place()
                                                .minus(new Vec3(0, 0, Entity.PLAYER_START_HEIGHT))),
                                SauerbratenMotion.yaw(entity.attr1)))
                .toList();
    }

    /**
     * Reads a map file.
     *
     * @throws MalformedPacketException if it is not a map of version 32 or 33, or larger than
     *     {@link #MAX_LENGTH}
     */
    public static Ogz read(Bytes file) {
        byte[] bytes;
        try (GzipInput in = new GzipInput(new ByteArrayInputStream(file.toArray()))) {
            bytes = in.readNBytes(MAX_LENGTH + 1);
        } catch (IOException e) {
            throw new MalformedPacketException(0, "gzip", "is damaged: " + ExceptionMessage.of(e));
        }
        if (bytes.length > MAX_LENGTH) {
            throw new MalformedPacketException(
                    MAX_LENGTH, "gzip", "has more than " + MAX_LENGTH + " bytes");
        }
        return wire(new Reader(bytes), BLANK);
    }

    /** Whether a file starts as a map does: a cheap check of only the header. */
    public static boolean isMap(Bytes file) {
        byte[] start;
        try (GzipInput in = new GzipInput(new ByteArrayInputStream(file.toArray()))) {
            start = in.readNBytes(HEADER_LENGTH);
        } catch (IOException e) {
            return false;
        }
        try {
            header(new Reader(start), BLANK);
            return true;
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    /** The map as a compressed file. */
    public Bytes file() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file)) {
            out.write(uncompressed());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Bytes.wrap(file.toByteArray());
    }

    /** The checksum in {@code N_MAPCRC}: CRC-32 of the uncompressed file. */
    public int crc() {
        CRC32 crc = new CRC32();
        crc.update(uncompressed());
        return (int) crc.getValue();
    }

    private byte[] uncompressed() {
        Writer writer = new Writer(2 * MAX_LENGTH);
        wire(writer, this);
        return writer.toByteArray();
    }
}

package dev.wishdir.quake2.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a server sends. See docs/protocols/quake2.md, 3. */
public sealed interface ServerMessage extends Quake2Message
        permits Frame,
                Sound,
                TempEntity,
                ServerMessage.MuzzleFlash,
                ServerMessage.Layout,
                ServerMessage.Inventory,
                ServerMessage.Signal,
                ServerMessage.Print,
                ServerMessage.StuffText,
                ServerMessage.ServerData,
                ServerMessage.ConfigString,
                ServerMessage.SpawnBaseline,
                ServerMessage.CenterPrint,
                ServerMessage.Download {
    /** The most characters of a text: those of the largest demo block. */
    int MAX_TEXT_CHARS = 1 << 15;

    /** A shot's light. {@code monster} tells which of two tables {@code flash} is of. */
    record MuzzleFlash(boolean monster, int entity, int flash) implements ServerMessage {
        /** To read into. */
        public static final MuzzleFlash BLANK = new MuzzleFlash(false, 0, 0);

        /** Walks the message. */
        public static MuzzleFlash wire(Wire w, MuzzleFlash m) {
            return new MuzzleFlash(m.monster, w.i16le("entity", m.entity), w.u8("flash", m.flash));
        }

        @Override
        public String label() {
            return monster ? "muzzleflash2" : "muzzleflash";
        }

        @Override
        public Map<String, ?> fields() {
            return FieldCodecs.of("entity", entity, "flash", flash);
        }
    }

    /** A program that draws the score board or the like over the view. */
    record Layout(String text) implements ServerMessage {
        /** To read into. */
        public static final Layout BLANK = new Layout("");

        /** Walks the message. */
        public static Layout wire(Wire w, Layout m) {
            return new Layout(FieldCodecs.text(w, "text", m.text, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "layout";
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of("text", text);
        }
    }

    /** How many of each of the 256 items the player has. */
    record Inventory(List<Integer> counts) implements ServerMessage {
        /** To read into. */
        public static final Inventory BLANK = new Inventory(List.of());

        private static final int ITEMS = 256;

        /** Walks the message. */
        public static Inventory wire(Wire w, Inventory m) {
            List<Integer> counts = new ArrayList<>(ITEMS);
            for (int i = 0; i < ITEMS; i++) {
                counts.add(w.i16le("item" + i, Wire.item(m.counts, i, 0)));
            }
            return new Inventory(List.copyOf(counts));
        }

        @Override
        public String label() {
            return "inventory";
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of("counts", counts);
        }
    }

    /** A message that says all by its number. */
    enum Signal implements ServerMessage {
        /** Nothing. */
        NOP("nop"),
        /** The client must leave. */
        DISCONNECT("disconnect"),
        /** The client must start again with a new challenge. */
        RECONNECT("reconnect");

        private final String label;

        Signal(String label) {
            this.label = label;
        }

        @Override
        public String label() {
            return label;
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of();
        }
    }

    /** A line for the console. Level 0 low, 1 medium, 2 high, 3 chat. */
    record Print(int level, String text) implements ServerMessage {
        /** To read into. */
        public static final Print BLANK = new Print(0, "");

        /** The level of chat. */
        public static final int CHAT = 3;

        /** The level of what everyone should read. */
        public static final int HIGH = 2;

        /** Walks the message. */
        public static Print wire(Wire w, Print m) {
            return new Print(
                    w.u8("level", m.level), FieldCodecs.text(w, "text", m.text, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "print";
        }

        @Override
        public Map<String, ?> fields() {
            return FieldCodecs.of("level", level, "text", text);
        }
    }

    /** Console commands for the client to run. */
    record StuffText(String text) implements ServerMessage {
        /** To read into. */
        public static final StuffText BLANK = new StuffText("");

        /** Walks the message. */
        public static StuffText wire(Wire w, StuffText m) {
            return new StuffText(FieldCodecs.text(w, "text", m.text, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "stufftext";
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of("text", text);
        }
    }

    /**
     * A map begins: the client forgets what it knew.
     *
     * @param protocol 34
     * @param serverCount another number for each map
     * @param attractLoop 1 in recordings
     * @param gameDir empty for the game itself
     * @param playerNum the client's slot; -1 for a film
     */
    record ServerData(
            int protocol,
            int serverCount,
            int attractLoop,
            String gameDir,
            int playerNum,
            String levelName)
            implements ServerMessage {
        /** To read into. */
        public static final ServerData BLANK = new ServerData(0, 0, 0, "", 0, "");

        /** Walks the message. */
        public static ServerData wire(Wire w, ServerData m) {
            return new ServerData(
                    w.i32le("protocol", m.protocol),
                    w.i32le("servercount", m.serverCount),
                    w.u8("attract", m.attractLoop),
                    FieldCodecs.text(w, "gamedir", m.gameDir, MAX_TEXT_CHARS),
                    w.i16le("playernum", m.playerNum),
                    FieldCodecs.text(w, "levelname", m.levelName, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "serverdata";
        }

        @Override
        public Map<String, ?> fields() {
            return FieldCodecs.of(
                    "protocol", protocol,
                    "servercount", serverCount,
                    "attract", attractLoop,
                    "gamedir", gameDir,
                    "playernum", playerNum,
                    "levelname", levelName);
        }
    }

    /** One of the texts that describe the map: names of models and sounds, skins, settings. */
    record ConfigString(int index, String text) implements ServerMessage {
        /** To read into. */
        public static final ConfigString BLANK = new ConfigString(0, "");

        /** How many there are. */
        public static final int COUNT = 2080;

        /** The title of the map. */
        public static final int TITLE = 0;

        /** The name of its sky. */
        public static final int SKY = 2;

        /** How bodies gain speed in the air. */
        public static final int AIR_ACCELERATION = 29;

        /** The most players. */
        public static final int MAX_CLIENTS = 30;

        /** The checksum of the map, a signed number. */
        public static final int CHECKSUM = 31;

        /** The path of the map; its inline models come after it. */
        public static final int MAP = 33;

        /** The first of the lights' brightness. */
        public static final int LIGHTS = 800;

        /** The first of the players' names and skins, by their slots. */
        public static final int SKINS = 1312;

        /** Walks the message. */
        public static ConfigString wire(Wire w, ConfigString m) {
            int index = w.bounded("index", w.i16le("index", m.index), COUNT - 1);
            return new ConfigString(index, FieldCodecs.text(w, "text", m.text, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "configstring";
        }

        @Override
        public Map<String, ?> fields() {
            return FieldCodecs.of("index", index, "text", text);
        }
    }

    /** What an entity looks like when it first comes into view. */
    record SpawnBaseline(EntityDelta entity) implements ServerMessage {
        /** To read into. */
        public static final SpawnBaseline BLANK = new SpawnBaseline(EntityDelta.BLANK);

        /** Walks the message. */
        public static SpawnBaseline wire(Wire w, SpawnBaseline m) {
            EntityDelta entity = EntityDelta.wire(w, m.entity);
            if (entity.number() == 0) {
                throw w.malformed("number", "is 0");
            }
            return new SpawnBaseline(entity);
        }

        @Override
        public String label() {
            return "spawnbaseline";
        }

        @Override
        public Map<String, ?> fields() {
            return entity.fields();
        }
    }

    /** A line in the middle of the view. */
    record CenterPrint(String text) implements ServerMessage {
        /** To read into. */
        public static final CenterPrint BLANK = new CenterPrint("");

        /** Walks the message. */
        public static CenterPrint wire(Wire w, CenterPrint m) {
            return new CenterPrint(FieldCodecs.text(w, "text", m.text, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "centerprint";
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of("text", text);
        }
    }

    /**
     * A part of a file.
     *
     * @param size bytes; -1 refuses the file
     * @param percent how much of the file is sent with this, 100 ends it
     */
    record Download(int size, int percent, Bytes data) implements ServerMessage {
        /** To read into. */
        public static final Download BLANK = new Download(0, 0, Bytes.EMPTY);

        /** There is no such file for this client. */
        public static final Download REFUSED = new Download(-1, 0, Bytes.EMPTY);

        /** Walks the message. */
        public static Download wire(Wire w, Download m) {
            int size = w.i16le("size", m.size);
            int percent = w.u8("percent", m.percent);
            if (size < -1) {
                throw w.malformed("size", "is " + size);
            }
            return new Download(size, percent, w.bytes("data", m.data, Math.max(size, 0)));
        }

        @Override
        public String label() {
            return "download";
        }

        @Override
        public Map<String, ?> fields() {
            return FieldCodecs.of("size", size, "percent", percent, "data_hex", data.hex());
        }
    }
}

package dev.wishdir.quake2.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A message from the server. See docs/protocols/quake2.md, 3. */
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
    /** Maximum length of a text: that of the largest demo block. */
    int MAX_TEXT_CHARS = 1 << 15;

    /** The light of a shot. {@code monster} selects one of two tables for {@code flash}. */
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

    /** A layout program for the status bar, which draws the scoreboard or other overlays. */
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

    /** The player's inventory: the number of each of the 256 items. */
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

    /** A message without fields. */
    enum Signal implements ServerMessage {
        /** Nothing. */
        NOP("nop"),
        /** The client must disconnect. */
        DISCONNECT("disconnect"),
        /** The client must reconnect with a new challenge. */
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

    /** A line of text. Level 0 low, 1 medium, 2 high, 3 chat. */
    record Print(int level, String text) implements ServerMessage {
        /** To read into. */
        public static final Print BLANK = new Print(0, "");

        /** The level of chat. */
        public static final int CHAT = 3;

        /** The level of deaths. */
        public static final int MEDIUM = 1;

        /** The level of messages that every player should see. */
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
     * The start of a map: the client resets its state.
     *
     * @param protocol 34
     * @param serverCount different for each map
     * @param attractLoop 1 in recordings
     * @param gameDir empty for the game itself
     * @param playerNum the client's slot; -1 for a cinematic
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

    /** A numbered text that describes the map: model and sound names, skins, settings. */
    record ConfigString(int index, String text) implements ServerMessage {
        /** To read into. */
        public static final ConfigString BLANK = new ConfigString(0, "");

        /** Number of configstrings. */
        public static final int COUNT = 2080;

        /** Title of the map. */
        public static final int TITLE = 0;

        /** Name of the sky. */
        public static final int SKY = 2;

        /** Air acceleration. */
        public static final int AIR_ACCELERATION = 29;

        /** Maximum number of players. */
        public static final int MAX_CLIENTS = 30;

        /** Checksum of the map, a signed number. */
        public static final int CHECKSUM = 31;

        /** Path of the map; its inline models follow. */
        public static final int MAP = 33;

        /** First light style. */
        public static final int LIGHTS = 800;

        /** First of the players' names and skins, by slot. */
        public static final int SKINS = 1312;

        /** First of those without a meaning of their own. */
        public static final int GENERAL = 1568;

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

    /** The baseline of an entity: the delta base for its first appearance. */
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

    /** A line in the centre of the view. */
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
     * A block of a file.
     *
     * @param size bytes; -1 refuses the file
     * @param percent of the file sent with this block; 100 is the last
     */
    record Download(int size, int percent, Bytes data) implements ServerMessage {
        /** To read into. */
        public static final Download BLANK = new Download(0, 0, Bytes.EMPTY);

        /** The file is not available to this client. */
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

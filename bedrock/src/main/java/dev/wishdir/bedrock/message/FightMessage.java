package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** A message about fights, their sounds and their score. */
public sealed interface FightMessage extends BedrockMessage {
    /** Maximum number of entries of a message. */
    int MAX_ENTRIES = 4096;

    /**
     * Something happens to an actor that clients show.
     *
     * @param position in newer versions
     */
    record ActorEvent(long runtimeId, int event, int data, Optional<Vec3f> position)
            implements FightMessage {
        public static final ActorEvent BLANK = of(0, 0);

        /** The actor turns red and cries. */
        public static final int HURT = 2;

        /** The actor falls over. */
        public static final int DEATH = 3;

        /** The crossbow of the client's player is loaded. */
        public static final int CROSSBOW_CHARGED = 74;

        /** An event without data. */
        public static ActorEvent of(long runtimeId, int event) {
            return new ActorEvent(runtimeId, event, 0, Optional.empty());
        }

        public static ActorEvent wire(Wire w, ActorEvent m, Dialect d) {
            return new ActorEvent(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    w.u8("event", m.event),
                    Encoding.varint(w, "data", m.data),
                    d.has(ProtocolChange.SLOT_ITEM_WHOLE)
                            ? Encoding.optional(
                                    w,
                                    "position",
                                    m.position,
                                    Vec3f.ZERO,
                                    (wire, at) -> Vec3f.wire(wire, "position", at))
                            : Optional.empty());
        }
    }

    /**
     * An effect on an actor begins, changes or ends.
     *
     * @param action {@link #ADD}, {@link #REMOVE}; 2 changes it
     * @param effect {@link #STRENGTH} …
     * @param amplifier its level, from 0
     * @param duration ticks; -1 for ever
     * @param tick of the client's input
     * @param ambient whether it comes from the surroundings; in newer versions
     */
    record MobEffect(
            long runtimeId,
            int action,
            int effect,
            int amplifier,
            boolean particles,
            int duration,
            long tick,
            boolean ambient)
            implements FightMessage {
        public static final MobEffect BLANK = new MobEffect(0, 0, 0, 0, false, 0, 0, false);

        public static final int ADD = 1;
        public static final int REMOVE = 3;
        public static final int STRENGTH = 5;

        /** An effect that begins. */
        public static MobEffect add(long runtimeId, int effect, int amplifier, int ticks) {
            return new MobEffect(runtimeId, ADD, effect, amplifier, true, ticks, 0, false);
        }

        /** An effect that ends. */
        public static MobEffect remove(long runtimeId, int effect) {
            return new MobEffect(runtimeId, REMOVE, effect, 0, true, 0, 0, false);
        }

        public static MobEffect wire(Wire w, MobEffect m, Dialect d) {
            return new MobEffect(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    w.u8("action", m.action),
                    Encoding.varint(w, "effect", m.effect),
                    Encoding.varint(w, "amplifier", m.amplifier),
                    w.bool("particles", m.particles),
                    Encoding.varint(w, "duration", m.duration),
                    d.has(ProtocolChange.STORAGE_ITEM)
                            ? Encoding.uvarlong(w, "tick", m.tick)
                            : w.i64le("tick", m.tick),
                    d.has(ProtocolChange.ANIMATE_SOURCE) && w.bool("ambient", m.ambient));
        }
    }

    /**
     * Cause of the death of the client's player: the text of its death screen.
     *
     * @param cause a key of the game's translations, or a plain text
     */
    record DeathInfo(String cause, List<String> parameters) implements FightMessage {
        public static final DeathInfo BLANK = new DeathInfo("", List.of());

        public static DeathInfo wire(Wire w, DeathInfo m) {
            return new DeathInfo(
                    Encoding.text(w, "cause", m.cause),
                    Encoding.texts(w, "parameters", m.parameters, MAX_ENTRIES));
        }
    }

    /**
     * A sound at a place.
     *
     * @param name {@code random.bow} …
     * @param eighths of its position, an eighth of a block each
     * @param pitch 1 for the sound as it is
     * @param loops how often it is repeated, in newer versions
     * @param isEverywhere whether it is heard from any distance, in the newest versions
     * @param handle by which it can be stopped, in newer versions
     * @param seconds its duration, in the newest versions
     */
    record PlaySound(
            String name,
            BlockPos eighths,
            float volume,
            float pitch,
            int loops,
            boolean isEverywhere,
            Optional<Long> handle,
            Optional<Float> seconds)
            implements FightMessage {
        public static final PlaySound BLANK = of("", Vec3f.ZERO, 0, 0);

        private static final float EIGHTHS = 8;

        /** A sound that is heard once. */
        public static PlaySound of(String name, Vec3f place, float volume, float pitch) {
            return new PlaySound(
                    name,
                    new BlockPos(
                            Math.round(place.x() * EIGHTHS),
                            Math.round(place.y() * EIGHTHS),
                            Math.round(place.z() * EIGHTHS)),
                    volume,
                    pitch,
                    0,
                    false,
                    Optional.empty(),
                    Optional.empty());
        }

        public static PlaySound wire(Wire w, PlaySound m, Dialect d) {
            return new PlaySound(
                    Encoding.text(w, "name", m.name),
                    BlockPos.wire(w, "position", m.eighths, d),
                    w.f32le("volume", m.volume),
                    w.f32le("pitch", m.pitch),
                    d.has(ProtocolChange.NET_ID_PLAIN) ? Encoding.varint(w, "loops", m.loops) : 0,
                    d.has(ProtocolChange.USE_HAND) && w.bool("everywhere", m.isEverywhere),
                    d.has(ProtocolChange.SLOT_ITEM_WHOLE)
                            ? Encoding.optional(
                                    w,
                                    "handle",
                                    m.handle,
                                    0L,
                                    (wire, handle) -> wire.i64le("handle", handle))
                            : Optional.empty(),
                    d.has(ProtocolChange.USE_HAND)
                            ? Encoding.optional(
                                    w,
                                    "seconds",
                                    m.seconds,
                                    0f,
                                    (wire, seconds) -> wire.f32le("seconds", seconds))
                            : Optional.empty());
        }
    }

    /** The health of the client's player as older versions have it; attributes are what counts. */
    record SetHealth(int health) implements FightMessage {
        public static final SetHealth BLANK = new SetHealth(0);

        public static SetHealth wire(Wire w, SetHealth m) {
            return new SetHealth(Encoding.varint(w, "health", m.health));
        }
    }

    /**
     * Shows a list of scores.
     *
     * @param slot {@code sidebar}, {@code list} in the pause menu, {@code belowname}
     * @param criteria always {@code dummy}
     * @param order 0 ascending, 1 descending
     */
    record SetDisplayObjective(
            String slot, String objective, String title, String criteria, int order)
            implements FightMessage {
        public static final SetDisplayObjective BLANK = new SetDisplayObjective("", "", "", "", 0);

        /** Shows the highest scores first. */
        public static SetDisplayObjective descending(String slot, String objective, String title) {
            return new SetDisplayObjective(slot, objective, title, "dummy", 1);
        }

        public static SetDisplayObjective wire(Wire w, SetDisplayObjective m) {
            return new SetDisplayObjective(
                    Encoding.text(w, "slot", m.slot),
                    Encoding.text(w, "objective", m.objective),
                    Encoding.text(w, "title", m.title),
                    Encoding.text(w, "criteria", m.criteria),
                    Encoding.varint(w, "order", m.order));
        }
    }

    /** Removes a list of scores. */
    record RemoveObjective(String objective) implements FightMessage {
        public static final RemoveObjective BLANK = new RemoveObjective("");

        public static RemoveObjective wire(Wire w, RemoveObjective m) {
            return new RemoveObjective(Encoding.text(w, "objective", m.objective));
        }
    }

    /** Changes or removes scores; in older versions all entries do the same. */
    record SetScore(List<ScoreEntry> entries) implements FightMessage {
        public static final SetScore BLANK = new SetScore(List.of());

        public static SetScore wire(Wire w, SetScore m, Dialect d) {
            if (d.has(ProtocolChange.LIST_OF_CHANGES)) {
                return new SetScore(list(w, m, ScoreEntry::wireChange));
            }
            boolean removes =
                    !m.entries.isEmpty() && m.entries.getFirst().kind == ScoreEntry.REMOVE;
            int action = w.bounded("action", w.u8("action", removes ? 1 : 0), 1);
            return new SetScore(
                    list(w, m, (wire, entry) -> ScoreEntry.wire(wire, entry, action == 1)));
        }

        private static List<ScoreEntry> list(
                Wire w, SetScore m, BiFunction<Wire, ScoreEntry, ScoreEntry> walk) {
            return Encoding.list(w, "entries", m.entries, MAX_ENTRIES, ScoreEntry.BLANK, walk);
        }
    }

    /**
     * One line of a list of scores.
     *
     * @param kind {@link #REMOVE}, {@link #PLAYER}, 2 another actor, {@link #TEXT}
     * @param entry number of the line
     * @param uniqueId of a player or actor
     * @param text of a line that is neither
     */
    record ScoreEntry(
            int kind, long entry, String objective, int score, long uniqueId, String text) {
        public static final int REMOVE = 0;
        public static final int PLAYER = 1;
        public static final int TEXT = 3;

        static final ScoreEntry BLANK = new ScoreEntry(TEXT, 0, "", 0, 0, "");

        private static final List<String> KIND_NAMES =
                List.of("remove", "changeplayer", "changeentity", "changefakeplayer");

        /** Removes a line. */
        public static ScoreEntry removal(long entry, String objective) {
            return new ScoreEntry(REMOVE, entry, objective, 0, 0, "");
        }

        /** A line with the name of a player as the client knows it. */
        public static ScoreEntry ofPlayer(long entry, String objective, int score, long uniqueId) {
            return new ScoreEntry(PLAYER, entry, objective, score, uniqueId, "");
        }

        /** A line with a text. */
        public static ScoreEntry ofText(long entry, String objective, int score, String text) {
            return new ScoreEntry(TEXT, entry, objective, score, 0, text);
        }

        static ScoreEntry wire(Wire w, ScoreEntry m, boolean removes) {
            long entry = Encoding.varlong(w, "entry", m.entry);
            String objective = Encoding.text(w, "objective", m.objective);
            int score = w.i32le("score", m.score);
            int kind = removes ? REMOVE : w.bounded("kind", w.u8("kind", m.kind), TEXT);
            if (!removes && kind == REMOVE) {
                throw w.malformed("kind", "is 0 in a message that changes scores");
            }
            return wireSubject(w, m, kind, entry, objective, score);
        }

        static ScoreEntry wireChange(Wire w, ScoreEntry m) {
            int kind = w.bounded("kind", Encoding.uvarint(w, "kind", m.kind), TEXT);
            Encoding.text(w, "kind name", KIND_NAMES.get(kind));
            long entry = Encoding.varlong(w, "entry", m.entry);
            if (kind == REMOVE) {
                String objective =
                        Encoding.optionalText(
                                        w,
                                        "objective",
                                        Optional.of(m.objective).filter(it -> !it.isEmpty()))
                                .orElse("");
                return removal(entry, objective);
            }
            String objective = Encoding.text(w, "objective", m.objective);
            return wireSubject(w, m, kind, entry, objective, w.i32le("score", m.score));
        }

        private static ScoreEntry wireSubject(
                Wire w, ScoreEntry m, int kind, long entry, String objective, int score) {
            boolean named = kind == TEXT;
            return new ScoreEntry(
                    kind,
                    entry,
                    objective,
                    score,
                    named || kind == REMOVE ? 0 : Encoding.varlong(w, "unique id", m.uniqueId),
                    named ? Encoding.text(w, "text", m.text) : "");
        }
    }

    /**
     * A large text in the middle of the screen.
     *
     * @param type {@link #CLEAR}, 1 reset, {@link #TITLE}, {@link #SUBTITLE}, {@link #ACTION_BAR},
     *     {@link #DURATIONS}
     * @param fadeIn ticks, as the other durations
     * @param filtered in newer versions
     */
    record SetTitle(
            int type,
            String text,
            int fadeIn,
            int stay,
            int fadeOut,
            String xuid,
            String platform,
            String filtered)
            implements FightMessage {
        public static final SetTitle BLANK = of(0, "");

        public static final int CLEAR = 0;
        public static final int TITLE = 2;
        public static final int SUBTITLE = 3;
        public static final int ACTION_BAR = 4;
        public static final int DURATIONS = 5;

        /** A part of the title. */
        public static SetTitle of(int type, String text) {
            return new SetTitle(type, text, 0, 0, 0, "", "", "");
        }

        /** Durations of later titles, ticks. */
        public static SetTitle durations(int fadeIn, int stay, int fadeOut) {
            return new SetTitle(DURATIONS, "", fadeIn, stay, fadeOut, "", "", "");
        }

        public static SetTitle wire(Wire w, SetTitle m, Dialect d) {
            return new SetTitle(
                    Encoding.varint(w, "type", m.type),
                    Encoding.text(w, "text", m.text),
                    Encoding.varint(w, "fade in", m.fadeIn),
                    Encoding.varint(w, "stay", m.stay),
                    Encoding.varint(w, "fade out", m.fadeOut),
                    Encoding.text(w, "xuid", m.xuid),
                    Encoding.text(w, "platform", m.platform),
                    d.has(ProtocolChange.USE_TRIGGER)
                            ? Encoding.text(w, "filtered", m.filtered)
                            : "");
        }
    }

    /**
     * The bar at the top of the screen. In older versions each type has only its own components.
     *
     * @param boss unique id of its actor
     * @param player unique id, only with the types 1, 3 and 8, and in two of the newer versions
     * @param type {@link #SHOW}, {@link #HIDE}, {@link #PROGRESS}, {@link #NAME} …
     * @param filtered the title without bad words, in newer versions
     * @param progress 0 to 1
     * @param darken whether the sky is dark; in older versions
     */
    record BossEvent(
            long boss,
            long player,
            int type,
            String title,
            String filtered,
            float progress,
            int darken,
            int colour,
            int overlay)
            implements FightMessage {
        public static final BossEvent BLANK = new BossEvent(0, 0, 0, "", "", 0, 0, 0, 0);

        public static final int SHOW = 0;
        public static final int HIDE = 2;
        public static final int PROGRESS = 4;
        public static final int NAME = 5;

        public static BossEvent wire(Wire w, BossEvent m, Dialect d) {
            long boss = Encoding.varlong(w, "boss", m.boss);
            return d.has(ProtocolChange.TRANSACTION_RECODED)
                    ? wireWhole(w, boss, m, d)
                    : wireByType(w, boss, m, d);
        }

        private static BossEvent wireByType(Wire w, long boss, BossEvent m, Dialect d) {
            int type = w.bounded("type", Encoding.uvarint(w, "type", m.type), 8);
            boolean all = type == SHOW;
            boolean named = all || type == NAME;
            boolean painted = all || type == 6;
            boolean coloured = painted || type == 7;
            boolean ofPlayer = type == 1 || type == 3 || type == 8;
            long player = ofPlayer ? Encoding.varlong(w, "player", m.player) : 0;
            return new BossEvent(
                    boss,
                    player,
                    type,
                    named ? Encoding.text(w, "title", m.title) : "",
                    named && d.has(ProtocolChange.BOSS_FILTERED)
                            ? Encoding.text(w, "filtered", m.filtered)
                            : "",
                    all || type == PROGRESS ? w.f32le("progress", m.progress) : 0,
                    painted ? w.u16le("darken", m.darken) : 0,
                    coloured ? Encoding.uvarint(w, "colour", m.colour) : 0,
                    coloured ? Encoding.uvarint(w, "overlay", m.overlay) : 0);
        }

        private static BossEvent wireWhole(Wire w, long boss, BossEvent m, Dialect d) {
            return new BossEvent(
                    boss,
                    d.has(ProtocolChange.USE_HAND) ? 0 : Encoding.varlong(w, "player", m.player),
                    w.u8("type", m.type),
                    Encoding.text(w, "title", m.title),
                    Encoding.text(w, "filtered", m.filtered),
                    w.f32le("progress", m.progress),
                    0,
                    w.u8("colour", m.colour),
                    w.u8("overlay", m.overlay));
        }
    }
}

package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/** The settings of the world. */
public record LevelSettings(
        long seed,
        int biomeType,
        String biomeName,
        int dimension,
        int generator,
        int gameType,
        boolean hardcore,
        int difficulty,
        BlockPos spawn,
        boolean achievementsDisabled,
        int editorWorldType,
        boolean createdInEditor,
        boolean exportedFromEditor,
        int dayCycleStop,
        int educationOffer,
        boolean educationFeatures,
        String educationProduct,
        float rain,
        float lightning,
        boolean platformLocked,
        boolean multiplayer,
        boolean lan,
        int xboxBroadcast,
        int platformBroadcast,
        boolean commands,
        boolean packsRequired,
        List<GameRule> rules,
        List<PackMessage.Experiment> experiments,
        boolean experimentsToggled,
        boolean bonusChest,
        boolean startWithMap,
        int permission,
        int chunkTickRange,
        boolean lockedBehaviourPack,
        boolean lockedResourcePack,
        boolean fromLockedTemplate,
        boolean msaGamertagsOnly,
        boolean fromTemplate,
        boolean templateOptionsLocked,
        boolean onlyV1Villagers,
        boolean personaDisabled,
        boolean customSkinsDisabled,
        boolean emoteChatMuted,
        String baseGameVersion,
        int limitedWidth,
        int limitedDepth,
        boolean newNether,
        String educationButton,
        String educationLink,
        boolean forceExperimentsPresent,
        boolean forceExperiments,
        int chatRestriction,
        boolean playerInteractionsDisabled) {
    /** Maximum number of entries of a list; the protocol has no limit of its own. */
    private static final int MAX_LIST_ENTRIES = 1024;

    public static final LevelSettings BLANK =
            new LevelSettings(
                    0,
                    0,
                    "",
                    0,
                    0,
                    0,
                    false,
                    0,
                    BlockPos.ZERO,
                    false,
                    0,
                    false,
                    false,
                    0,
                    0,
                    false,
                    "",
                    0,
                    0,
                    false,
                    false,
                    false,
                    0,
                    0,
                    false,
                    false,
                    List.of(),
                    List.of(),
                    false,
                    false,
                    false,
                    0,
                    0,
                    false,
                    false,
                    false,
                    false,
                    false,
                    false,
                    false,
                    false,
                    false,
                    false,
                    "",
                    0,
                    0,
                    false,
                    "",
                    "",
                    false,
                    false,
                    0,
                    false);

    static LevelSettings wire(Wire w, LevelSettings m, Dialect d) {
        boolean recoded = d.has(ProtocolChange.START_RECODED);
        long seed = w.i64le("seed", m.seed);
        int biomeType = w.i16le("biome type", m.biomeType);
        String biomeName = Encoding.text(w, "biome name", m.biomeName);
        int dimension = Encoding.varint(w, "dimension", m.dimension);
        int generator = Encoding.varint(w, "generator", m.generator);
        int gameType = Encoding.varint(w, "game type", m.gameType);
        boolean hardcore = w.bool("hardcore", m.hardcore);
        int difficulty = Encoding.varint(w, "difficulty", m.difficulty);
        BlockPos spawn = BlockPos.wire(w, "spawn", m.spawn, d);
        boolean achievementsDisabled = w.bool("achievements disabled", m.achievementsDisabled);
        int editorWorldType = Encoding.varint(w, "editor world type", m.editorWorldType);
        boolean createdInEditor = w.bool("created in editor", m.createdInEditor);
        boolean exportedFromEditor = w.bool("exported from editor", m.exportedFromEditor);
        int dayCycleStop = Encoding.varint(w, "day cycle stop", m.dayCycleStop);
        int educationOffer =
                recoded
                        ? Encoding.uvarint(w, "education offer", m.educationOffer)
                        : Encoding.varint(w, "education offer", m.educationOffer);
        boolean educationFeatures = w.bool("education features", m.educationFeatures);
        String educationProduct = Encoding.text(w, "education product", m.educationProduct);
        float rain = w.f32le("rain", m.rain);
        float lightning = w.f32le("lightning", m.lightning);
        boolean platformLocked = w.bool("platform locked", m.platformLocked);
        boolean multiplayer = w.bool("multiplayer", m.multiplayer);
        boolean lan = w.bool("lan", m.lan);
        int xboxBroadcast = Encoding.varint(w, "xbox broadcast", m.xboxBroadcast);
        int platformBroadcast = Encoding.varint(w, "platform broadcast", m.platformBroadcast);
        boolean commands = w.bool("commands", m.commands);
        boolean packsRequired = w.bool("packs required", m.packsRequired);
        List<GameRule> rules =
                Encoding.list(
                        w,
                        "rules",
                        m.rules,
                        MAX_LIST_ENTRIES,
                        GameRule.BLANK,
                        (wire, rule) -> GameRule.wire(wire, rule, d));
        List<PackMessage.Experiment> experiments =
                Encoding.items(
                        w,
                        "experiments",
                        m.experiments,
                        w.bounded(
                                "experiments",
                                w.i32le("experiments", m.experiments.size()),
                                MAX_LIST_ENTRIES),
                        PackMessage.Experiment.BLANK,
                        PackMessage.Experiment::wire);
        boolean experimentsToggled = w.bool("experiments toggled", m.experimentsToggled);
        boolean bonusChest = w.bool("bonus chest", m.bonusChest);
        boolean startWithMap = w.bool("start with map", m.startWithMap);
        int permission =
                recoded
                        ? w.u8("permission", m.permission)
                        : Encoding.varint(w, "permission", m.permission);
        int chunkTickRange = w.i32le("chunk tick range", m.chunkTickRange);
        boolean lockedBehaviourPack = w.bool("locked behaviour pack", m.lockedBehaviourPack);
        boolean lockedResourcePack = w.bool("locked resource pack", m.lockedResourcePack);
        boolean fromLockedTemplate = w.bool("from locked template", m.fromLockedTemplate);
        boolean msaGamertagsOnly = w.bool("msa gamertags only", m.msaGamertagsOnly);
        boolean fromTemplate = w.bool("from template", m.fromTemplate);
        boolean templateOptionsLocked = w.bool("template options locked", m.templateOptionsLocked);
        boolean onlyV1Villagers = w.bool("only v1 villagers", m.onlyV1Villagers);
        boolean personaDisabled = w.bool("persona disabled", m.personaDisabled);
        boolean customSkinsDisabled = w.bool("custom skins disabled", m.customSkinsDisabled);
        boolean emoteChatMuted = w.bool("emote chat muted", m.emoteChatMuted);
        String baseGameVersion = Encoding.text(w, "base game version", m.baseGameVersion);
        int limitedWidth = w.i32le("limited width", m.limitedWidth);
        int limitedDepth = w.i32le("limited depth", m.limitedDepth);
        boolean newNether = w.bool("new nether", m.newNether);
        String educationButton = Encoding.text(w, "education button", m.educationButton);
        String educationLink = Encoding.text(w, "education link", m.educationLink);
        boolean forceExperimentsPresent =
                w.bool("force experiments present", m.forceExperimentsPresent);
        return new LevelSettings(
                seed,
                biomeType,
                biomeName,
                dimension,
                generator,
                gameType,
                hardcore,
                difficulty,
                spawn,
                achievementsDisabled,
                editorWorldType,
                createdInEditor,
                exportedFromEditor,
                dayCycleStop,
                educationOffer,
                educationFeatures,
                educationProduct,
                rain,
                lightning,
                platformLocked,
                multiplayer,
                lan,
                xboxBroadcast,
                platformBroadcast,
                commands,
                packsRequired,
                rules,
                experiments,
                experimentsToggled,
                bonusChest,
                startWithMap,
                permission,
                chunkTickRange,
                lockedBehaviourPack,
                lockedResourcePack,
                fromLockedTemplate,
                msaGamertagsOnly,
                fromTemplate,
                templateOptionsLocked,
                onlyV1Villagers,
                personaDisabled,
                customSkinsDisabled,
                emoteChatMuted,
                baseGameVersion,
                limitedWidth,
                limitedDepth,
                newNether,
                educationButton,
                educationLink,
                forceExperimentsPresent,
                forceExperimentsPresent && w.bool("force experiments", m.forceExperiments),
                w.u8("chat restriction", m.chatRestriction),
                w.bool("player interactions disabled", m.playerInteractionsDisabled));
    }

    /**
     * A game rule.
     *
     * @param type 1 boolean, 2 integer, 3 single precision
     * @param bits of the value: 0 or 1, the integer, or the bits of the number
     */
    public record GameRule(String name, boolean editable, int type, int bits) {
        public static final GameRule BLANK = new GameRule("", false, 0, 0);

        public static final int BOOL = 1;
        static final int INT = 2;
        static final int FLOAT = 3;

        /** A rule that is on or off. */
        public static GameRule of(String name, boolean on) {
            return new GameRule(name, false, BOOL, on ? 1 : 0);
        }

        static GameRule wire(Wire w, GameRule m, Dialect d) {
            String name = Encoding.text(w, "name", m.name);
            boolean editable = w.bool("editable", m.editable);
            int type = Encoding.uvarint(w, "type", m.type);
            int bits =
                    switch (type) {
                        case BOOL -> w.u8("value", m.bits);
                        case INT ->
                                d.has(ProtocolChange.START_RECODED)
                                        ? w.i32le("value", m.bits)
                                        : Encoding.uvarint(w, "value", m.bits);
                        case FLOAT ->
                                Float.floatToRawIntBits(
                                        w.f32le("value", Float.intBitsToFloat(m.bits)));
                        default -> throw w.malformed("type", "is the unknown rule type " + type);
                    };
            return new GameRule(name, editable, type, bits);
        }

        /** The value by its type. */
        public Object value() {
            return switch (type) {
                case BOOL -> bits != 0;
                case FLOAT -> Float.intBitsToFloat(bits);
                default -> bits;
            };
        }
    }
}

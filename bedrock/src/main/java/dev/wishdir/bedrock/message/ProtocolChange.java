package dev.wishdir.bedrock.message;

/**
 * One thing that a version of the protocol does otherwise than the version before it. Which version
 * begins what stands in one table, {@code BedrockVersions}; a walk asks its {@link Dialect} and
 * knows no version's number.
 */
public enum ProtocolChange {
    /** A disconnect has a second text, with words filtered. */
    DISCONNECT_FILTERED,
    /** A correction may hold an angular velocity. */
    PREDICTION_SPIN,
    /** Packs say whether they are an add-on. */
    PACK_ADDON,
    /** Links between bodies hold an angular velocity. */
    LINK_SPIN,

    /** A transfer says whether to load the world again. */
    TRANSFER_RELOAD,
    /** Attributes have default bounds. */
    ATTRIBUTE_DEFAULT_BOUNDS,
    /** Behaviour packs are no longer offered apart from the others. */
    PACKS_IN_ONE_LIST,
    /** Inputs report collisions, in four further bits. */
    COLLISION_INPUTS,

    /** Inputs hold where the pointer and the camera look, and the gaze goes. */
    INPUT_CAMERA,
    /** Each pack says where it is downloaded from, and the list of links goes. */
    PACK_URL,

    /** Inputs are 65, and the stick's raw position comes with them. */
    INPUT_RAW,
    /** The world's template is named, and packs are by their binary identity. */
    PACK_TEMPLATE,

    /** Items have a message of their own instead of a table in the start of the game. */
    ITEM_REGISTRY,
    /** The items of a builder are in groups. */
    CREATIVE_GROUPS,
    /** Abilities have a vertical speed of flight. */
    VERTICAL_FLY_SPEED,

    /** Biomes are no longer binary tags. */
    BIOME_LIST,
    /** Players in the list have a colour. */
    PLAYER_COLOUR,
    /** Clients no longer decide by themselves where they are. */
    SERVER_DECIDES,

    /** The start of the game does not say any more who decides where players are. */
    NO_AUTHORITY,
    /** The start of the game names the server's owner. */
    OWNER_ID,
    /** Packs may forbid vibrant visuals. */
    PACK_VISUALS,
    /** The chain of a login lies in an object, next to the kind of the login. */
    LOGIN_ENVELOPE,

    /** The start of the game has a switch for when what is dead ticks. */
    TICK_DEATH_SYSTEMS,
    /** A correction has a rotation whatever it corrects. */
    PREDICTION_ALWAYS_TURNS,
    /** The number of a biome is always there. */
    BIOME_ID_PLAIN,

    /** One number for snow on leaves replaces four for spores and ash. */
    BIOME_FOLIAGE_SNOW,

    /** A swing of an arm has a number. */
    ANIMATE_DATA,

    /** Texts say of which category their type is; filtered words are optional. */
    TEXT_CATEGORY,
    /** The words of a text's category are on the wire. */
    TEXT_WORDS,
    /** A swing says why it happens. */
    ANIMATE_SOURCE,
    /** Behaviour packs are no longer stacked apart from the others. */
    STACK_IN_ONE_LIST,
    /** Who may give a command is a word, and numbers in the list of commands are wider. */
    COMMANDS_RECODED,

    /** Who serves stands at the end of the start of the game, behind how the client came. */
    IDENTITIES_LAST,

    /** The height of a block's place has a sign wherever it stands. */
    SIGNED_HEIGHT,
    /** How the client came holds a shop's offer and a presence. */
    JOIN_INFO_STORE,
    /** Shapes of blocks have a number of those that packs define. */
    CUSTOM_SHAPES,
    /** The login is one token instead of a chain. */
    LOGIN_TOKEN,

    /** Structures and shapes of blocks are sent before the start of the game. */
    SHAPES_BEFORE_START,

    /** The start of the game has two words for editors. */
    EDITOR_POLICY,
    /** The start of the game says whether chat is kept. */
    CHAT_LOGGING,
    /** The parts of a presence are optional. */
    PRESENCE_OPTIONAL,

    /** The parts of a gathering are optional, and a transfer may hold one. */
    GATHERING_OPTIONAL,
    /** The start of the game codes the offer, the permission and whole numbers otherwise. */
    START_RECODED,
    /** A movement says whether its teleport has a cause. */
    MOVE_CAUSE_OPTIONAL,
    /** Each value of a place says by itself whether it has changed. */
    DELTA_OPTIONAL,
    /** Inputs are a list of numbers, and each part behind them says whether it is there. */
    INPUT_LIST,
    /** Each player of the list is added or removed by itself. */
    LIST_OF_CHANGES,
    /** Skins have colours and kinds as numbers, and say themselves whether they are trusted. */
    SKIN_RECODED,
    /** The type of a body's property stands there twice. */
    METADATA_TYPE_TWICE,
    /** An item in the hand is always described in full. */
    HELD_ITEM_WHOLE,
    /** The number of packs is of variable length. */
    PACK_COUNT_VARIABLE,
    /** What a client says of packs counts from 0 and has a name. */
    PACK_RESPONSE_NAMED,
    /** A chunk's limit is optional, and its hashes are always there. */
    CHUNK_LIMIT_OPTIONAL,

    /** Parts of inputs say once whether they are there, not twice. */
    INPUT_PRESENCE_ONCE,
    /** What of a place has changed says in how many ticks. */
    DELTA_TICKS;

    /** Its place in a {@link Dialect}, which has room for 64. */
    final long bit = 1L << ordinal();
}

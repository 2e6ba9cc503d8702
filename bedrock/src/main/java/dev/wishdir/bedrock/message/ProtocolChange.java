package dev.wishdir.bedrock.message;

/**
 * A change of a version of the protocol against the version before it. {@code BedrockVersions} has
 * the versions of all changes; a walk asks only its {@link Dialect}.
 */
public enum ProtocolChange {
    /** A disconnect has a second, filtered text. */
    DISCONNECT_FILTERED,
    /** A correction may have an angular velocity. */
    PREDICTION_SPIN,
    /** Packs have a flag for add-ons. */
    PACK_ADDON,
    /** Links between actors have an angular velocity. */
    LINK_SPIN,
    /**
     * The use of an item has a trigger and a predicted result, inventories have the size of a
     * dynamic container, armour a piece for the body of animals, and titles a filtered text.
     */
    USE_TRIGGER,

    /** A transfer has a flag to load the world again. */
    TRANSFER_RELOAD,
    /** Attributes have default bounds. */
    ATTRIBUTE_DEFAULT_BOUNDS,
    /** Behaviour packs are offered in the list of all packs. */
    PACKS_IN_ONE_LIST,
    /** Inputs have four more bits, for collisions. */
    COLLISION_INPUTS,
    /** Inventories name their container. */
    CONTAINER_NAMED,

    /** Inputs have the directions of pointer and camera, instead of the gaze. */
    INPUT_CAMERA,
    /** Each pack has its download address, instead of a list of links. */
    PACK_URL,
    /**
     * Inventories have the item whose content they are, instead of a size, and the tick of an
     * effect is of variable length.
     */
    STORAGE_ITEM,

    /** Inputs have 65 bits, and the raw position of the stick. */
    INPUT_RAW,
    /** The world's template is named, and packs have a binary UUID. */
    PACK_TEMPLATE,

    /** Items have a message of their own, instead of a table in {@link StartGame}. */
    ITEM_REGISTRY,
    /** The items of creative mode are in groups. */
    CREATIVE_GROUPS,
    /** Abilities have a vertical flight speed. */
    VERTICAL_FLY_SPEED,
    /** Boss bars have a filtered title. */
    BOSS_FILTERED,

    /** Biomes are no longer binary tags. */
    BIOME_LIST,
    /** Players in the list have a colour. */
    PLAYER_COLOUR,
    /** Clients no longer have authority over their movement. */
    SERVER_DECIDES,

    /** {@link StartGame} no longer has the authority of movement. */
    NO_AUTHORITY,
    /** {@link StartGame} names the server's owner. */
    OWNER_ID,
    /** Packs may forbid vibrant visuals. */
    PACK_VISUALS,
    /** The chain of a login is in an object, next to the kind of the login. */
    LOGIN_ENVELOPE,

    /** {@link StartGame} has a flag for the ticking of dead actors. */
    TICK_DEATH_SYSTEMS,
    /** A correction always has a rotation. */
    PREDICTION_ALWAYS_TURNS,
    /** The number of a biome is always present. */
    BIOME_ID_PLAIN,

    /** Biomes have one number for snow on leaves, instead of four for spores and ash. */
    BIOME_FOLIAGE_SNOW,

    /** A gesture has a number. */
    ANIMATE_DATA,

    /** Texts have the category of their type; the filtered text is optional. */
    TEXT_CATEGORY,
    /** Texts have the words of their category. */
    TEXT_WORDS,
    /** A gesture has a cause, and an effect whether it comes from the surroundings. */
    ANIMATE_SOURCE,
    /** Behaviour packs are in the stack of all packs. */
    STACK_IN_ONE_LIST,
    /** The permission of a command is a word, and numbers in the list of commands are wider. */
    COMMANDS_RECODED,

    /** {@link StartGame} ends with the identities of the server, after the join information. */
    IDENTITIES_LAST,

    /** The height of a block's position is signed in all messages. */
    SIGNED_HEIGHT,
    /** The join information has a store entry and a presence. */
    JOIN_INFO_STORE,
    /** The shapes of blocks have the number of those that packs define. */
    CUSTOM_SHAPES,
    /** The login is one token instead of a chain. */
    LOGIN_TOKEN,
    /** The use of an item reports its cool-down. */
    USE_COOL_DOWN,

    /** Structures and shapes of blocks are sent before the start of the game. */
    SHAPES_BEFORE_START,
    /**
     * The item of a slot or a hand always has all its components, events of actors may have a
     * position, and sounds a handle.
     */
    SLOT_ITEM_WHOLE,

    /** {@link StartGame} has two fields for editors. */
    EDITOR_POLICY,
    /** {@link StartGame} has a flag for logged chat. */
    CHAT_LOGGING,
    /** The parts of a presence are optional. */
    PRESENCE_OPTIONAL,
    /**
     * Transactions and whole inventories have items with all components, and integers are encoded
     * in another way; boss bars always have all their components.
     */
    TRANSACTION_RECODED,

    /** The parts of a gathering are optional, and a transfer may have one. */
    GATHERING_OPTIONAL,
    /**
     * {@link StartGame} encodes the education offer, the permission and integers in another way.
     */
    START_RECODED,
    /** The cause of a teleport is optional. */
    MOVE_CAUSE_OPTIONAL,
    /** Each value of a movement delta is optional by itself. */
    DELTA_OPTIONAL,
    /** Inputs are a list of numbers, and each part after them is optional. */
    INPUT_LIST,
    /** Each entry of the player list and of scores is changed or removed by itself. */
    LIST_OF_CHANGES,
    /** Skins have colours and kinds as numbers, and a flag for trust. */
    SKIN_RECODED,
    /** The type of an actor's metadata is repeated. */
    METADATA_TYPE_TWICE,
    /** A held item always has all its parts. */
    HELD_ITEM_WHOLE,
    /** The number of packs is of variable length. */
    PACK_COUNT_VARIABLE,
    /** The client's pack status counts from 0 and has a name. */
    PACK_RESPONSE_NAMED,
    /** A chunk's limit is optional, and its list of hashes is always present. */
    CHUNK_LIMIT_OPTIONAL,
    /** The net id of an item is a plain number, and sounds have a number of loops. */
    NET_ID_PLAIN,

    /** The parts of inputs and transactions have one flag of presence, not two. */
    INPUT_PRESENCE_ONCE,
    /** A movement delta has a duration in ticks. */
    DELTA_TICKS,
    /**
     * The use of an item names the hand, boss bars no longer name a player, and sounds may be heard
     * everywhere and have a duration.
     */
    USE_HAND;

    /** Its place in a {@link Dialect}, which has room for 64. */
    final long bit = 1L << ordinal();
}

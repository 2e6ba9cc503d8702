package dev.wishdir.bedrock.message;

/**
 * A message of the game layer. Each is a record with its wire walk; the codec assigns the ids of a
 * version.
 */
public sealed interface BedrockMessage
        permits LoginMessage,
                PackMessage,
                WorldMessage,
                MovementMessage,
                ActorMessage,
                InventoryMessage,
                FightMessage,
                StartGame,
                LevelChunk,
                MovePlayer,
                PlayerAuthInput,
                Text,
                ModalForm,
                CommandRequest,
                AvailableCommands,
                Unknown {
    /** Maximum size of a message, bytes. */
    int MAX_BYTES = 8 << 20;
}

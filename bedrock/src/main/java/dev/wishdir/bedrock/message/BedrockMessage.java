package dev.wishdir.bedrock.message;

/**
 * A message of the game layer. Each is a record with its wire walk beside it; ids and what changes
 * from version to version are the codec's.
 */
public sealed interface BedrockMessage
        permits LoginMessage,
                PackMessage,
                WorldMessage,
                MovementMessage,
                ActorMessage,
                StartGame,
                LevelChunk,
                MovePlayer,
                PlayerAuthInput,
                Text,
                ModalForm,
                CommandRequest,
                AvailableCommands,
                Unknown {
    /** The most bytes of any message. */
    int MAX_BYTES = 8 << 20;
}

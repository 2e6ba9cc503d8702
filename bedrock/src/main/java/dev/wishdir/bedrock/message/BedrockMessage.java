package dev.wishdir.bedrock.message;

/**
 * A message of the game layer. Each is a record that contains its wire walk; the codec has the ids
 * and what changes from version to version.
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

package dev.wishdir.bedrock.server.view;

import dev.wishdir.bedrock.message.BedrockMessageTest;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.motion.Movement;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.Test;

/** The messages by which a client enters the arena. */
class SpawnMessagesTest {
    @Test
    void holdsLawsForArenaWorld() {
        StartGame start =
                SpawnMessages.startGame(
                        BedrockCodec.V748, 5, Movement.ORIGIN, "hall", "name", 2, true, 77);
        StartGame small =
                new StartGame(
                        start.uniqueId(),
                        start.runtimeId(),
                        start.gameType(),
                        start.position(),
                        start.rotation(),
                        start.settings(),
                        start.editorPolicy(),
                        start.anonymousDrops(),
                        start.levelId(),
                        start.levelName(),
                        start.templateIdentity(),
                        start.trial(),
                        start.authority(),
                        start.rewind(),
                        start.authoritativeBreaking(),
                        start.tick(),
                        start.enchantmentSeed(),
                        start.blockProperties(),
                        start.items().subList(0, 3),
                        start.correlation(),
                        start.itemStackManager(),
                        start.serverVersion(),
                        start.properties(),
                        start.blockChecksum(),
                        start.templateId(),
                        start.clientSideGeneration(),
                        start.hashedBlockIds(),
                        start.tickDeathSystems(),
                        start.serverControlledSounds(),
                        start.chatLogging(),
                        start.joinInfo(),
                        start.identities());
        WireLaws.hold(
                small, new Unknown(0, Bytes.EMPTY), BedrockMessageTest.walk(BedrockCodec.V748));
    }
}

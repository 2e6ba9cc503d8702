package dev.wishdir.bedrock.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class BedrockDissectorTest {
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final Path KEYS = CAPTURES.resolve("encrypted.keys.jsonl");

    private static Path capture(String name) {
        return CAPTURES.resolve(name + ".pcap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain-client-auth",
                "plain-server-auth",
                "no-compression",
                "lossy",
                "refused",
                "raknet-version",
                "cookie",
                "bedrock-flags-748"
            })
    void matchesExpectedLines(String name) throws IOException {
        ExpectedLines.beside(capture(name))
                .assertSaidBy(new BedrockDissector(false, Optional.empty(), BedrockCodec.V748));
    }

    @Test
    void decryptsSessionsWithKnownKeys() throws IOException {
        ExpectedLines.beside(capture("encrypted"))
                .assertSaidBy(new BedrockDissector(false, Optional.of(KEYS), BedrockCodec.V748));
    }

    @Test
    void readsTransportOfAnotherServer() throws IOException {
        ExpectedLines.beside(capture("jsprismarine"))
                .of(DissectedMessage.Layer.TRANSPORT)
                .assertSaidBy(new BedrockDissector(false, Optional.empty(), BedrockCodec.V748));
    }

    private static List<DissectedMessage> encrypted(Path keys) throws IOException {
        List<DissectedMessage> lines = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(capture("encrypted"))) {
            Inspector.of(
                            List.of(
                                    new BedrockDissector(
                                            false, Optional.of(keys), BedrockCodec.V748)),
                            lines::add)
                    .capture(reader);
        }
        return lines;
    }

    /** A server still writes the file, or an editor of Windows has saved it. */
    @Test
    void readsWholeLinesOfKeyFile(@TempDir Path folder) throws IOException {
        String keys = Files.readString(KEYS).strip();
        for (String content :
                List.of(
                        "\uFEFF" + keys,
                        keys.replace("\n", "\r\n") + "\r\n{\"sharedSec",
                        keys + "\n{\"sharedSecret\":\"0102\",\"key\":\"01",
                        "\n" + keys + "\n{")) {
            Path file = Files.writeString(folder.resolve("keys.jsonl"), content);

            assertThat(encrypted(file))
                    .noneMatch(message -> message.name().equals("encrypted_batch"));
        }
        Path wrong = Files.writeString(folder.resolve("keys.jsonl"), "{\n" + keys);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> encrypted(wrong))
                .withMessageContaining("line 1");
    }

    @Test
    void namesEncryptedMessagesWithoutKeys() throws IOException {
        List<DissectedMessage> lines =
                ExpectedLines.dissect(
                        capture("encrypted"),
                        new BedrockDissector(false, Optional.empty(), BedrockCodec.V748));
        assertThat(lines).extracting(DissectedMessage::name).contains("encrypted_batch", "login");
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .doesNotContain("malformed", "start_game");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain-client-auth", "plain-server-auth"})
    void tracesEveryByteOfMessage(String name) throws IOException {
        List<DissectedMessage> lines =
                ExpectedLines.dissect(
                        capture(name),
                        new BedrockDissector(true, Optional.empty(), BedrockCodec.V748));
        for (DissectedMessage message : lines) {
            int covered = 0;
            for (Traced field : message.trace()) {
                if (!field.part()) {
                    assertThat(field.bit()).as("%s %s", message.name(), field).isEqualTo(covered);
                    covered += field.bits();
                }
            }
            assertThat(covered).as("%s", message.name()).isPositive();
        }
    }

    @Test
    void namesVisiblePartsOfNetherNet() throws IOException {
        List<DissectedMessage> lines =
                ExpectedLines.dissect(
                        capture("nethernet"),
                        new BedrockDissector(true, Optional.empty(), BedrockCodec.NEWEST));
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .contains("binding_request", "client_hello", "dtls", "lan_advertisement")
                .doesNotContain("malformed", "unknown");
    }

    @Test
    void readsMessagesOfDataChannelRecording() throws IOException {
        Path recording = CAPTURES.resolve("nethernet-channels.jsonl");
        BedrockDissector dissector =
                new BedrockDissector(true, Optional.empty(), BedrockCodec.V748);
        List<DissectedMessage> lines = new ArrayList<>();
        assertThat(Inspector.of(List.of(dissector), lines::add).recording(recording)).isTrue();
        assertThat(lines)
                .filteredOn(message -> message.layer() == DissectedMessage.Layer.MESSAGE)
                .extracting(DissectedMessage::name)
                .contains(
                        "request_network_settings",
                        "network_settings",
                        "play_status",
                        "resource_packs_info",
                        "start_game",
                        "set_local_player_as_initialized",
                        "text")
                .doesNotContain("encrypted_batch");
    }
}

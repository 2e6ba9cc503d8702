package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.inspect.BedrockDissector;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The keys that the server logs open the captures of its sessions. */
class SessionKeysTest {
    private final List<String> keys = new ArrayList<>();
    private final List<Datagram> captured = new ArrayList<>();

    @TempDir private Path folder = Path.of("");

    private List<String> names(Optional<Path> file) throws IOException {
        List<DissectedMessage> lines = new ArrayList<>();
        Inspector inspector =
                Inspector.of(
                        List.of(new BedrockDissector(false, file, BedrockCodec.V748)), lines::add);
        captured.forEach(inspector::datagram);
        return lines.stream().map(DissectedMessage::name).toList();
    }

    private Path file() throws IOException {
        return Files.write(folder.resolve("keys.jsonl"), keys);
    }

    @Test
    void readsTwoEncryptedSessionsWithLoggedKeys() throws IOException {
        BedrockNetwork net = BedrockNetwork.with(1, serving -> serving.keys(keys::add));
        net.network.tap((now, from, to, data) ->
                captured.add(
                        new Datagram(captured.size() + 1, now / 1e9, from, to, Bytes.of(data))));
        net.join("Ann", BedrockNetwork.STILL, new BedrockNetwork.Events());
        net.join("Bob", BedrockNetwork.STILL, new BedrockNetwork.Events());
        net.network.run(2 * BedrockNetwork.SECOND);

        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
        assertThat(names(Optional.of(file())))
                .contains("start_game", "player_auth_input", "add_player")
                .doesNotContain("encrypted_batch", "malformed");
        assertThat(names(Optional.empty()))
                .contains("login", "encrypted_batch")
                .doesNotContain("start_game");
    }

    @Test
    void logsNoKeyForPlainSession() {
        BedrockNetwork net =
                BedrockNetwork.with(
                        1,
                        serving ->
                                serving.keys(keys::add)
                                        .options(java.util.Map.of("encryption", "off")));
        net.join("Ann", BedrockNetwork.STILL, new BedrockNetwork.Events());

        assertThat(keys).isEmpty();
    }
}

package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.Skins;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Logins with skins of any size: each has a first answer, or a reason. */
@Tag("slow")
class LargeLoginTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    private final BedrockNetwork n = new BedrockNetwork(1);

    private static String noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return Base64.getEncoder().encodeToString(noise);
    }

    private static Map<String, Object> data(int side, int capeSide, int geometryBytes) {
        Map<String, Object> data = Skins.clientData("1.21.40", "Ann", "s");
        data.put("SkinData", noise(side * side * 4));
        data.put("SkinImageWidth", side);
        data.put("SkinImageHeight", side);
        data.put("CapeData", noise(capeSide * capeSide * 4));
        data.put("CapeImageWidth", capeSide);
        data.put("CapeImageHeight", capeSide);
        data.put("SkinGeometryData", noise(geometryBytes));
        return data;
    }

    private ScriptedClient login(Map<String, Object> data) {
        ScriptedClient ann = new ScriptedClient(n, 7000);
        ann.settings();
        n.network.run(SECOND);
        ann.send(
                LoginIdentity.selfSigned(
                        748,
                        ann.keys,
                        "Ann",
                        new UUID(1, 2),
                        data,
                        System.currentTimeMillis() / 1000));
        n.network.runUntil(() -> answered(ann), 20 * SECOND);
        return ann;
    }

    private static boolean answered(ScriptedClient ann) {
        return ann.gone
                || !ann.all(PackMessage.ResourcePacksInfo.class).isEmpty()
                || !ann.all(Disconnect.class).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"64, 32, 1000", "256, 32, 100000", "512, 32, 200000", "512, 512, 200000"})
    @DisplayName("E27 a login with the largest skin that the game allows is answered")
    void answersLargestSkins(int side, int capeSide, int geometryBytes) {
        ScriptedClient ann = login(data(side, capeSide, geometryBytes));
        assertThat(ann.all(LoginMessage.PlayStatus.class)).isNotEmpty();
        assertThat(ann.all(PackMessage.ResourcePacksInfo.class)).hasSize(1);
    }

    @Test
    @DisplayName("E27 a login above all limits has a reason, and the operator a line")
    void refusesTooLargeLoginWithReason() {
        StringBuilder refused = new StringBuilder();
        n.arena.addListener(event -> {
            if (event instanceof ArenaEvent.JoinRefused it) {
                refused.append(it.reason().text());
            }
        });
        ScriptedClient ann = new ScriptedClient(n, 7000);
        ann.settings();
        n.network.run(SECOND);
        byte[] login = new byte[9 << 19];
        new Random(1).nextBytes(login);
        ann.raw(login);
        n.network.runUntil(() -> answered(ann), 20 * SECOND);
        assertThat(ann.all(Disconnect.class))
                .singleElement()
                .satisfies(it -> assertThat(it.message()).contains("Your game sent"));
        assertThat(refused.toString()).contains("Your game sent");
    }
}

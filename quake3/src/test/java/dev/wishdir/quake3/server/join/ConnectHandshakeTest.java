package dev.wishdir.quake3.server.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.server.AbuseHarness;
import dev.wishdir.quake3.server.session.ScriptedClient;

import org.junit.jupiter.api.Test;

import java.io.IOException;

class ConnectHandshakeTest {
    private static final String REFUSAL = "print\nNo or bad challenge for your address.\n";

    private final AbuseHarness harness = new AbuseHarness();

    ConnectHandshakeTest() throws IOException {}

    private ScriptedClient client(int host) {
        return new ScriptedClient(
                harness.network, AbuseHarness.SERVER, AbuseHarness.address(host, 1, 5_000), 71);
    }

    private static int challenge(ScriptedClient client) {
        return Integer.parseInt(client.ask("getchallenge 7 Quake3Arena").split(" ")[1]);
    }

    private static String connect(ScriptedClient client, int challenge) {
        return client.ask(
                "connect \"\\challenge\\%d\\qport\\%d\\protocol\\71\\name\\x\""
                        .formatted(challenge, client.qport));
    }

    @Test
    void acceptsChallengeOfTheAddressOnly() {
        ScriptedClient anna = client(2);
        ScriptedClient mallory = client(3);
        int challenge = challenge(anna);
        assertThat(connect(mallory, challenge)).isEqualTo(REFUSAL);
        assertThat(connect(anna, challenge + 1)).isEqualTo(REFUSAL);
        assertThat(connect(anna, challenge)).startsWith("connectResponse");
    }
}

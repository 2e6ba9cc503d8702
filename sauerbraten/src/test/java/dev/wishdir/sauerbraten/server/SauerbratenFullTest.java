package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.session.ClientConnection;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A server on which all numbers of clients are taken by players who have joined. */
@Tag("slow")
class SauerbratenFullTest {
    private SauerbratenAbuseHarness siege;

    @BeforeEach
    void fill() throws IOException {
        siege = new SauerbratenAbuseHarness("", "", ClientConnection.MAX_CLIENT_NUMBERS);
        for (int i = 2; i < ClientConnection.MAX_CLIENT_NUMBERS; i++) {
            siege.player("p" + i);
        }
        assertThat(siege.arena.players()).hasSize(ClientConnection.MAX_CLIENT_NUMBERS);
    }

    private List<ScriptedPlayer> strangers(int count) {
        List<ScriptedPlayer> strangers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            strangers.add(siege.stranger("10.9." + i + ".1:5000"));
        }
        return strangers;
    }

    @Test
    void reportsFullServerTo129th() {
        isToldThatTheServerIsFull();
    }

    private void isToldThatTheServerIsFull() {
        ScriptedPlayer late = siege.stranger("10.9.0.1:5000");
        assertThat(late.farewell()).isEqualTo(DisconnectReason.FULL.code());
        assertThat(late.heard(ChatMessage.ServMsg.class))
                .containsExactly(new ChatMessage.ServMsg("The server is full."));
        assertThat(siege.events).contains("refused 10.9.0.1: The server is full.");
    }

    @Test
    void reportsFullServerDespiteLoss() {
        siege.network.conditions(new Conditions(0.25, 0, MILLI, 0));
        List<ScriptedPlayer> late = strangers(12);
        siege.network.runUntil(() -> late.stream().allMatch(ScriptedPlayer::isGone), 20 * SECOND);
        // Such a line loses players too, and who comes then has a place; and a connect that is
        // lost each time ends by itself.
        late.removeIf(player -> player.cn >= 0 || !player.isGone());
        assertThat(late).hasSizeGreaterThan(9);
        assertThat(late)
                .allSatisfy(player ->
                        assertThat(player.farewell()).isEqualTo(DisconnectReason.FULL.code()));
    }

    @Test
    @DisplayName("G12 refused clients that never acknowledge it keep no other from an answer")
    void takesNoPlaceForUnacknowledgedRefusal() {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 40; i++) {
                ScriptedPlayer deaf = siege.stranger("10." + (20 + round) + "." + i + ".1:5000");
                siege.network.runUntil(() -> deaf.peer.connected(), SECOND);
                deaf.node.deaf = true;
            }
        }
        isToldThatTheServerIsFull();
        assertThat(siege.endpoint.sessions()).isEqualTo(ClientConnection.MAX_CLIENT_NUMBERS);
    }
}

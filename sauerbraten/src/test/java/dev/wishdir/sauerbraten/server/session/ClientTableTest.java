package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

import org.junit.jupiter.api.Test;

class ClientTableTest {
    private final SessionFixture fixture = new SessionFixture();
    private final ClientTable clients = fixture.clients;

    @Test
    void findsSessionByNumberPlayerAndConnection() {
        SauerbratenSession anna = fixture.join("anna");
        assertThat(clients.session(anna.cn)).contains(anna);
        assertThat(clients.session(anna.player().id())).isSameAs(anna);
        assertThat(clients.session(anna.connection.peer)).isSameAs(anna);
        assertThat(clients.number(anna.player().id())).isEqualTo(anna.cn);
        assertThat(clients.number(new PlayerId(1, 1))).isEqualTo(-1);
        assertThat(clients.session(-1)).isEmpty();
        assertThat(clients.session(ClientConnection.MAX_CLIENT_NUMBERS)).isEmpty();
    }

    @Test
    void keepsConnectionOfSessionThatLeft() {
        SauerbratenSession anna = fixture.join("anna");
        SauerbratenSession bert = fixture.join("bert");
        clients.remove(anna);
        assertThat(clients.sessions()).containsExactly(bert);
        assertThat(clients.session(anna.player().id())).isNull();
        assertThat(clients.session(anna.connection.peer)).isSameAs(anna);
        assertThat(clients.freeNumber()).isEqualTo(anna.cn);
        assertThat(clients.removeConnection(anna.connection.peer)).isSameAs(anna);
        assertThat(clients.removeConnection(anna.connection.peer)).isNull();
    }

    @Test
    void showsAppearanceOnlyOfClientInArena() {
        SauerbratenSession anna = fixture.join("anna");
        SauerbratenSession unjoined = fixture.connect();
        assertThat(clients.appearance(anna.cn, _ -> true))
                .extracting(PlayerAppearance::name)
                .isEqualTo("anna");
        assertThat(clients.appearance(unjoined.cn, _ -> true)).isNull();
        anna.player().leave(fixture.network.now(), LeaveReason.LEFT);
        assertThat(clients.appearance(anna.cn, _ -> true)).isNull();
    }

    @Test
    void tracksClientsApartFromForeignPlayers() {
        SauerbratenSession anna = fixture.join("anna");
        ArenaPlayer ranger = fixture.arena.join(0, "quake2", "ranger", new NoOpViewer());
        assertThat(fixture.foreignPlayers.find(ranger.id())).isNotNull();
        assertThat(fixture.foreignPlayers.find(anna.player().id())).isNull();
        assertThat(anna.viewer.foreignPlayer(ClientConnection.MAX_CLIENT_NUMBERS - 1))
                .contains(ranger.id());
        ranger.leave(0, LeaveReason.LEFT);
        assertThat(fixture.foreignPlayers.find(ranger.id())).isNull();
        assertThat(anna.viewer.foreignPlayer(ClientConnection.MAX_CLIENT_NUMBERS - 1)).isEmpty();
    }

    @Test
    void broadcastsToJoinedClientsButOne() {
        SauerbratenSession anna = fixture.join("anna");
        SauerbratenSession bert = fixture.join("bert");
        SauerbratenSession unjoined = fixture.connect();
        for (SauerbratenSession session : clients.sessions()) {
            fixture.received(session);
        }
        fixture.broadcaster.send(anna.cn, new ChatMessage.ServMsg("hello"));
        assertThat(fixture.received(bert)).isEqualTo(1);
        assertThat(fixture.received(anna)).isZero();
        assertThat(fixture.received(unjoined)).isZero();
    }

    @Test
    void relaysQueuedMessagesBeforeLaterEvent() {
        SauerbratenSession anna = fixture.join("anna");
        SauerbratenSession bert = fixture.join("bert");
        fixture.received(bert);
        fixture.broadcaster.relay(anna, new ChatMessage.Text("first"));
        assertThat(anna.relayQueue.bytes()).isPositive();
        fixture.broadcaster.sendText("second");
        assertThat(anna.relayQueue.bytes()).isZero();
        assertThat(fixture.received(bert)).isEqualTo(2);
    }
}

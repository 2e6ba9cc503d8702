package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.server.chat.CommandHandler;
import dev.wishdir.quake2.server.join.ServerInfo;
import dev.wishdir.quake2.server.match.PlayerListing;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.session.SessionState;
import dev.wishdir.quake2.server.session.TestSessions;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;

class MessageHandlerTest {
    private final TestSessions sessions = new TestSessions();
    private final TestSessions.Client client = sessions.add(1);
    private final Quake2Session session = client.session();
    private final MessageHandler handler =
            new MessageHandler(
                    new CommandHandler(
                            sessions.signOn,
                            sessions.clients,
                            sessions.level,
                            new ServerInfo(sessions.context, sessions.level),
                            new PlayerListing(
                                    sessions.arena, sessions.entityTable, sessions.network::now),
                            () -> false,
                            sessions.quake2Counters),
                    sessions.quake2Counters);

    MessageHandlerTest() throws IOException {}

    private void receive(ClientMessage... messages) {
        handler.receive(0, session, client.packet(messages));
    }

    private static ClientMessage command(String text) {
        return new ClientMessage.StringCmd(text);
    }

    private static ClientMessage userInfo(String text) {
        return new ClientMessage.UserInfo(ClientText.of(text));
    }

    private void enter() {
        receive(command("new"));
        receive(command("begin " + session.serverCount()));
        assertThat(session.state()).isEqualTo(SessionState.SPAWNED);
    }

    private long count(String name) {
        return sessions.counters.get("quake2." + name);
    }

    @Test
    void letsAClientEnterAndLeave() {
        enter();
        assertThat(sessions.arena.players()).extracting(Player::name).containsExactly("c1");
        receive(command("disconnect"));
        assertThat(sessions.arena.players()).isEmpty();
        assertThat(sessions.clients.all()).isEmpty();
    }

    @Test
    void limitsTheCommandsOfAPacket() {
        ClientMessage[] commands = new ClientMessage[10];
        Arrays.fill(commands, command("nonsense"));
        receive(commands);
        assertThat(count("command")).isEqualTo(7);
        assertThat(count("command-limit")).isEqualTo(3);
    }

    @Test
    void dropsAClientWithAMalformedMessage() {
        Netchan netchan = client.netchan();
        handler.receive(0, session, netchan.send(new byte[] {99}, 1).toByteArray());
        assertThat(count("malformed")).isEqualTo(1);
        assertThat(session.state()).isEqualTo(SessionState.ZOMBIE);
    }

    @Test
    void ignoresAMoveWithAWrongChecksum() {
        Move move = Move.of(-1, UserCmd.ZERO, UserCmd.ZERO, UserCmd.ZERO);
        receive(move);
        assertThat(count("checksum")).as("not in the game yet").isZero();
        enter();
        Move wrong = new Move(1, -1, move.oldest(), move.previous(), move.newest());
        Move other = new Move(2, -1, move.oldest(), move.previous(), move.newest());
        receive(wrong, command("nonsense"));
        receive(other, command("nonsense"));
        assertThat(count("checksum")).as("at most one of two is right").isPositive();
        assertThat(count("command")).as("the rest is ignored").isEqualTo(2 - count("checksum"));
    }

    @Test
    void appliesSettings() {
        enter();
        receive(userInfo("\\name\\anna\\skin\\female/athena"));
        assertThat(sessions.arena.players()).extracting(Player::name).containsExactly("anna");
        receive(userInfo(""));
        receive(userInfo("no pairs"));
        assertThat(count("userinfo")).isEqualTo(2);
        assertThat(session.player().name()).isEqualTo("anna");
    }
}

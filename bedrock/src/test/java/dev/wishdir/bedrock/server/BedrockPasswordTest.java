package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.ModalForm.ModalFormRequest;
import dev.wishdir.bedrock.message.ModalForm.ModalFormResponse;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.BedrockNetwork.Events;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.raknet.RakNetNetwork;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A private server, and who may do more than others on it. */
class BedrockPasswordTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    private final BedrockNetwork n =
            BedrockNetwork.strict(1, s -> s.password("s\"cret").adminPassword("boss"));
    private int hosts;

    private InetSocketAddress address() {
        return RakNetNetwork.address(300 * ++hosts, 5000);
    }

    /** A client in the world, unknown to all others. */
    private ScriptedClient stranger(InetSocketAddress from, String name) {
        ScriptedClient stranger = new ScriptedClient(n, from);
        stranger.logIn(name);
        stranger.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
        stranger.load();
        return stranger;
    }

    private ScriptedClient player(String name) {
        ScriptedClient player = stranger(address(), name);
        player.send(chat("s\"cret"));
        return player;
    }

    private static Text chat(String text) {
        return Text.chat("", text);
    }

    private static void fill(ScriptedClient who, String json) {
        int id = who.all(ModalFormRequest.class).getLast().id();
        who.send(new ModalFormResponse(id, Optional.of(json), Optional.empty()));
    }

    private static String reason(ScriptedClient who) {
        assertThat(who.kicked()).isTrue();
        return who.all(Disconnect.class).getLast().message();
    }

    @Test
    @DisplayName("G13 without the password a client is not in, not seen, and sees no player")
    void keepsClientsWithoutPasswordOut() {
        Events bob = new Events();
        BedrockClient inside =
                n.client("Bob", "s\"cret", BedrockNetwork.STILL, bob, BedrockCodec.V748);
        n.network.runUntil(() -> n.arena.players().size() == 1, 10 * SECOND);
        List<ArenaEvent> told = new ArrayList<>();
        n.arena.addListener(told::add);
        ScriptedClient eve = stranger(address(), "Eve");
        assertThat(eve.all(ModalFormRequest.class)).hasSize(1);
        assertThat(eve.all(ModalFormRequest.class).getFirst().form()).contains("custom_form");
        inside.say("between us");
        Bytes nothing = Bytes.EMPTY;
        eve.send(
                new MovePlayer(
                        eve.id(),
                        BedrockMotion.eyes(n.arena.level().spawns().getFirst().position()),
                        Vec2f.ZERO,
                        0,
                        0,
                        true,
                        0),
                new CommandRequest("/status", nothing),
                new CommandRequest("/admin boss", nothing));
        n.network.run(5 * SECOND);
        assertThat(n.arena.players()).hasSize(1);
        assertThat(told).noneMatch(event -> event instanceof ArenaEvent.Joined);
        assertThat(bob.appeared).isEmpty();
        assertThat(eve.all(PlayerList.class)).isEmpty();
        assertThat(eve.all(AddPlayer.class)).isEmpty();
        assertThat(eve.all(MovePlayer.class)).isEmpty();
        assertThat(eve.all(Text.class)).noneMatch(text -> text.message().contains("between us"));
        // Her name is anybody's meanwhile.
        ScriptedClient eva = player("Eve");
        assertThat(eva.kicked()).isFalse();
        assertThat(n.arena.players()).anyMatch(player -> player.name().equals("Eve"));

        fill(eve, "[\"s\\\"cret\"]");
        assertThat(n.arena.players()).anyMatch(player -> player.name().equals("Eve(2)"));
        n.network.run(SECOND);
        assertThat(eve.all(AddPlayer.class)).hasSize(2);
        assertThat(bob.appeared).hasSize(2);
        assertThat(eve.kicked()).isFalse();
    }

    @Test
    @DisplayName("G13 who walked about while being asked begins where all begin")
    void startsAtSpawnAfterPrompt() {
        ScriptedClient eve = stranger(address(), "Eve");
        fill(eve, "[\"s\\\"cret\"]");
        MovePlayer put = eve.all(MovePlayer.class).getLast();
        assertThat(put.mode()).isEqualTo(MovePlayer.TELEPORT);
        assertThat(put.runtimeId()).isEqualTo(eve.id());
    }

    @Test
    @DisplayName("G13 three wrong passwords, or none in a minute, and one is sent away")
    void kicksAfterThreeWrongPasswords() {
        ScriptedClient eve = stranger(address(), "Eve");
        fill(eve, "[\"wrong\"]");
        assertThat(eve.all(ModalFormRequest.class)).hasSize(2);
        // No answers, and those to forms that are gone, are no tries.
        eve.send(new ModalFormResponse(1, Optional.of("[\"late\"]"), Optional.empty()));
        for (String odd : List.of("", "null", "[]", "[null]", "[1]", "{\"a\":1}", "[[[[[[")) {
            fill(eve, odd);
        }
        assertThat(eve.gone).isFalse();
        eve.send(chat("wrong"));
        assertThat(eve.gone).isFalse();
        eve.send(chat("wrong"));
        assertThat(reason(eve)).contains("Wrong or missing password");

        ScriptedClient late = stranger(address(), "Late");
        late.send(new ModalFormResponse(1, Optional.empty(), Optional.of(1)));
        n.network.run(3 * SECOND);
        assertThat(late.all(ModalFormRequest.class)).hasSize(2);
        n.network.run(58 * SECOND);
        assertThat(reason(late)).contains("within a minute");
        assertThat(n.arena.players()).isEmpty();
        assertThat(n.endpoint.connections()).isEmpty();
    }

    @Test
    @DisplayName("G13 the headless client answers, and says why it is not let in")
    void answersPromptAsHeadlessClient() {
        for (String password : List.of("", "wrong")) {
            Events events = new Events();
            n.client("Bob", password, BedrockNetwork.STILL, events, BedrockCodec.V748);
            n.network.run(5 * SECOND);
            assertThat(events.endings).containsExactly(EndReason.REFUSED);
            assertThat(events.reasons.getFirst()).contains("password");
        }
        Events events = new Events();
        n.client("Bob", "s\"cret", BedrockNetwork.STILL, events, BedrockCodec.V748);
        n.network.run(5 * SECOND);
        assertThat(events.endings).isEmpty();
        assertThat(n.arena.players()).hasSize(1);
    }

    @Test
    void makesOperatorByAdminPassword() {
        ScriptedClient ann = player("Ann");
        ScriptedClient bob = player("Bob");
        n.network.run(SECOND);
        ann.send(new CommandRequest("/kick Bob", Bytes.EMPTY));
        ann.send(chat("/admin wrong"));
        ann.send(chat("/say hello"));
        assertThat(bob.kicked()).isFalse();
        assertThat(bob.all(Text.class)).noneMatch(text -> text.message().contains("hello"));
        assertThat(bob.all(Text.class)).noneMatch(text -> text.message().contains("admin"));
        ann.send(new CommandRequest("/admin boss", Bytes.EMPTY));
        ann.send(chat("/list"));
        assertThat(ann.all(Text.class).getLast().message()).contains("2 players", "Bob, bedrock");
        n.network.run(5 * SECOND);
        ann.send(chat("/say hello"));
        assertThat(bob.all(Text.class)).anyMatch(text -> text.message().equals("hello"));
        ann.send(chat("/kick bob"));
        assertThat(reason(bob)).contains("kicked");
        assertThat(n.arena.players()).hasSize(1);
    }
}

package dev.wishdir.bedrock.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.chat.CommandHandler;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.movement.WorldTransfer;
import dev.wishdir.bedrock.server.view.ClientWorld;
import dev.wishdir.bedrock.server.view.SessionFixture;
import dev.wishdir.bedrock.server.view.SessionFixture.FakeLine;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class MessageHandlerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long RUNTIME_ID = 1;

    private final SessionFixture fixture = new SessionFixture();
    private final FakeLine line = fixture.new FakeLine();
    private final BedrockViewer viewer = fixture.viewer(line, "Ann", RUNTIME_ID);
    private final ArenaPlayer player = fixture.arena.join(0, BedrockCodec.NAME, "Ann", viewer);
    private final List<PlayerId> swings = new ArrayList<>();
    private final List<ArenaEvent> events = new ArrayList<>();
    private final MessageHandler handler = handler();

    private MessageHandler handler() {
        MovementHandler.Client client =
                new MovementHandler.Client(RUNTIME_ID, BedrockCodec.NEWEST, line.channel()::send);
        ClientWorld clientWorld = ClientWorld.of(line.channel()::send);
        MovementHandler movement =
                new MovementHandler(
                        0,
                        fixture.movementServices,
                        client,
                        player,
                        new WorldTransfer(clientWorld.chunks()),
                        player::spawn,
                        fixture.world.spawnPoint(0, player));
        return new MessageHandler(
                new MessageHandler.Services(swings::add, fixture.attackServices, fixture.drops),
                player,
                client,
                viewer,
                movement,
                MessageHandler.Fight.of(fixture.attackServices, client, player, viewer, movement),
                clientWorld.radius(),
                new CommandHandler(fixture.chatServices, line.remote().getAddress(), _ -> {}));
    }

    @BeforeEach
    void spawn() {
        player.spawn(0, fixture.world.spawnPoint(0, player));
        fixture.arena.addListener(events::add);
    }

    private <E extends ArenaEvent> List<E> all(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void say(long now, String text) {
        handler.handle(now, Text.chat("Ann", text));
    }

    private String lastText() {
        return line.all(Text.class).getLast().message();
    }

    @Test
    void saysChatToAllAndEchoesIt() {
        say(0, "§chello");
        assertThat(all(ArenaEvent.Chat.class))
                .singleElement()
                .extracting(ArenaEvent.Chat::text)
                .isEqualTo("hello");
        assertThat(lastText()).isEqualTo("hello");
    }

    @Test
    void dropsLongTextAndOtherKindsOfText() {
        say(0, "x".repeat(513));
        handler.handle(0, new Text(0, false, "", "hello", List.of(), "", "", Optional.empty()));
        assertThat(all(ArenaEvent.Chat.class)).isEmpty();
        assertThat(fixture.counters.get("text")).isEqualTo(2);
    }

    @Test
    void runsCommandsOfChatAndOfRequests() {
        say(0, "/list");
        assertThat(lastText()).contains("Ann");
        int before = line.sent().size();
        handler.handle(0, new CommandRequest("/list", Bytes.EMPTY));
        assertThat(line.sent()).hasSizeGreaterThan(before);
        assertThat(all(ArenaEvent.Chat.class)).isEmpty();
    }

    @Test
    void limitsCommandsButNotThoseOfOperator() {
        for (int i = 0; i < 20; i++) {
            handler.handle(0, new CommandRequest("/list", Bytes.EMPTY));
        }
        assertThat(fixture.counters.get("commands")).isEqualTo(15);
        handler.handle(
                2 * SECOND,
                new CommandRequest("/admin " + SessionFixture.ADMIN_PASSWORD, Bytes.EMPTY));
        assertThat(line.all(AvailableCommands.class)).isNotEmpty();
        for (int i = 0; i < 20; i++) {
            handler.handle(2 * SECOND, new CommandRequest("/list", Bytes.EMPTY));
        }
        assertThat(fixture.counters.get("commands")).isEqualTo(15);
        handler.handle(2 * SECOND, new CommandRequest("/say attention", Bytes.EMPTY));
        assertThat(all(ArenaEvent.Announcement.class)).hasSize(1);
    }

    @Test
    void refusesOperatorCommandsOfOthers() {
        handler.handle(0, new CommandRequest("/say attention", Bytes.EMPTY));
        handler.handle(0, new CommandRequest("/admin guess", Bytes.EMPTY));
        assertThat(lastText()).isEqualTo("that is not the admin password");
        handler.handle(0, new CommandRequest("/say attention", Bytes.EMPTY));
        assertThat(all(ArenaEvent.Announcement.class)).isEmpty();
    }

    @Test
    void showsSwingOfOwnArmAsAttack() {
        handler.handle(0, Animate.swing(RUNTIME_ID));
        assertThat(swings).containsExactly(player.id());
        assertThat(all(ArenaEvent.ActionPerformed.class))
                .singleElement()
                .extracting(ArenaEvent.ActionPerformed::action)
                .isEqualTo(PlayerAction.ATTACK);
    }

    @Test
    void ignoresSwingOfAnotherArmAndOtherAnimations() {
        handler.handle(0, Animate.swing(RUNTIME_ID + 2));
        handler.handle(0, new Animate(4, RUNTIME_ID, 0, 0, Optional.empty()));
        assertThat(swings).isEmpty();
        assertThat(all(ArenaEvent.ActionPerformed.class)).isEmpty();
        assertThat(fixture.counters.get("animate")).isEqualTo(2);
    }

    @Test
    void limitsSwings() {
        for (int i = 0; i < 1000; i++) {
            handler.handle(0, Animate.swing(RUNTIME_ID));
        }
        assertThat(swings).hasSizeLessThan(100);
        assertThat(fixture.counters.get("animate")).isEqualTo(1000 - swings.size());
    }

    @Test
    void answersRequestForRadiusAndCountsWhatItIgnores() {
        handler.handle(0, new WorldMessage.RequestChunkRadius(40, 40));
        assertThat(line.all(WorldMessage.ChunkRadiusUpdated.class))
                .singleElement()
                .extracting(WorldMessage.ChunkRadiusUpdated::radius)
                .isEqualTo(8);
        handler.handle(0, new WorldMessage.ChunkRadiusUpdated(3));
        assertThat(fixture.counters.get("ignored")).isEqualTo(1);
    }
}

package dev.wishdir.bedrock.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.FightMessage.ActorEvent;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

class RemotePlayersTest {
    /** As in the blank message, whose unique id is the same. */
    private static final long ID = AddPlayer.BLANK.runtimeId();

    private final List<String> calls = new ArrayList<>();
    private final RemotePlayers others = new RemotePlayers(new Self(), new Recorder());

    private static final class Self implements Client {
        @Override
        public boolean joined() {
            return true;
        }

        @Override
        public long id() {
            return 99;
        }

        @Override
        public Movement movement() {
            return Movement.ORIGIN;
        }

        @Override
        public Collection<RemotePlayer> others() {
            return List.of();
        }

        @Override
        public void say(String text) {}

        @Override
        public void close() {}
    }

    private final class Recorder implements ClientListener {
        @Override
        public void onAppeared(Client self, Client.RemotePlayer other) {
            calls.add("appeared");
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            calls.add("moved");
        }

        @Override
        public void onVanished(Client self, Client.RemotePlayer other) {
            calls.add("vanished");
        }
    }

    @BeforeEach
    void dies() {
        others.onAdded(AddPlayer.BLANK);
        others.onEvent(ActorEvent.of(ID, ActorEvent.HURT));
        assertThat(others.living()).hasSize(1);
        others.onEvent(ActorEvent.of(ID, ActorEvent.DEATH));
    }

    private void move(int mode) {
        others.onMoved(0, new MovePlayer(ID, Vec3f.ZERO, Vec2f.ZERO, 0, mode, true, 0));
    }

    @Test
    void corpseIsNotAPlayer() {
        move(MovePlayer.NORMAL);
        others.onEvent(ActorEvent.of(ID, ActorEvent.DEATH));
        assertThat(others.living()).isEmpty();
        assertThat(others.places()).isEmpty();
        others.onRemoved(ID);
        assertThat(calls).containsExactly("appeared", "vanished");
    }

    @Test
    void playerThatIsAddedAgainLives() {
        others.onAdded(AddPlayer.BLANK);
        assertThat(others.living()).hasSize(1);
        others.onRemoved(ID);
        assertThat(calls).containsExactly("appeared", "vanished", "appeared", "vanished");
    }

    @Test
    void ignoresPlayerAtNoPlace() {
        AddPlayer m = AddPlayer.BLANK;
        for (Vec3f odd : List.of(new Vec3f(0, Float.NaN, 0), new Vec3f(Float.NaN, 0, 0))) {
            for (boolean moves : new boolean[] {false, true}) {
                others.onAdded(
                        new AddPlayer(
                                m.uuid(),
                                "odd",
                                7,
                                m.platformChat(),
                                moves ? m.position() : odd,
                                moves ? odd : m.velocity(),
                                m.pitch(),
                                m.yaw(),
                                m.headYaw(),
                                m.item(),
                                m.gameType(),
                                m.metadata(),
                                m.properties(),
                                m.abilities(),
                                m.links(),
                                m.deviceId(),
                                m.os()));
            }
        }
        assertThat(others.living()).isEmpty();
        assertThat(calls).containsExactly("appeared", "vanished");
    }

    @Test
    void playerHasItsLaterName() {
        others.onAdded(AddPlayer.BLANK);
        Metadata name = new Metadata(Metadata.NAME, new Metadata.OfText("§cother§r"));
        others.onMetadata(0, new SetActorData(ID, List.of(name), Properties.BLANK, 0));
        assertThat(others.living()).extracting(Client.RemotePlayer::name).containsExactly("other");
    }

    @ParameterizedTest
    @ValueSource(ints = {MovePlayer.RESPAWN, MovePlayer.TELEPORT})
    void playerThatIsPutElsewhereLives(int mode) {
        move(mode);
        assertThat(others.living()).hasSize(1);
        assertThat(others.places()).hasSize(1);
        move(MovePlayer.NORMAL);
        assertThat(calls).containsExactly("appeared", "vanished", "appeared", "moved");
    }
}

package dev.wishdir.bedrock.server;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** A server with a match, and what happens in it. */
public final class FightNetwork {
    public final BedrockNetwork n;
    final List<ArenaEvent> events = new ArrayList<>();

    public FightNetwork(long seed, MatchRules rules) {
        n = new BedrockNetwork(seed);
        n.arena.setMatchRules(rules);
        n.arena.addListener(event -> {
            if (!(event instanceof ArenaEvent.Moved)) {
                events.add(event);
            }
        });
    }

    public static MatchRules rounds(int seconds, int intermission, int warmUp) {
        return MatchRules.of(MatchMode.FFA)
                .withTimes(
                        Duration.ofSeconds(seconds),
                        Duration.ofSeconds(warmUp),
                        Duration.ofSeconds(intermission));
    }

    public <E> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** A client that runs to the nearest other player and strikes it. */
    public static final class Hunter implements BotController {
        public final BedrockNetwork.Events heard = new BedrockNetwork.Events();
        public boolean fights = true;

        /** Whether it stays where it is, and fights from there. */
        public boolean stays;

        private final Random random;
        private @Nullable BedrockClient client;

        public Hunter(int seed) {
            random = new Random(seed);
        }

        public BedrockClient client() {
            BedrockClient joined = client;
            if (joined == null) {
                throw new AssertionError("the hunter has not joined");
            }
            return joined;
        }

        public Hunter join(BedrockNetwork n, String name, int protocol) {
            client = n.client(name, this, heard, BedrockCodec.of(protocol).orElseThrow());
            if (!n.network.runUntil(client()::joined, 30 * BedrockNetwork.SECOND)) {
                throw new AssertionError(name + " did not join: " + heard.reasons);
            }
            return this;
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            BedrockClient own = client;
            if (own == null || !fights) {
                return PlayerInput.look(self.yaw(), 0);
            }
            return own.others().stream()
                    .map(Client.RemotePlayer::movement)
                    .map(Movement::position)
                    .min(Comparator.comparingDouble(at -> at.distance(self.position())))
                    .map(at -> chase(own, self, at))
                    .orElseGet(() -> PlayerInput.look(self.yaw(), 0));
        }

        private PlayerInput chase(BedrockClient own, Movement self, Vec3 at) {
            own.shoot(at.plus(new Vec3(0, 0, 1.2)));
            if (stays) {
                return PlayerInput.look(self.yaw(), self.pitch());
            }
            Vec3 way = at.minus(self.position());
            double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
            double turn = random.nextDouble(-40, 40);
            return way.length() < 1.5
                    ? PlayerInput.walk(yaw + 180 + turn, yaw, 0)
                    : PlayerInput.walk(yaw + turn, yaw, 0);
        }
    }
}

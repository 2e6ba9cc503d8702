package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.game.BotController;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server with a match with flags in a long room, clients that walk in it, in virtual time. */
final class FlagNetwork {
    static final Vec3 RED_HOME = new Vec3(-20.5, 0.5, 0);
    static final Vec3 BLUE_HOME = new Vec3(20.5, 0.5, 0);

    final BedrockNetwork n;

    /** Changes of flags as text: {@code blue taken touch anna}. */
    final List<String> changes = new ArrayList<>();

    final List<ArenaEvent> events = new ArrayList<>();

    FlagNetwork(long seed) {
        n = BedrockNetwork.with(seed, serving -> serving.blocks(room()));
        n.arena.setMatchRules(
                MatchRules.of(MatchMode.CTF)
                        .withTimes(Duration.ofMinutes(5), Duration.ZERO, Duration.ofSeconds(10)));
        n.arena.addListener(event -> {
            events.add(event);
            if (event instanceof ArenaEvent.FlagChanged e) {
                changes.add(
                        e.flag()
                                + " "
                                + e.change()
                                + " "
                                + e.cause()
                                + e.player().map(player -> " " + player.name()).orElse(""));
            }
        });
    }

    /** A room with a base at each end. */
    private static BlockArena room() {
        String floor = "#".repeat(60) + "\n";
        String air = ".".repeat(60) + "\n";
        try {
            return ArenaText.read(
                    "wishdir-arena 3\nname room\nsize 60 8 10\nground 1\nblock # stone\n"
                            + "spawn -16 0 0 0 red\nspawn 16 0 0 180 blue\n"
                            + "flag red -20.5 0.5 0\nflag blue 20.5 0.5 0\nlayer 0\n"
                            + floor.repeat(8)
                            + "layers 1-9\n"
                            + air.repeat(8));
        } catch (MalformedArenaException e) {
            throw new AssertionError(e);
        }
    }

    /** Loses and reorders datagrams from now on. */
    FlagNetwork losing() {
        n.network.conditions(new Conditions(0.05, 0.05, 20_000_000, 10_000_000));
        return this;
    }

    /** A client that walks to a place, and stands there. */
    static final class Walker implements BotController {
        final BedrockNetwork.Events heard = new BedrockNetwork.Events();
        final BedrockClient client;
        private Optional<Vec3> goal = Optional.empty();

        Walker(FlagNetwork flags, String name, int protocol) {
            client = flags.n.client(name, this, heard, BedrockCodec.of(protocol).orElseThrow());
            if (!flags.n.network.runUntil(client::joined, 30 * SECOND)) {
                throw new AssertionError(name + " did not join: " + heard.reasons);
            }
            flags.n.network.run(SECOND);
        }

        void goTo(Vec3 place) {
            goal = Optional.of(place);
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            Vec3 way = goal.orElse(self.position()).minus(self.position());
            double ahead = Angles.yaw(way.x(), way.y());
            return way.horizontal() < 0.5
                    ? PlayerInput.look(0, 0)
                    : PlayerInput.walk(ahead, ahead, 0);
        }

        RemoteFlag flag(Team team) {
            return client.flags().stream()
                    .filter(flag -> flag.team().equals(team.toString()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("sees only " + client.flags()));
        }
    }

    Walker walker(String name, int protocol) {
        return new Walker(this, name, protocol);
    }

    /** A player of another game, which the test moves. */
    ArenaPlayer foreign(String name) {
        ArenaPlayer joined = n.arena.join(n.network.now(), "other", name, new NoOpViewer());
        joined.combatant().beginLife(n.network.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
        joined.spawn(n.network.now(), Movement.at(Vec3.ZERO, 0));
        n.network.run(SECOND / 2);
        return joined;
    }

    void move(ArenaPlayer player, Vec3 to) {
        player.recordActivity(n.network.now());
        player.move(n.network.now(), Movement.at(to, 0), NativeMovement.Stored.NONE);
        n.network.run(SECOND / 2);
    }

    ArenaPlayer player(String name) {
        return n.arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .flatMap(player -> n.arena.player(player.id()))
                .orElseThrow();
    }

    Flag flag(Team team) {
        return n.arena.match().flags().all().get(team.ordinal());
    }

    /** Waits for changes. */
    void await(int count) {
        if (!n.network.runUntil(() -> changes.size() >= count, 30 * SECOND)) {
            throw new AssertionError("only " + changes);
        }
        n.network.run(SECOND);
    }
}

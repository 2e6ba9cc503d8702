package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.FlagScenario;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.server.session.ScriptedClient;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Capture the flag at clients of Quake III: docs/protocols/quake3.md#flags. */
@Tag("slow")
class Quake3FlagTest extends FlagScenario<Quake3Client> {
    private static final int SCORE_PLUM = 65;
    private static final int BLUE_FLAG = 35;
    private static final int ITEM_RESPAWN = 40;
    private static final int CAPTURES = 14;
    private static final int AWARD_CAP = 0x800;
    private static final int DEFENCES = 11;
    private static final int AWARD_DEFEND = 0x10000;

    @Override
    protected void open(EndpointContext context, BlockArena played) throws IOException {
        Quake3Endpoint.open(
                context,
                new Quake3MapCatalog(Optional.empty(), played),
                "baseoa",
                List.of(),
                List.of());
    }

    @Override
    protected Quake3Client connect(ClientConfig config) throws IOException {
        return Quake3Client.connect(config);
    }

    @Override
    protected void typeDrop(Quake3Client client) {
        client.command("dropflag");
    }

    /** What a scripted client was sent since the last call. */
    private final class Eye {
        final ScriptedClient client;
        private final List<String> events = new ArrayList<>();
        private List<Integer> present = List.of();
        private int command;

        Eye(String name) {
            client = new ScriptedClient(network, address(), 40_000, 68).join(name);
            steps.add(this::step);
        }

        private void step() {
            client.walk(0);
            Frame frame = client.frame;
            List<Integer> before = present;
            present = new ArrayList<>();
            for (int i = 0; i < frame.size(); i++) {
                EntityState entity = frame.state(i);
                int event = entity.get(EntityField.E_TYPE) - 13;
                if (event > 0) {
                    present.add(frame.number(i));
                    if (!before.contains(frame.number(i))) {
                        EntityField field =
                                event == SCORE_PLUM ? EntityField.TIME : EntityField.EVENT_PARM;
                        events.add(event + ":" + entity.get(field));
                    }
                }
            }
        }

        /**
         * The events of entities of their own since the last call, after some time: {@code 47:4}.
         */
        List<String> events(double seconds) {
            run(seconds);
            List<String> all = List.copyOf(events);
            events.clear();
            return all;
        }

        List<String> commands() {
            List<String> all =
                    List.copyOf(client.commands.subList(command, client.commands.size()));
            command = client.commands.size();
            return all;
        }

        /** The flags that stand or lie. */
        List<EntityState> items() {
            return IntStream.range(0, client.frame.size())
                    .mapToObj(client.frame::state)
                    .filter(it -> it.get(EntityField.E_TYPE) == 2)
                    .toList();
        }

        EntityState player(int slot) {
            return IntStream.range(0, client.frame.size())
                    .filter(i -> client.frame.number(i) == slot)
                    .mapToObj(client.frame::state)
                    .findFirst()
                    .orElseThrow();
        }

        String config(int index) {
            return client.configstrings.get(index);
        }
    }

    @Test
    void sendsWhatTheOriginalSends() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        Eye eye = new Eye("eye");
        assertThat(eye.client.serverinfo.get("g_gametype")).isEqualTo("4");
        assertThat(eye.client.serverinfo.get("capturelimit")).isEqualTo("8");
        assertThat(eye.client.serverinfo.get("fraglimit")).isEqualTo("0");
        assertThat(eye.config(23)).isEqualTo("00");
        assertThat(eye.config(6)).isEqualTo("0");
        assertThat(eye.config(27)).hasSize(36).endsWith("11");
        eye.events(0.5);
        eye.commands();
        assertThat(eye.items())
                .extracting(it -> it.get(EntityField.MODELINDEX))
                .containsExactly(34, BLUE_FLAG);
        EntityState home = eye.items().get(1);
        assertThat(home.real(EntityField.POS_TR_BASE_0)).isEqualTo(12 * 32);
        assertThat(home.real(EntityField.POS_TR_BASE_2)).isEqualTo(15);

        eye.events(0);
        anna.walk(BLUE_HOME, "blue taken touch anna");
        assertThat(eye.events(1)).containsExactlyInAnyOrder("47:4", "20:35");
        assertThat(eye.commands())
                .containsSubsequence("print \"anna^7 got the BLUE flag!\n\"", "cs 23 \"01\"");
        assertThat(anna.client.player().get(PlayerArray.POWERUPS, 8)).isEqualTo(Integer.MAX_VALUE);
        assertThat(anna.client.player().get(PlayerField.EXTERNAL_EVENT_PARM)).isZero();
        int slot = (int) anna.client.id();
        assertThat(eye.player(slot).get(EntityField.POWERUPS)).isEqualTo(256);
        assertThat(eye.items()).extracting(it -> it.get(EntityField.MODELINDEX)).containsOnly(34);

        anna.client.dropFlag();
        anna.send(RED_HOME.plus(new Vec3(0, -8, 0)));
        assertThat(eye.events(1)).isEmpty();
        assertThat(eye.commands())
                .containsSubsequence("print \"anna^7 lost the BLUE flag!\n\"", "cs 23 \"02\"");
        EntityState dropped = eye.items().get(1);
        assertThat(dropped.get(EntityField.MODELINDEX)).isEqualTo(BLUE_FLAG);
        assertThat(dropped.get(EntityField.MODELINDEX2)).isEqualTo(1);
        assertThat(dropped.get(EntityField.E_FLAGS)).isEqualTo(32);
        assertThat(dropped.get(EntityField.POS_TR_TYPE)).isZero();
        assertThat(anna.client.player().get(PlayerArray.POWERUPS, 8)).isZero();

        bob.walk(arena.match().flags().place(flag(Team.BLUE)), "blue returned touch bob");
        assertThat(eye.events(0.2)).containsExactly("47:2");
        assertThat(eye.items().get(1).get(EntityField.EVENT) & 0xFF).isEqualTo(ITEM_RESPAWN);
        eye.events(0.5);
        assertThat(eye.items().get(1).get(EntityField.EVENT)).isZero();
        assertThat(eye.commands())
                .containsSubsequence("print \"bob^7 returned the BLUE flag!\n\"", "cs 23 \"00\"");

        anna.walk(BLUE_HOME, "blue taken touch anna");
        eye.events(1);
        eye.commands();
        eye.events(0);
        anna.walk(RED_HOME, "blue captured touch anna");
        assertThat(eye.events(0.2)).containsExactly("47:10", "47:0");
        assertThat(eye.items())
                .extracting(it -> it.get(EntityField.EVENT) & 0xFF)
                .containsExactly(ITEM_RESPAWN, ITEM_RESPAWN);
        assertThat(eye.commands())
                .contains(
                        "print \"anna^7 captured the BLUE flag!\n\"", "cs 6 \"1\"", "cs 23 \"00\"");
        assertThat(eye.player(slot).get(EntityField.E_FLAGS) & AWARD_CAP).isEqualTo(AWARD_CAP);
        assertThat(anna.client.player().get(PlayerArray.PERSISTANT, CAPTURES)).isOne();
        eye.events(2);
        assertThat(eye.player(slot).get(EntityField.E_FLAGS) & AWARD_CAP).isZero();
        eye.client.say("score");
        eye.events(0.5);
        assertThat(eye.commands())
                .anyMatch(line ->
                        line.startsWith("scores 3 1 0 ")
                                && line.matches(
                                        ".* %d 5 \\d+ \\d+ 0 0 0 0 0 0 0 0 0 1 0( .*)?"
                                                .formatted(slot)));
    }

    @Test
    void namesWhoKillsACarrier() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        Eye eye = new Eye("eye");
        anna.walk(BLUE_HOME, "blue taken touch anna");
        eye.client.say("score");
        eye.events(1);
        assertThat(eye.commands())
                .anyMatch(line ->
                        line.matches(".* %d 0 \\d+ \\d+ 0 256 .*".formatted(anna.client.id())));
        kill(bob.player(), anna.player());
        assertThat(eye.events(1)).contains("60:10").doesNotContain("47:2");
        assertThat(eye.commands())
                .containsSubsequence(
                        "print \"bob^7 fragged RED's flag carrier!\n\"", "cs 23 \"02\"")
                .noneMatch(line -> line.contains("lost"));
        assertThat(arena.match().score(bob.player().id()).frags()).isEqualTo(3);

        eye.events(20);
        assertThat(eye.config(23)).as("home after its time, without a text").isEqualTo("00");
        assertThat(eye.commands()).noneMatch(line -> line.contains("returned"));
    }

    @Test
    void countsDefencesNearTheOwnFlag() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        assertThat(anna.player().combatant().team()).contains(Team.RED);
        ArenaPlayer far = guest("far", RED_HOME.plus(new Vec3(0, 6, 0)));
        ArenaPlayer spare = guest("spare", new Vec3(0, 14, 0));
        assertThat(spare.combatant().team()).contains(Team.BLUE);
        ArenaPlayer near = guest("near", BLUE_HOME.plus(new Vec3(0, 6, 0)));
        Eye eye = new Eye("eye");
        kill(bob.player(), far);
        kill(bob.player(), spare);
        eye.events(0.5);
        assertThat(bob.client.player().get(PlayerArray.PERSISTANT, DEFENCES)).isZero();
        kill(bob.player(), near);
        eye.events(0.5);
        assertThat(bob.client.player().get(PlayerArray.PERSISTANT, DEFENCES)).isOne();
        int slot = (int) bob.client.id();
        assertThat(eye.player(slot).get(EntityField.E_FLAGS) & AWARD_DEFEND).isPositive();
        eye.commands();
        eye.client.say("score");
        eye.events(0.5);
        assertThat(eye.commands())
                .anyMatch(line ->
                        line.matches(
                                ".* %d 2 \\d+ \\d+ 0 0 0 0 0 0 1 0 0 0 0( .*)?".formatted(slot)));
    }

    @Test
    @DisplayName("L12 a flood of commands that drop the flag: one drop, others see nothing of it")
    void dropsOnceInAFlood() throws IOException {
        floodDrops();
    }

    @Test
    @DisplayName("L15 chat and names that read as lines about flags")
    void tellsChatFromLinesAboutFlags() throws IOException {
        forgeLines();
    }

    @Test
    void dropsTheFlagOfAPlayerThatTypesIt() throws IOException {
        serve(MatchRules.of(MatchMode.CTF));
        Walker anna = join("anna");
        anna.client.command("dropflag");
        network.run(2 * SECOND);
        assertThat(anna.lines).contains("You carry no flag.");
        anna.walk(BLUE_HOME, "blue taken touch anna");
        anna.client.command("dropflag");
        network.run(2 * SECOND);
        assertThat(changes).last().isEqualTo("blue dropped key anna");
    }
}

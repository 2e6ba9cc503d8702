package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Team;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.FlagScenario;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.combat.FlagModel;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.LayoutProgram;
import dev.wishdir.quake2.message.ServerMessage.CenterPrint;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.protocol.FrameHistory;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Capture the flag at clients of Quake II: docs/protocols/quake2.md, 3.7. */
@Tag("slow")
class Quake2FlagTest extends FlagScenario<Quake2Client> {
    @Override
    protected void open(EndpointContext context, BlockArena played) throws IOException {
        Quake2Endpoint.open(
                context, new Quake2MapCatalog(Optional.empty(), played), 10, Loadout.BLASTER);
    }

    @Override
    protected Quake2Client connect(ClientConfig config) throws IOException {
        return Quake2Client.connect(config);
    }

    @Override
    protected void typeDrop(Quake2Client client) {
        client.command("drop");
    }

    /** A client that records what it is sent. */
    private final class Eye {
        private final RawClient client;

        Eye() throws IOException {
            client =
                    RawClient.open(
                            network,
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000),
                            address(),
                            7);
            assertThat(client.connect("\\name\\eye\\rate\\15000")).isEqualTo("client_connect");
            client.command("new");
            run(0.1);
            int asked = 0;
            for (int next = 0; next >= asked; next = next(asked)) {
                asked = next;
                client.command("configstrings " + client.serverCount() + " " + next);
                run(0.1);
            }
            client.command("begin " + client.serverCount());
            run(0.2);
            steps.add(() -> client.move(RawClient.STILL));
            run(1);
        }

        /** The index after the configstrings that it has asked for; -1 after the last. */
        private int next(int asked) {
            String[] words = client.heard(StuffText.class).getLast().text().strip().split(" ");
            return words[1].equals("configstrings") && Integer.parseInt(words[3]) > asked
                    ? Integer.parseInt(words[3])
                    : -1;
        }

        /** The entity of a flag that stands or lies. */
        Optional<EntityState> flag(Team team) {
            int shell = FlagModel.of(team).shell();
            return client.snapshot.entities().stream()
                    .map(FrameHistory.Numbered::state)
                    .filter(it -> it.model() != EntityState.PLAYER_MODEL)
                    .filter(it -> it.renderfx() == shell)
                    .findFirst();
        }

        int effects(long player) {
            return client.snapshot.entity((int) player + 1).orElseThrow().effects();
        }

        /** The indices of the sounds that it heard everywhere, and forgets what it heard. */
        List<Integer> sounds() {
            List<Integer> sounds =
                    client.heard(Sound.class).stream()
                            .filter(it -> it.attenuation() == 0)
                            .map(Sound::index)
                            .toList();
            client.heard.clear();
            return sounds;
        }
    }

    private static int stat(Quake2Client client, int index) {
        return client.state().stats().get(index);
    }

    @Test
    void showsFlagsByWhatTheStockGameHas() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        Eye eye = new Eye();
        run(1);
        EntityState home = eye.flag(Team.BLUE).orElseThrow();
        assertThat(home.effects()).isEqualTo(1 | EntityState.COLOUR_SHELL);
        assertThat(home.origin().x()).isEqualTo(12 * 32 * 8);
        assertThat(home.origin().z()).isEqualTo(15 * 8);
        assertThat(stat(anna.client, Stats.FLAG_ICON)).isZero();
        assertThat(stat(anna.client, Stats.RED_FLAG)).isEqualTo(ConfigString.GENERAL);
        assertThat(stat(anna.client, Stats.BLUE_FLAG)).isEqualTo(ConfigString.GENERAL + 1);
        eye.sounds();

        anna.walk(BLUE_HOME, "blue taken touch anna");
        run(1);
        assertThat(eye.flag(Team.BLUE)).isEmpty();
        assertThat(eye.effects(anna.client.id()) & EntityState.BLUE_FLAG).isPositive();
        assertThat(eye.effects(bob.client.id())).isZero();
        assertThat(stat(anna.client, Stats.FLAG_ICON)).isPositive();
        assertThat(stat(bob.client, Stats.FLAG_ICON)).isZero();
        assertThat(eye.client.configString(ConfigString.GENERAL + 1).strip()).isEqualTo("anna");
        assertThat(anna.lines).contains("You have the blue flag.");
        assertThat(bob.lines).doesNotContain("You have the blue flag.");
        assertThat(eye.sounds()).hasSize(1);

        anna.client.command("drop flag");
        anna.send(RED_HOME.plus(new Vec3(0, -8, 0)));
        run(1);
        assertThat(changes).last().isEqualTo("blue dropped key anna");
        EntityState dropped = eye.flag(Team.BLUE).orElseThrow();
        assertThat(dropped.effects())
                .isEqualTo(1 | EntityState.COLOUR_SHELL | EntityState.BLUE_FLAG);
        assertThat(eye.effects(anna.client.id()) & EntityState.BLUE_FLAG).isZero();
        assertThat(eye.client.configString(ConfigString.GENERAL + 1).strip()).isEqualTo("dropped");
        assertThat(stat(anna.client, Stats.FLAG_ICON)).isZero();

        eye.sounds();
        bob.walk(arena.match().flags().place(flag(Team.BLUE)), "blue returned touch bob");
        run(0.1);
        assertThat(eye.flag(Team.BLUE).orElseThrow().effects())
                .isEqualTo(1 | EntityState.COLOUR_SHELL);
        run(1);
        assertThat(eye.client.configString(ConfigString.GENERAL + 1).strip()).isEqualTo("home");

        anna.walk(BLUE_HOME, "blue taken touch anna");
        run(1);
        eye.sounds();
        anna.walk(RED_HOME, "blue captured touch anna");
        run(1);
        assertThat(eye.client.heard(CenterPrint.class))
                .extracting(CenterPrint::text)
                .anyMatch(text -> text.contains("anna captured the BLUE flag!"));
        assertThat(eye.sounds()).hasSize(1);
        assertThat(stat(bob.client, Stats.RED_CAPTURES)).isEqualTo(1);
        assertThat(stat(bob.client, Stats.BLUE_CAPTURES)).isZero();
        assertThat(bob.client.teamFrags()).isEqualTo(Map.of("red", 1, "blue", 0));
        anna.client.command("score");
        network.run(SECOND);
        assertThat(anna.client.teamFrags()).isEqualTo(Map.of("red", 1, "blue", 0));
        assertThat(anna.client.frags()).containsEntry(anna.client.id(), 5);
        assertThat(stat(anna.client, Stats.FRAGS)).isEqualTo(5);
    }

    @Test
    void loadsModelsSoundsAndPicturesOfFlagsOnlyInAMatchWithFlags() throws IOException {
        serve();
        Eye eye = new Eye();
        assertThat(eye.client.configString(5)).isEqualTo(LayoutProgram.FLAG_STATUS_BAR.text());
        assertThat(eye.client.configStrings())
                .contains(
                        FlagModel.RED.model(),
                        FlagModel.BLUE.model(),
                        FlagModel.LOST,
                        FlagModel.CAPTURED,
                        "k_redkey",
                        "k_bluekey");
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
    void answersAPlayerThatDropsNothing() throws IOException {
        serve();
        Walker anna = join("anna");
        anna.client.command("drop flag");
        anna.client.command("drop shells");
        network.run(SECOND);
        assertThat(anna.lines).containsOnlyOnce("You carry no flag.");
        assertThat(changes).isEmpty();
    }
}

package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;
import static dev.wishdir.bedrock.server.FlagNetwork.BLUE_HOME;
import static dev.wishdir.bedrock.server.FlagNetwork.RED_HOME;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Team;
import dev.wishdir.bedrock.message.ActorMessage.AddItemActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.FightMessage.BossEvent;
import dev.wishdir.bedrock.message.FightMessage.PlaySound;
import dev.wishdir.bedrock.message.FightMessage.ScoreEntry;
import dev.wishdir.bedrock.message.FightMessage.SetScore;
import dev.wishdir.bedrock.message.FightMessage.SetTitle;
import dev.wishdir.bedrock.message.InventoryMessage.MobArmour;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.WorldMessage.SpawnParticle;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.FlagBanner;
import dev.wishdir.bedrock.server.FlagNetwork.Walker;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.game.RemoteFlag.State;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Clients of a match with flags see them wherever they are, in virtual time. */
@Tag("slow")
class BedrockFlagTest {
    private static final double NEAR = 0.8;

    static IntStream protocols() {
        return IntStream.of(BedrockCodec.protocols());
    }

    private static void assertAt(Optional<Vec3> seen, Vec3 place) {
        assertThat(seen).isPresent();
        assertThat(seen.get().distance(place)).as("%s of %s", seen, place).isLessThan(NEAR);
    }

    private static void assertHome(Walker... all) {
        for (Walker each : all) {
            for (Team team : Team.values()) {
                RemoteFlag flag = each.flag(team);
                assertThat(flag.state()).as("%s", flag).isEqualTo(State.HOME);
                assertAt(flag.place(), team == Team.RED ? RED_HOME : BLUE_HOME);
                assertThat(flag.carrier()).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void takesDropsAndCaptures(int protocol) {
        FlagNetwork flags = new FlagNetwork(protocol).losing();
        Walker anna = flags.walker("anna", protocol);
        Walker bob = flags.walker("bob", 748);
        assertHome(anna, bob);

        anna.goTo(BLUE_HOME);
        flags.await(1);
        assertThat(flags.changes).containsExactly("blue taken touch anna");
        // A viewer that joins in the middle sees the same.
        Walker carl = flags.walker("carl", protocol);
        for (Walker each : List.of(anna, bob, carl)) {
            RemoteFlag blue = each.flag(Team.BLUE);
            assertThat(blue.state()).isEqualTo(State.CARRIED);
            assertThat(blue.carrier()).as("%s", blue).isEqualTo(anna.client.id());
            assertAt(blue.place(), anna.client.movement().position());
            assertThat(each.flag(Team.RED).state()).isEqualTo(State.HOME);
        }
        assertThat(bob.client.others())
                .anyMatch(other -> other.name().equals("anna") && other.id() == anna.client.id());

        assertThat(anna.client.dropFlag()).isTrue();
        flags.await(2);
        assertThat(flags.changes).last().isEqualTo("blue dropped key anna");
        for (Walker each : List.of(anna, bob, carl)) {
            RemoteFlag blue = each.flag(Team.BLUE);
            assertThat(blue.state()).isEqualTo(State.DROPPED);
            assertAt(blue.place(), flags.n.arena.match().flags().place(flags.flag(Team.BLUE)));
        }
        flags.await(3);
        assertThat(flags.changes).last().isEqualTo("blue taken touch anna");

        anna.goTo(RED_HOME);
        flags.await(4);
        assertThat(flags.changes).last().isEqualTo("blue captured touch anna");
        assertHome(anna, bob, carl);
        for (Walker each : List.of(anna, bob, carl)) {
            assertThat(each.client.teamFrags()).containsEntry("red", 1).containsEntry("blue", 0);
        }
        assertThat(anna.heard.texts).anyMatch(text -> text.contains("You have the"));
        assertThat(bob.heard.texts).anyMatch(text -> text.contains("anna captured the"));
    }

    @Test
    void showsForeignCarrierThatDies() {
        FlagNetwork flags = new FlagNetwork(3);
        ScriptedClient eve = new ScriptedClient(flags.n, 7000);
        eve.play("eve");
        ArenaPlayer carrier = flags.foreign("otto");
        Team team = flags.n.arena.match().team(carrier.id()).orElseThrow();
        Team other = team.other();
        Vec3 home = other == Team.RED ? RED_HOME : BLUE_HOME;
        flags.move(carrier, home);
        flags.await(1);

        assertThat(eve.all(MobArmour.class).getLast().helmet())
                .isEqualTo(FlagBanner.stack(BedrockCodec.V748, other, 0));
        assertThat(name(eve)).contains("otto").contains("\u2691");
        assertThat(titles(eve).getLast())
                .contains((other == Team.RED ? "RED" : "BLUE") + " 0 (taken)");
        assertThat(lines(eve)).anyMatch(line -> line.contains("flag: ") && line.contains("otto"));
        assertThat(eve.all(PlaySound.class))
                .extracting(PlaySound::name)
                .containsAnyOf("raid.horn", "note.pling");

        carrier.combatant()
                .hit(
                        flags.n.network.now(),
                        carrier.id(),
                        DamageMeans.SUICIDE,
                        1_000,
                        Vec3.ZERO,
                        Vec3.ZERO);
        flags.await(2);
        assertThat(eve.all(AddItemActor.class).getLast().item())
                .isEqualTo(FlagBanner.stack(BedrockCodec.V748, other, 0));
        flags.n.network.run(2 * SECOND);
        assertThat(eve.all(SpawnParticle.class)).hasSizeGreaterThan(2);
        assertThat(lines(eve)).anyMatch(line -> line.contains("flag: dropped "));
        assertThat(titles(eve).getLast()).contains("(dropped)");
        flags.n.network.run(20 * SECOND);
        assertThat(flags.changes).last().isEqualTo(other + " reset time");
        assertThat(lines(eve).getLast()).contains("home");
    }

    private static String name(ScriptedClient client) {
        return client.all(SetActorData.class).stream()
                .flatMap(data -> data.metadata().stream())
                .filter(each -> each.key() == Metadata.NAME)
                .map(each -> (String) each.value().plain())
                .toList()
                .getLast();
    }

    /** The titles of the bar at the top. */
    private static List<String> titles(ScriptedClient client) {
        return client.all(BossEvent.class).stream()
                .filter(bar -> bar.type() == BossEvent.SHOW || bar.type() == BossEvent.NAME)
                .map(BossEvent::title)
                .toList();
    }

    /** The lines of the side bar about flags. */
    private static List<String> lines(ScriptedClient client) {
        return client.all(SetScore.class).stream()
                .flatMap(scores -> scores.entries().stream())
                .map(ScoreEntry::text)
                .filter(text -> text.contains("flag: "))
                .toList();
    }

    @Test
    void showsTitlesOfCaptures() {
        FlagNetwork flags = new FlagNetwork(5);
        ScriptedClient eve = new ScriptedClient(flags.n, 7000);
        eve.play("eve");
        ArenaPlayer carrier = flags.foreign("otto");
        Team team = flags.n.arena.match().team(carrier.id()).orElseThrow();
        flags.move(carrier, team == Team.RED ? BLUE_HOME : RED_HOME);
        flags.await(1);
        flags.move(carrier, team == Team.RED ? RED_HOME : BLUE_HOME);
        flags.await(2);
        String title = (team == Team.RED ? "Red" : "Blue") + " team scores";
        assertThat(eve.all(SetTitle.class))
                .extracting(SetTitle::text)
                .anyMatch(text -> text.contains(title))
                .anyMatch(text -> text.contains("otto captured the"));
        assertThat(eve.all(PlaySound.class).getLast().name()).isEqualTo("random.levelup");
        assertThat(eve.all(MobArmour.class).getLast().helmet().id()).isZero();
        assertThat(name(eve)).contains("otto").doesNotContain("\u2691");
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 2193})
    void showsFlagsAfterChangeOfLevel(int protocol) {
        FlagNetwork flags = new FlagNetwork(7);
        Walker anna = flags.walker("anna", protocol);
        flags.walker("bob", protocol);
        Vec3 other = new Vec3(10.5, 0.5, 0);
        FlagBases bases =
                new FlagBases(
                        new FlagBases.Base(RED_HOME, List.of()),
                        new FlagBases.Base(other, List.of()));
        flags.n.arena.setLevel(
                flags.n.network.now(),
                "bedrock",
                flags.n.arena.level("bedrock").withBases(Optional.of(bases)));
        flags.n.network.run(2 * SECOND);
        assertThat(anna.flag(Team.BLUE).state()).isEqualTo(State.HOME);
        assertAt(anna.flag(Team.BLUE).place(), other);
        anna.goTo(other);
        flags.await(1);
        assertThat(flags.changes).containsExactly("blue taken touch anna");

        flags.n.context.sharedArena().change(flags.n.network.now(), "room");
        flags.n.network.run(5 * SECOND);
        assertThat(flags.player("anna").snapshot().spawned()).isTrue();
        assertHome(anna);
    }

    @Test
    void showsFlagsAtHomeWhenRoundEnds() {
        FlagNetwork flags = new FlagNetwork(9);
        Walker anna = flags.walker("anna", 748);
        Walker bob = flags.walker("bob", 2193);
        anna.goTo(BLUE_HOME);
        flags.await(1);
        anna.goTo(Vec3.ZERO);
        flags.n.arena.match().skipRound(flags.n.network.now());
        flags.n.network.run(3 * SECOND);
        assertThat(flags.events).anyMatch(ArenaEvent.RoundEnded.class::isInstance);
        assertThat(anna.heard.reasons).isEmpty();
        assertThat(bob.heard.reasons).isEmpty();
        assertHome(anna, bob);
        flags.n.network.run(15 * SECOND);
        assertHome(anna, bob);
    }

    @Test
    void dropsFlagOfCarrierThatLeaves() {
        FlagNetwork flags = new FlagNetwork(11);
        Walker anna = flags.walker("anna", 748);
        Walker bob = flags.walker("bob", 2193);
        anna.goTo(BLUE_HOME);
        flags.await(1);
        anna.client.close();
        flags.await(2);
        assertThat(flags.changes).last().isEqualTo("blue dropped leave anna");
        assertThat(bob.flag(Team.BLUE).state()).isEqualTo(State.DROPPED);
        bob.goTo(BLUE_HOME);
        flags.await(3);
        assertThat(flags.changes).last().isEqualTo("blue returned touch bob");
        assertHome(bob);
    }
}

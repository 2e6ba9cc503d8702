package dev.wishdir.web.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the live map tells of a match, in virtual time. */
class LiveMatchTest {
    private static final long SECOND = 1_000_000_000;
    private static final Vec3 MEGA = new Vec3(5, 0, 0);

    private final Arena arena =
            new Arena(
                    new Level("test", new Bounds(new Vec3(-90, -90, 0), new Vec3(90, 90, 30)))
                            .withItems(
                                    List.of(
                                            new PlacedItem(ItemKind.MEGA_HEALTH, MEGA),
                                            new PlacedItem(ItemKind.AMMO_ROCKET, MEGA))),
                    8);
    private final LivePlayers live = new LivePlayers(WeaponNames.MEANS);
    private final LiveDeltaEncoder encoder = new LiveDeltaEncoder();
    private long now;

    private void play(MatchMode mode) {
        arena.setMatchRules(
                MatchRules.of(mode)
                        .withTimes(Duration.ofMinutes(10), Duration.ZERO, Duration.ofSeconds(10))
                        .withScoreLimit(20));
        live.watch(arena.match());
        arena.addListener(live);
    }

    private ArenaPlayer join(String game, String name, double x) {
        ArenaPlayer player = arena.join(now, game, name, new NoOpViewer());
        player.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(x, 0, 0), 0));
        return player;
    }

    private void pass(long nanos) {
        now += nanos;
        arena.advance(now);
        live.links(now, Map.of());
    }

    /** The JSON of the next message. */
    private JsonObject words() {
        ByteBuffer in =
                ByteBuffer.wrap(
                        encoder.encode(now, live, LiveDeltaEncoder.level("", "", live.bounds())));
        in.get();
        varint(in);
        byte[] json = new byte[(int) varint(in)];
        in.get(json);
        String text = new String(json, StandardCharsets.UTF_8);
        return JsonParser.parseString(text.isEmpty() ? "{}" : text).getAsJsonObject();
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (next & 127L) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    @Test
    void sendsClockTeamsAndHealth() {
        play(MatchMode.TEAM);
        ArenaPlayer anna = join("quake3", "anna", 0);
        ArenaPlayer bob = join("quake2", "bob", 3);
        pass(SECOND);
        JsonObject words = words();
        assertThat(words.get("match"))
                .hasToString(
                        "{\"mode\":\"team"
                            + " match\",\"phase\":\"playing\",\"round\":1,\"ends\":600000,"
                            + "\"limit\":20,\"unit\":\"frags\",\"teams\":[[\"red\",0],[\"blue\",0]],\"winner\":\"\"}");
        String annas = anna.combatant().team().orElseThrow().toString();
        String bobs = bob.combatant().team().orElseThrow().toString();
        assertThat(words.get("parts"))
                .hasToString("[[1,\"" + annas + "\",100,0,0],[2,\"" + bobs + "\",100,0,0]]");
        assertThat(words().keySet()).as("unchanged").isEmpty();

        pass(SECOND);
        assertThat(words().has("match")).as("the clock runs by itself").isFalse();
        arena.match().setPaused(now, true);
        pass(SECOND);
        assertThat(words().getAsJsonObject("match").get("left").getAsLong()).isEqualTo(598_000);
        arena.match().setPaused(now, false);
        pass(SECOND);
        assertThat(words().getAsJsonObject("match").get("ends").getAsLong()).isEqualTo(601_000);

        anna.combatant().hit(now, bob.id(), DamageMeans.ROCKET, 1000, Vec3.ZERO, new Vec3(3, 0, 1));
        words = words();
        assertThat(words.getAsJsonObject("match").get("teams").toString())
                .contains("\"" + annas + "\",1]");
        assertThat(words.get("news").toString()).contains("\"anna\",\"killed bob (rocket)\"]");
        assertThat(words.get("parts")).hasToString("[[2,\"" + bobs + "\",-1,0,0]]");
        arena.match().skipRound(now);
        pass(SECOND);
        assertThat(words().getAsJsonObject("match").get("round").getAsInt()).isEqualTo(2);
    }

    @Test
    void sendsFlagsAndTheirCarriers() {
        Vec3 red = new Vec3(-20, 0, 0);
        Vec3 blue = new Vec3(20, 0, 0);
        arena.setLevel(
                arena.level()
                        .withBases(
                                Optional.of(
                                        new FlagBases(
                                                new FlagBases.Base(red, List.of()),
                                                new FlagBases.Base(blue, List.of())))));
        play(MatchMode.CTF);
        ArenaPlayer anna = join("quake3", "anna", 0);
        pass(SECOND);
        JsonObject words = words();
        assertThat(words.getAsJsonObject("match").get("unit").getAsString()).isEqualTo("captures");
        String atHome = "[\"red\",\"home\",-2000,0,0,0,-2000,0,0,-1]";
        assertThat(words.get("flags"))
                .hasToString("[" + atHome + ",[\"blue\",\"home\",2000,0,0,0,2000,0,0,-1]]");
        assertThat(words().has("flags")).as("unchanged").isFalse();
        anna.move(now, Movement.at(blue, 0), NativeMovement.Stored.NONE);
        words = words();
        assertThat(words.get("flags"))
                .hasToString("[" + atHome + ",[\"blue\",\"carried\",2000,0,0,1,2000,0,0,-1]]");
        assertThat(words.get("news").toString()).contains("anna", "took the blue flag");
        pass(SECOND);
        anna.move(now, Movement.at(red, 0), NativeMovement.Stored.NONE);
        assertThat(words().get("boards").toString())
                .contains(
                        "\"columns\":[\"points\",\"captures\",\"deaths\"]",
                        "\"values\":[\"5\",\"1\",\"0\"]");
        pass(SECOND);
        anna.move(now, Movement.at(blue, 0), NativeMovement.Stored.NONE);
        anna.move(now, Movement.at(new Vec3(0, 3, 0), 0), NativeMovement.Stored.NONE);
        anna.combatant().die(now);
        assertThat(words().get("flags"))
                .hasToString("[" + atHome + ",[\"blue\",\"dropped\",2000,0,0,0,0,300,0,23000]]");
        encoder.reset();
        assertThat(words().has("flags")).as("all of it").isTrue();
    }

    @Test
    void sendsShotsHitsAndItemsOnce() {
        play(MatchMode.FFA);
        ArenaPlayer anna = join("quake3", "anna", 0);
        ArenaPlayer bob = join("quake2", "bob", 3);
        pass(SECOND);
        anna.performAction(now, PlayerAction.ATTACK);
        assertThat(words().has("acts")).as("before the page was open").isFalse();

        pass(SECOND);
        anna.performAction(now, PlayerAction.ATTACK);
        anna.performAction(now, PlayerAction.TAUNT);
        anna.combatant().hit(now, bob.id(), DamageMeans.ROCKET, 25, Vec3.ZERO, new Vec3(3, 0, 1.5));
        bob.combatant().takeItems(now, MEGA, ItemReach.ofBoxes(1, 1.75, 0.94, 0.94), _ -> true);
        JsonObject words = words();
        assertThat(words.get("acts"))
                .hasToString(
                        "[[2000,\"shot\",1,1,\"\",0,0,0],[2000,\"hit\",2,1,\"25\",300,0,150],"
                                + "[2000,\"took\",2,2,\"mega health\",500,0,0],"
                                + "[2000,\"took\",2,2,\"rocket ammo\",500,0,0]]");
        assertThat(words.get("parts")).hasToString("[[2,\"\",75,0,0]]");
        assertThat(words.get("news").toString())
                .contains("\"bob\",\"took mega health\"]")
                .doesNotContain("took rocket");
        assertThat(words().has("acts")).isFalse();
        anna.leave(now, LeaveReason.LEFT);
        encoder.reset();
        assertThat(words().has("acts")).as("a new page").isFalse();
    }

    @Test
    void leavesGhostsOutOfNews() {
        play(MatchMode.RACE);
        ArenaPlayer ghost =
                arena.mirror(now, new PlayerId(PlayerId.GHOST_NODE, 1), "quake3", "best");
        ghost.spawn(now, Movement.at(Vec3.ZERO, 0));
        ArenaPlayer other =
                arena.mirror(now, new PlayerId(PlayerId.MIN_OTHER_NODE, 1), "quake3", "far");
        join("quake3", "anna", 0);
        JsonObject words = words();
        assertThat(words.getAsJsonArray("players")).hasSize(3);
        assertThat(words.has("parts")).as("nobody fights in a race").isFalse();
        ghost.leave(now, LeaveReason.LEFT);
        other.leave(now, LeaveReason.LEFT);
        assertThat(words.get("news").toString() + words().get("news"))
                .contains("\"far\",\"joined\"", "\"far\",\"left\"")
                .doesNotContain("best");
    }
}

package dev.wishdir.bedrock.combat;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.message.AbilityMessage.UpdateAttributes;
import dev.wishdir.bedrock.message.ActorMessage.AddActor;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.FightMessage.ActorEvent;
import dev.wishdir.bedrock.message.FightMessage.BossEvent;
import dev.wishdir.bedrock.message.FightMessage.DeathInfo;
import dev.wishdir.bedrock.message.FightMessage.MobEffect;
import dev.wishdir.bedrock.message.FightMessage.PlaySound;
import dev.wishdir.bedrock.message.FightMessage.ScoreEntry;
import dev.wishdir.bedrock.message.FightMessage.SetDisplayObjective;
import dev.wishdir.bedrock.message.FightMessage.SetScore;
import dev.wishdir.bedrock.message.FightMessage.SetTitle;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackRequest;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackResponse;
import dev.wishdir.bedrock.message.InventoryMessage.MobArmour;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.ReleaseItem;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseItem;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseOnActor;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.LevelSettings;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.MovementMessage.Respawn;
import dev.wishdir.bedrock.message.MovementMessage.SetActorMotion;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;
import dev.wishdir.bedrock.server.BedrockHostileInputTest;
import dev.wishdir.bedrock.server.BedrockNetwork;
import dev.wishdir.bedrock.server.FightNetwork;
import dev.wishdir.bedrock.server.ScriptedClient;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The messages of fights, as clients are sent them. */
@Tag("slow")
class BedrockCombatTest {
    private final List<ArenaEvent> events = new ArrayList<>();
    private BedrockNetwork n = BedrockNetwork.with(3, BedrockCombatTest::room);
    private ScriptedClient anna = new ScriptedClient(n, 7000);
    private ScriptedClient bob = new ScriptedClient(n, 7001);
    private long tick = 1;
    private int annaMark;
    private int bobMark;

    /** A room with two spawn points 2 m apart. */
    private static EndpointContext.Builder room(EndpointContext.Builder serving) {
        try {
            return serving.blocks(
                    ArenaText.read(
                            "wishdir-arena 1\nname t\nsize 20 8 10\nground 1\nblock # stone\n"
                                    + "spawn 0 0 0 0\nspawn 2 0 0 180\nlayer 0\n"
                                    + ("#".repeat(20) + "\n").repeat(8)
                                    + "layers 1-9\n"
                                    + (".".repeat(20) + "\n").repeat(8)));
        } catch (MalformedArenaException e) {
            throw new AssertionError(e);
        }
    }

    private void serve(int protocol) {
        serve(protocol, FightNetwork.rounds(600, 5, 0));
    }

    private void serve(int protocol, MatchRules rules) {
        n = BedrockNetwork.with(3, BedrockCombatTest::room);
        n.arena.setMatchRules(rules);
        n.arena.addListener(events::add);
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        anna = new ScriptedClient(n, 7000, codec);
        anna.play("anna");
        bob = new ScriptedClient(n, 7001, codec);
        bob.play("bob");
        n.network.run(SECOND);
    }

    private static Vec3 place(ScriptedClient client) {
        return BedrockMotion.feet(client.all(StartGame.class).getFirst().position());
    }

    /** The input of a client that stands at its start and looks at the other one. */
    private PlayerAuthInput input(ScriptedClient client, long bits) {
        Vec3 other = place(client == anna ? bob : anna);
        float yaw = BedrockMotion.yaw(other.x() > place(client).x() ? 0 : 180);
        return BedrockHostileInputTest.input(
                new Vec2f(0, yaw),
                BedrockMotion.eyes(place(client)),
                Vec2f.ZERO,
                Vec3f.ZERO,
                bits,
                1,
                tick++);
    }

    private void strike(ScriptedClient from, ScriptedClient target) {
        ItemStack sword = from.all(InventoryContent.class).getLast().items().getFirst();
        from.send(
                InventoryTransaction.of(
                        new UseOnActor(
                                target.id(),
                                UseOnActor.ATTACK,
                                0,
                                sword,
                                BedrockMotion.eyes(place(from)),
                                Vec3f.ZERO)),
                input(from, 0));
        n.network.run(SECOND / 10);
    }

    private <M extends BedrockMessage> List<M> all(ScriptedClient client, Class<M> type) {
        return client
                .heard
                .subList(client == anna ? annaMark : bobMark, client.heard.size())
                .stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** From now on only later messages count. */
    private void mark() {
        annaMark = anna.heard.size();
        bobMark = bob.heard.size();
    }

    private List<Integer> health(ScriptedClient client) {
        return all(client, UpdateAttributes.class).stream()
                .filter(update -> update.runtimeId() == client.id())
                .flatMap(update -> update.attributes().stream())
                .filter(attribute -> attribute.name().equals("minecraft:health"))
                .map(attribute -> (int) attribute.current())
                .toList();
    }

    private long count(ScriptedClient client, long id, int event) {
        return all(client, ActorEvent.class).stream()
                .filter(it -> it.runtimeId() == id && it.event() == event)
                .count();
    }

    private void killBob() {
        for (int i = 0; i < 3; i++) {
            strike(anna, bob);
            n.network.run(SECOND);
        }
    }

    private PlayerId id(String name) {
        return n.arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                685, 686, 712, 729, 748, 766, 776, 786, 800, 818, 819, 827, 844, 859, 860, 898, 924,
                944, 975, 1001, 2168, 2169, 2193
            })
    void showsBlowInEachVersion(int protocol) {
        serve(protocol);
        assertThat(health(bob)).last().isEqualTo(20);
        mark();
        strike(anna, bob);
        assertThat(health(bob)).containsExactly(13);
        assertThat(count(bob, bob.id(), ActorEvent.HURT)).isOne();
        assertThat(all(bob, SetActorMotion.class))
                .singleElement()
                .satisfies(motion -> {
                    assertThat(motion.runtimeId()).isEqualTo(bob.id());
                    assertThat(Math.abs(motion.motion().x())).isCloseTo(0.4f, within(1e-6f));
                    assertThat(motion.motion().y()).isCloseTo(0.4f, within(1e-6f));
                });
        assertThat(count(anna, bob.id(), ActorEvent.HURT)).isOne();
        assertThat(health(anna)).isEmpty();
        assertThat(anna.gone || bob.gone).isFalse();
    }

    @Test
    void startsMatchWithItsRulesAndASword() {
        serve(748);
        assertThat(anna.all(StartGame.class).getFirst().settings().rules())
                .contains(LevelSettings.GameRule.of("naturalregeneration", false));
        ItemStack sword = anna.all(InventoryContent.class).getLast().items().getFirst();
        assertThat(sword.id()).isEqualTo(331);
        assertThat(sword.netId()).isPresent();
        assertThat(bob.all(MobEquipment.class))
                .anySatisfy(held -> {
                    assertThat(held.runtimeId()).isEqualTo(anna.id());
                    assertThat(held.item().id()).isEqualTo(331);
                });
    }

    /** What a client has in its hot bar, as {@code item:count} with the number of the version. */
    private static List<String> hotbar(ScriptedClient client) {
        return client.all(InventoryContent.class).getLast().items().stream()
                .filter(stack -> stack.id() != 0)
                .map(stack -> stack.id() + ":" + stack.count())
                .toList();
    }

    private static List<String> kit(ScriptedClient client, Object... itemsAndCounts) {
        List<String> kit = new ArrayList<>();
        for (int i = 0; i < itemsAndCounts.length; i += 2) {
            kit.add(number(client, (Weapon) itemsAndCounts[i]) + ":" + itemsAndCounts[i + 1]);
        }
        return kit;
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 944, 1001, 2193})
    void givesKitByTheModeOfTheMatch(int protocol) {
        serve(protocol, MatchRules.of(MatchMode.TEAM));
        assertThat(hotbar(anna))
                .isEqualTo(
                        kit(
                                anna,
                                Weapon.IRON_SWORD,
                                1,
                                Weapon.BOW,
                                1,
                                Weapon.ARROW,
                                16,
                                Weapon.SNOWBALL,
                                16,
                                Weapon.CROSSBOW,
                                1,
                                Weapon.TRIDENT,
                                1));
        serve(protocol, MatchRules.of(MatchMode.INSTA));
        assertThat(hotbar(anna))
                .isEqualTo(
                        kit(
                                anna,
                                Weapon.IRON_SWORD,
                                1,
                                Weapon.BOW,
                                1,
                                Weapon.ARROW,
                                64,
                                Weapon.CROSSBOW,
                                1,
                                Weapon.TRIDENT,
                                1));
        serve(protocol, MatchRules.of(MatchMode.RACE));
        assertThat(hotbar(anna)).as("no player is hit in a race").isEmpty();
    }

    @Test
    void givesTheWholeKitAgainWithTheNextLife() {
        serve(748);
        List<String> kit = hotbar(anna);
        shoot();
        assertThat(all(anna, InventorySlot.class).getLast().item().count()).isEqualTo(15);
        n.arena.player(id("anna")).orElseThrow().combatant().die(n.network.now());
        n.network.run(SECOND);
        mark();
        anna.send(new Respawn(Vec3f.ZERO, 2, anna.id()));
        n.network.run(SECOND / 2);
        assertThat(all(anna, InventoryContent.class)).isNotEmpty();
        assertThat(hotbar(anna)).isEqualTo(kit);
    }

    @Test
    void countsOneBlowWithinHalfASecond() {
        serve(748);
        mark();
        strike(anna, bob);
        strike(anna, bob);
        n.network.run(SECOND / 2);
        strike(anna, bob);
        assertThat(health(bob)).containsExactly(13, 6);
    }

    @Test
    void showsDeathAndNextLife() {
        serve(748);
        mark();
        killBob();
        assertThat(health(bob)).containsExactly(13, 6, 0);
        assertThat(all(bob, Respawn.class)).extracting(Respawn::state).containsExactly(0);
        assertThat(all(bob, DeathInfo.class))
                .containsExactly(new DeathInfo("death.attack.player", List.of("bob", "anna")));
        for (ScriptedClient each : List.of(anna, bob)) {
            assertThat(count(each, bob.id(), ActorEvent.DEATH)).isOne();
            assertThat(all(each, Text.class))
                    .filteredOn(text -> text.type() == Text.TRANSLATED)
                    .singleElement()
                    .satisfies(text -> {
                        assertThat(text.message()).isEqualTo("death.attack.player");
                        assertThat(text.parameters()).containsExactly("bob", "anna");
                    });
        }
        n.network.run(SECOND / 5);
        assertThat(all(anna, RemoveActor.class))
                .as("after the body has fallen over")
                .containsExactly(new RemoveActor(bob.id()));
        assertThat(all(anna, SetScore.class))
                .flatExtracting(SetScore::entries)
                .contains(
                        ScoreEntry.ofText(1, "match", 1, "anna"),
                        ScoreEntry.ofPlayer(16 + anna.id(), "frags", 1, anna.id()));

        mark();
        bob.send(input(bob, 0), input(bob, 0));
        assertThat(all(bob, MovePlayer.class)).as("a dead player is not put back").isEmpty();
        bob.send(new Respawn(Vec3f.ZERO, 2, bob.id()));
        assertThat(all(bob, Respawn.class)).extracting(Respawn::state).containsExactly(1);
        assertThat(health(bob)).containsExactly(20);
        assertThat(all(bob, MovePlayer.class))
                .singleElement()
                .extracting(MovePlayer::mode)
                .isEqualTo(MovePlayer.TELEPORT);
        assertThat(all(bob, InventoryContent.class)).hasSize(1);
        assertThat(all(anna, AddPlayer.class)).hasSize(1);
        bob.send(new PlayerAction(bob.id(), 7, BlockPos.ZERO, BlockPos.ZERO, -1));
        bob.send(new PlayerAction(bob.id(), 7, BlockPos.ZERO, BlockPos.ZERO, -1));
        assertThat(all(anna, AddPlayer.class)).as("one life for all requests").hasSize(1);
        assertThat(n.arena.player(id("bob")).orElseThrow().combatant().isAlive()).isTrue();
    }

    @Test
    void beginsNextLifeByTheActionAlone() {
        serve(2193);
        killBob();
        mark();
        bob.send(new PlayerAction(bob.id(), 7, BlockPos.ZERO, BlockPos.ZERO, -1));
        assertThat(health(bob)).containsExactly(20);
        assertThat(all(bob, Respawn.class)).extracting(Respawn::state).containsExactly(1);
    }

    @Test
    void showsMatchToLateJoiner() {
        serve(748);
        killBob();
        ScriptedClient carl = new ScriptedClient(n, 7002);
        carl.play("carl");
        n.network.run(SECOND / 2);
        assertThat(carl.all(SetDisplayObjective.class))
                .extracting(SetDisplayObjective::slot)
                .containsExactly("sidebar", "list");
        assertThat(carl.all(SetScore.class))
                .flatExtracting(SetScore::entries)
                .contains(ScoreEntry.ofText(1, "match", 1, "anna"));
        assertThat(carl.all(BossEvent.class).getFirst())
                .satisfies(bar -> {
                    assertThat(bar.type()).isEqualTo(BossEvent.SHOW);
                    assertThat(bar.title()).startsWith("Match 9:");
                    assertThat(bar.progress()).isBetween(0.9f, 1f);
                });
    }

    @Test
    void showsRoundsAndPauses() {
        serve(748);
        mark();
        n.arena.match().setPaused(n.network.now(), true);
        n.network.run(2 * SECOND);
        assertThat(all(anna, BossEvent.class))
                .last()
                .satisfies(bar -> assertThat(bar.type()).isIn(BossEvent.NAME, BossEvent.PROGRESS));
        assertThat(all(anna, BossEvent.class))
                .anySatisfy(bar -> assertThat(bar.title()).startsWith("Paused 9:"));
        mark();
        n.arena.match().begin(n.network.now());
        n.network.run(SECOND);
        assertThat(all(anna, SetTitle.class))
                .extracting(SetTitle::text)
                .contains("Round over", "Fight!");
        assertThat(health(anna)).as("all begin again").containsExactly(20);
    }

    @Test
    void refusesToMoveItems() {
        serve(748);
        mark();
        anna.send(new ItemStackRequest(1, -3, Bytes.ofHex("010000")));
        assertThat(all(anna, ItemStackResponse.class))
                .containsExactly(new ItemStackResponse(1, 1, -3, Bytes.EMPTY));
        assertThat(all(anna, InventoryContent.class)).hasSize(1);
    }

    private void hitBob(ArenaPlayer attacker, double damage, Vec3 push) {
        n.cycle.execute(() ->
                attacker.combatant()
                        .hit(
                                n.network.now(),
                                id("bob"),
                                DamageMeans.ROCKET,
                                damage,
                                push,
                                place(bob)));
        n.network.run(SECOND / 10);
    }

    @Test
    void carriesOutHitsOfOtherGames() {
        serve(748);
        ArenaPlayer foreign = n.arena.join(n.network.now(), "quake9", "ranger", new NoOpViewer());
        foreign.combatant().beginLife(n.network.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
        foreign.spawn(
                n.network.now(), new Movement(new Vec3(1, 2, 0), 0, 0, Vec3.ZERO, Stance.STANDING));
        n.network.run(SECOND);
        mark();
        hitBob(foreign, 42, new Vec3(0, 0, 10));
        assertThat(health(bob)).containsExactly(12);
        assertThat(all(bob, SetActorMotion.class))
                .singleElement()
                .extracting(motion -> motion.motion().y())
                .isEqualTo(0.5f);
        assertThat(all(anna, MobEquipment.class))
                .as("a fire charge stands for a rocket launcher")
                .singleElement()
                .extracting(held -> held.item().id())
                .isEqualTo(543);
        hitBob(foreign, 200, Vec3.ZERO);
        assertThat(all(bob, DeathInfo.class))
                .containsExactly(
                        new DeathInfo(
                                "death.attack.explosion.player", List.of("bob", "[Q9] ranger")));
    }

    /** Anna chooses the bow, draws it for a second and lets go. */
    private void shoot() {
        ItemStack bow = anna.all(InventoryContent.class).getLast().items().get(1);
        Vec3f eyes = BedrockMotion.eyes(place(anna));
        anna.send(new MobEquipment(anna.id(), bow, 1, 1, 0));
        anna.send(InventoryTransaction.of(UseItem.inAir(1, bow, eyes)));
        n.network.run(SECOND);
        anna.send(
                InventoryTransaction.of(new ReleaseItem(ReleaseItem.RELEASE, 1, bow, eyes)),
                input(anna, 0));
        n.network.run(SECOND / 2);
    }

    private static int number(ScriptedClient client, Weapon item) {
        return ItemPalette.number(client.codec, item.itemName());
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 944, 1001, 2168, 2193})
    void showsABowDrawnAndItsArrow(int protocol) {
        serve(protocol);
        mark();
        shoot();
        assertThat(all(bob, MobEquipment.class))
                .anySatisfy(held -> {
                    assertThat(held.runtimeId()).isEqualTo(anna.id());
                    assertThat(held.item().id()).isEqualTo(number(bob, Weapon.BOW));
                });
        assertThat(all(bob, SetActorData.class))
                .filteredOn(data -> data.runtimeId() == anna.id())
                .extracting(BedrockCombatTest::isUsingItem)
                .containsExactly(true, false);
        for (ScriptedClient each : List.of(anna, bob)) {
            AddActor arrow = all(each, AddActor.class).getFirst();
            assertThat(all(each, AddActor.class)).hasSize(1);
            assertThat(arrow.type()).isEqualTo("minecraft:arrow");
            assertThat(BedrockMotion.point(arrow.velocity()).length()).isCloseTo(5, within(0.1));
            assertThat(arrow.metadata())
                    .contains(new Metadata(Metadata.OWNER, new Metadata.OfLong(anna.id())));
            assertThat(all(each, RemoveActor.class))
                    .extracting(RemoveActor::uniqueId)
                    .contains(arrow.uniqueId());
            assertThat(all(each, PlaySound.class))
                    .extracting(PlaySound::name)
                    .contains("random.bow", "random.bowhit");
        }
        assertThat(all(anna, PlaySound.class)).extracting(PlaySound::name).contains("random.orb");
        assertThat(all(anna, InventorySlot.class).getLast().item())
                .satisfies(left -> {
                    assertThat(left.id()).isEqualTo(number(anna, Weapon.ARROW));
                    assertThat(left.count()).isEqualTo(15);
                });
        assertThat(health(bob).getLast()).isBetween(5, 10);
        assertThat(count(bob, bob.id(), ActorEvent.HURT)).isEqualTo(1);
        shoot();
        shoot();
        assertThat(all(bob, DeathInfo.class))
                .containsExactly(new DeathInfo("death.attack.arrow", List.of("bob", "anna")));
    }

    private void throwSnowball(int slot) {
        ItemStack snowball = anna.all(InventoryContent.class).getLast().items().get(slot);
        anna.send(new MobEquipment(anna.id(), snowball, slot, slot, 0));
        anna.send(
                InventoryTransaction.of(
                        UseItem.inAir(slot, snowball, BedrockMotion.eyes(place(anna)))),
                input(anna, 0));
        n.network.run(SECOND / 2);
    }

    @Test
    void takesSnowballs() {
        serve(748);
        throwSnowball(3);
        assertThat(all(anna, InventorySlot.class).getLast().item().count()).isEqualTo(15);
        n.arena.setLevel(
                n.network.now(),
                "bedrock",
                n.arena
                        .level("bedrock")
                        .withItems(
                                List.of(new PlacedItem(ItemKind.AMMO_MACHINE_GUN, place(anna)))));
        anna.send(input(anna, 0));
        ItemStack taken = all(anna, InventorySlot.class).getLast().item();
        assertThat(taken.id()).isEqualTo(number(anna, Weapon.SNOWBALL));
        assertThat(taken.count()).isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 944, 1001, 2168, 2193})
    void showsASnowballAndItsPush(int protocol) {
        serve(protocol);
        int slot = 3;
        ItemStack snowball = anna.all(InventoryContent.class).getLast().items().get(slot);
        mark();
        throwSnowball(slot);
        assertThat(all(bob, MobEquipment.class))
                .extracting(held -> held.item().id())
                .contains(number(bob, Weapon.SNOWBALL));
        for (ScriptedClient each : List.of(anna, bob)) {
            AddActor shown = all(each, AddActor.class).getFirst();
            assertThat(all(each, AddActor.class)).hasSize(1);
            assertThat(shown.type()).isEqualTo("minecraft:snowball");
            assertThat(BedrockMotion.point(shown.velocity()).length()).isCloseTo(1.5, within(0.1));
            assertThat(shown.metadata())
                    .contains(new Metadata(Metadata.OWNER, new Metadata.OfLong(anna.id())));
            assertThat(all(each, RemoveActor.class))
                    .extracting(RemoveActor::uniqueId)
                    .contains(shown.uniqueId());
            assertThat(all(each, PlaySound.class))
                    .extracting(PlaySound::name)
                    .containsExactly("random.bow");
            assertThat(count(each, bob.id(), ActorEvent.HURT)).isOne();
        }
        ItemStack left = all(anna, InventorySlot.class).getLast().item();
        assertThat(left.id()).isEqualTo(number(anna, Weapon.SNOWBALL));
        assertThat(left.count()).isEqualTo(15);
        assertThat(left.netId()).isPresent().isNotEqualTo(snowball.netId());
        assertThat(health(bob)).allMatch(points -> points == 20);
        assertThat(all(bob, SetActorMotion.class))
                .singleElement()
                .satisfies(motion -> {
                    assertThat(Math.abs(motion.motion().x())).isCloseTo(0.4f, within(0.01f));
                    assertThat(motion.motion().y()).isCloseTo(0.4f, within(0.01f));
                });
        assertThat(anna.gone || bob.gone).isFalse();
    }

    private static final int CROSSBOW_SLOT = 4;
    private static final int TRIDENT_SLOT = 5;

    private ItemStack stack(int slot) {
        return anna.all(InventoryContent.class).getLast().items().get(slot);
    }

    private void select(int slot) {
        anna.send(new MobEquipment(anna.id(), stack(slot), slot, slot, 0));
    }

    private InventoryTransaction use(int slot) {
        return InventoryTransaction.of(
                UseItem.inAir(slot, stack(slot), BedrockMotion.eyes(place(anna))));
    }

    private InventoryTransaction release(int slot) {
        return InventoryTransaction.of(
                new ReleaseItem(
                        ReleaseItem.RELEASE, slot, stack(slot), BedrockMotion.eyes(place(anna))));
    }

    /** Anna loads her crossbow. */
    private void load() {
        select(CROSSBOW_SLOT);
        anna.send(use(CROSSBOW_SLOT));
        n.network.run(13 * SECOND / 10);
        anna.send(release(CROSSBOW_SLOT));
        n.network.run(SECOND / 10);
    }

    /** The newest stack that Anna was sent for a slot. */
    private ItemStack sent(int slot) {
        return all(anna, InventorySlot.class).stream()
                .filter(each -> each.slot() == slot)
                .map(InventorySlot::item)
                .toList()
                .getLast();
    }

    private static boolean isCharged(ItemStack stack) {
        String extra = new String(stack.extra().toArray(), StandardCharsets.ISO_8859_1);
        return extra.contains("chargedItem") && extra.contains("minecraft:arrow");
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 944, 1001, 2168, 2193})
    void showsACrossbowLoadedAndItsArrow(int protocol) {
        serve(protocol);
        mark();
        load();
        assertThat(all(anna, ActorEvent.class))
                .extracting(ActorEvent::event)
                .containsExactly(ActorEvent.CROSSBOW_CHARGED);
        assertThat(isCharged(sent(CROSSBOW_SLOT))).isTrue();
        assertThat(sent(2).count()).as("its arrow").isEqualTo(15);
        assertThat(all(bob, MobEquipment.class))
                .extracting(held -> isCharged(held.item()))
                .containsExactly(false, true);
        assertThat(all(bob, SetActorData.class))
                .filteredOn(data -> data.runtimeId() == anna.id())
                .extracting(BedrockCombatTest::isUsingItem)
                .containsExactly(true, false);
        assertThat(all(anna, AddActor.class)).as("it is not shot yet").isEmpty();
        select(0);
        select(CROSSBOW_SLOT);
        anna.send(use(CROSSBOW_SLOT), input(anna, 0));
        n.network.run(SECOND / 2);
        for (ScriptedClient each : List.of(anna, bob)) {
            assertThat(all(each, AddActor.class))
                    .extracting(AddActor::type)
                    .containsExactly("minecraft:arrow");
            assertThat(all(each, PlaySound.class))
                    .extracting(PlaySound::name)
                    .contains("crossbow.shoot", "random.bowhit");
        }
        assertThat(isCharged(sent(CROSSBOW_SLOT))).isFalse();
        assertThat(isCharged(all(bob, MobEquipment.class).getLast().item())).isFalse();
        assertThat(health(bob)).containsExactly(11);
        load();
        anna.send(use(CROSSBOW_SLOT), input(anna, 0));
        n.network.run(SECOND / 2);
        load();
        anna.send(use(CROSSBOW_SLOT), input(anna, 0));
        n.network.run(SECOND / 2);
        assertThat(all(bob, DeathInfo.class))
                .containsExactly(new DeathInfo("death.attack.arrow", List.of("bob", "anna")));
        assertThat(anna.gone || bob.gone).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 944, 1001, 2168, 2193})
    void showsATridentThrownAndItsObituary(int protocol) {
        serve(protocol);
        strike(anna, bob);
        n.network.run(SECOND);
        strike(anna, bob);
        n.network.run(SECOND);
        mark();
        select(TRIDENT_SLOT);
        anna.send(use(TRIDENT_SLOT));
        n.network.run(SECOND);
        anna.send(release(TRIDENT_SLOT), input(anna, 0));
        n.network.run(SECOND / 2);
        for (ScriptedClient each : List.of(anna, bob)) {
            AddActor trident = all(each, AddActor.class).getFirst();
            assertThat(trident.type()).isEqualTo("minecraft:thrown_trident");
            assertThat(BedrockMotion.point(trident.velocity()).length())
                    .isCloseTo(2.5, within(0.1));
            assertThat(all(each, PlaySound.class))
                    .extracting(PlaySound::name)
                    .contains("item.trident.throw", "item.trident.hit");
        }
        assertThat(sent(TRIDENT_SLOT)).as("it is lost for this life").isEqualTo(sentAir());
        assertThat(all(bob, MobEquipment.class))
                .extracting(held -> held.item().id())
                .containsExactly(number(bob, Weapon.TRIDENT), 0);
        assertThat(all(bob, DeathInfo.class))
                .containsExactly(new DeathInfo("death.attack.trident", List.of("bob", "anna")));
    }

    /** Air as this version has it. */
    private ItemStack sentAir() {
        return anna.all(InventoryContent.class).getLast().items().getLast();
    }

    @Test
    void aTridentIsAWeaponInTheHand() {
        serve(748);
        mark();
        select(TRIDENT_SLOT);
        anna.send(
                InventoryTransaction.of(
                        new UseOnActor(
                                bob.id(),
                                UseOnActor.ATTACK,
                                TRIDENT_SLOT,
                                stack(TRIDENT_SLOT),
                                BedrockMotion.eyes(place(anna)),
                                Vec3f.ZERO)),
                input(anna, 0));
        n.network.run(SECOND / 10);
        assertThat(health(bob)).containsExactly(12);
    }

    private static boolean isUsingItem(SetActorData data) {
        return hasFlag(data, Metadata.USING_ITEM);
    }

    private static boolean hasFlag(SetActorData data, long flag) {
        return data.metadata().stream()
                .filter(each -> each.key() == Metadata.FLAGS)
                .map(Metadata::value)
                .map(Metadata.OfLong.class::cast)
                .anyMatch(flags -> (flags.value() & flag) != 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 975, 1001, 2168, 2193})
    void showsArmourThatWearsOff(int protocol) {
        serve(protocol);
        mark();
        ArenaPlayer player = n.arena.player(id("bob")).orElseThrow();
        n.arena.setLevel(
                n.network.now(),
                "bedrock",
                n.arena
                        .level("bedrock")
                        .withItems(List.of(new PlacedItem(ItemKind.HEAVY_ARMOUR, place(bob)))));
        bob.send(input(bob, 0));
        n.network.run(SECOND / 2);
        assertThat(player.combatant().vitals().armour()).isEqualTo(100);
        InventoryContent worn = all(bob, InventoryContent.class).getLast();
        assertThat(worn.window()).isEqualTo(ArmourSet.WINDOW);
        List<Integer> diamond =
                ArmourSet.DIAMOND.stacks(bob.codec, 1).stream().map(ItemStack::id).toList();
        assertThat(worn.items()).extracting(ItemStack::id).isEqualTo(diamond);
        MobArmour shown = all(anna, MobArmour.class).getLast();
        assertThat(shown.runtimeId()).isEqualTo(bob.id());
        assertThat(
                        List.of(
                                shown.helmet().id(),
                                shown.chest().id(),
                                shown.legs().id(),
                                shown.boots().id()))
                .isEqualTo(diamond);
        strike(anna, bob);
        assertThat(player.combatant().vitals().health()).isCloseTo(90.55, within(1e-6));
        assertThat(player.combatant().vitals().armour()).isCloseTo(74.45, within(1e-6));
        assertThat(all(bob, InventoryContent.class).getLast().items())
                .extracting(ItemStack::id)
                .isEqualTo(
                        ArmourSet.IRON.stacks(bob.codec, 1).stream().map(ItemStack::id).toList());
        assertThat(anna.gone || bob.gone).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 827, 975, 1001, 2168, 2193})
    void quadDamageIsStrengthAndAFireThatOthersSee(int protocol) {
        serve(protocol);
        ArenaPlayer player = n.arena.player(id("anna")).orElseThrow();
        mark();
        n.arena.setLevel(
                n.network.now(),
                "bedrock",
                n.arena
                        .level("bedrock")
                        .withItems(List.of(new PlacedItem(ItemKind.QUAD, place(anna)))));
        anna.send(input(anna, 0));
        n.network.run(SECOND / 10);
        assertThat(player.combatant().quadLeft(n.network.now())).isPositive();
        assertThat(all(anna, MobEffect.class))
                .containsExactly(MobEffect.add(anna.id(), MobEffect.STRENGTH, 2, 30 * 20));
        assertThat(hasFlag(all(bob, SetActorData.class).getLast(), Metadata.ON_FIRE)).isTrue();
        strike(anna, bob);
        assertThat(events)
                .filteredOn(ArenaEvent.Hit.class::isInstance)
                .extracting(hit -> ((ArenaEvent.Hit) hit).damage())
                .as("a sword does 35")
                .containsExactly(105.0);
        n.network.run(30 * SECOND);
        mark();
        anna.send(input(anna, 0));
        n.network.run(SECOND / 10);
        assertThat(player.combatant().quadLeft(n.network.now())).isZero();

        player.combatant().setQuad(n.network.now() + SECOND);
        player.combatant().die(n.network.now());
        anna.send(new Respawn(Vec3f.ZERO, 2, anna.id()));
        n.network.run(SECOND / 2);
        assertThat(all(anna, MobEffect.class))
                .containsExactly(MobEffect.remove(anna.id(), MobEffect.STRENGTH));
        assertThat(player.combatant().quadLeft(n.network.now())).isZero();
        assertThat(anna.gone || bob.gone).isFalse();
    }

    /** A full bow does 50 to 75. */
    @Test
    void arrowsHaveTheStrengthOfTheShot() {
        serve(748);
        ArenaPlayer player = n.arena.player(id("anna")).orElseThrow();
        player.combatant().setQuad(n.network.now() + 60 * SECOND);
        shoot();
        double strong = lastDamage();
        serve(748);
        shoot();
        assertThat(strong).isGreaterThanOrEqualTo(2 * lastDamage());
    }

    private double lastDamage() {
        return events.stream()
                .filter(ArenaEvent.Hit.class::isInstance)
                .mapToDouble(hit -> ((ArenaEvent.Hit) hit).damage())
                .reduce((_, last) -> last)
                .orElseThrow();
    }
}

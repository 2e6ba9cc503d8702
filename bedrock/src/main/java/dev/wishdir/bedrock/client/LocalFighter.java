package dev.wishdir.bedrock.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.message.AbilityMessage.Attribute;
import dev.wishdir.bedrock.message.AbilityMessage.UpdateAttributes;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.FightMessage.ScoreEntry;
import dev.wishdir.bedrock.message.FightMessage.SetScore;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryAction;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.ReleaseItem;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseItem;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseOnActor;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.MovementMessage.Respawn;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.FlagBanner;
import dev.wishdir.bedrock.protocol.ItemPalette;
import dev.wishdir.bedrock.protocol.TeamColour;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** The health, the hot bar, the blows, the bow and the board of a headless client. */
final class LocalFighter {
    /** A player of this game has 20 points of health, one of the arena 100. */
    private static final double POINTS = 5;

    private static final int INVENTORY = 0;

    /** The slot of the sword. */
    private static final int HAND_SLOT = 0;

    private static final int HOTBAR_SLOTS = 9;
    private static final int INVENTORY_SLOTS = 36;
    private static final double REACH_METRES = 3;

    /** The victim stays red for so long; another blow has no effect. */
    private static final long BLOW_INTERVAL_NANOS = 10 * BedrockMotion.TICK_NANOS;

    /** A blow that meets no body is followed by another one as soon as a user clicks again. */
    private static final long SWING_INTERVAL_NANOS = 2 * BedrockMotion.TICK_NANOS;

    /** A server gets uses of items later than they are made, and some later than others. */
    private static final long LATE_NANOS = 2 * BedrockMotion.TICK_NANOS;

    /** A user needs some time to press the button of the death screen. */
    private static final long RESPAWN_DELAY_NANOS = 20 * BedrockMotion.TICK_NANOS;

    private static final long RESPAWN_INTERVAL_NANOS = 1_000_000_000;
    private static final int READY = 1;
    private static final int CLIENT_READY = 2;
    private static final int RESPAWN_ACTION = 7;
    private static final int NO_FACE = -1;

    /** An entry of the board: a server may send no more of them. */
    private static final int MAX_SCORES = 4096;

    /** The end of a line with the score of a team. */
    private static final String TEAM_SUFFIX = " team";

    private static final double HALF_WIDTH_METRES = 0.3;
    private static final double HEIGHT_METRES = 1.8;
    private static final double AIM_STEP_METRES = 0.05;
    private static final double RAY_METRES = 0.01;

    private static final long NOT_DRAWN = Long.MIN_VALUE;

    private record BoardScore(long uniqueId, int score) {}

    /**
     * A change of the own health.
     *
     * @param damage that it lost, 100 of a whole life; not above 0 if it has gained
     */
    record HealthChange(double damage, double health) {}

    private final Map<Long, BoardScore> scores = new HashMap<>();
    private final Map<String, Integer> teamScores = new HashMap<>();
    private final Map<WeaponItem, Integer> numbers = new EnumMap<>(WeaponItem.class);
    private final BedrockCodec codec;
    private final int arrow;
    private Optional<WeaponItem> wanted = Optional.empty();
    private final List<ItemStack> items =
            new ArrayList<>(Collections.nCopies(INVENTORY_SLOTS, ItemStack.AIR));
    private int selected;
    private long drawnAt = NOT_DRAWN;
    private double health = -1;
    private long readyAt = Long.MIN_VALUE;
    private long respawnAt;

    LocalFighter(BedrockCodec codec) {
        this.codec = codec;
        for (WeaponItem item : WeaponItem.values()) {
            numbers.put(item, ItemPalette.number(codec, item.itemName()));
        }
        arrow = ItemPalette.number(codec, "minecraft:arrow");
    }

    /** The health; empty if the server has sent none, or it is dead. */
    OptionalDouble health() {
        return health > 0 ? OptionalDouble.of(health) : OptionalDouble.empty();
    }

    private boolean isDead() {
        return health == 0;
    }

    /** Handles the attributes of its own player. */
    Optional<HealthChange> onAttributes(long now, UpdateAttributes update) {
        for (Attribute attribute : update.attributes()) {
            if (attribute.name().equals("minecraft:health")
                    && Float.isFinite(attribute.current())) {
                double before = health;
                health = Math.max(0, attribute.current() * POINTS);
                if (isDead() && before != 0) {
                    drawnAt = NOT_DRAWN;
                    respawnAt = now + RESPAWN_DELAY_NANOS;
                }
                return Optional.of(new HealthChange(before - health, health));
            }
        }
        return Optional.empty();
    }

    void onContent(InventoryContent content) {
        if (content.window() == INVENTORY) {
            for (int slot = 0; slot < INVENTORY_SLOTS; slot++) {
                boolean isSent = slot < content.items().size();
                items.set(slot, isSent ? content.items().get(slot) : ItemStack.AIR);
            }
        }
    }

    void onSlot(InventorySlot slot) {
        if (slot.window() == INVENTORY && slot.slot() >= 0 && slot.slot() < INVENTORY_SLOTS) {
            items.set(slot.slot(), slot.item());
        }
    }

    /** The flag that its player carries, in the last slot of the hot bar. */
    Optional<Team> flag() {
        return FlagBanner.team(codec, items.get(Hotbar.FLAG_SLOT));
    }

    /** Throws the flag away, as a user's key does; empty if there is none. */
    Optional<BedrockMessage> dropFlag() {
        ItemStack flag = items.get(Hotbar.FLAG_SLOT);
        return flag().map(_ ->
                new InventoryTransaction(
                        0,
                        Optional.empty(),
                        List.of(
                                new InventoryAction(
                                        InventoryAction.WORLD,
                                        Optional.empty(),
                                        Optional.of(0),
                                        0,
                                        ItemStack.AIR,
                                        flag),
                                new InventoryAction(
                                        InventoryAction.CONTAINER,
                                        Optional.of(INVENTORY),
                                        Optional.empty(),
                                        Hotbar.FLAG_SLOT,
                                        flag,
                                        ItemStack.AIR)),
                        new Transaction.Normal()));
    }

    void onScores(SetScore message) {
        for (ScoreEntry entry : message.entries()) {
            if (entry.kind() == ScoreEntry.REMOVE) {
                scores.remove(entry.entry());
            } else if (entry.kind() == ScoreEntry.TEXT) {
                onLine(entry);
            } else if (entry.kind() == ScoreEntry.PLAYER
                    && (scores.size() < MAX_SCORES || scores.containsKey(entry.entry()))) {
                scores.put(entry.entry(), new BoardScore(entry.uniqueId(), entry.score()));
            }
        }
    }

    private void onLine(ScoreEntry line) {
        Optional<Team> team = TeamColour.team(line.text());
        if (team.isPresent() && BedrockText.withoutCodes(line.text()).endsWith(TEAM_SUFFIX)) {
            teamScores.put(team.get().toString(), line.score());
        }
    }

    /** The scores of teams in the side bar. */
    Map<String, Integer> teamScores() {
        return Map.copyOf(teamScores);
    }

    /** The scores of players by unique id. */
    Map<Long, Integer> scores() {
        Map<Long, Integer> byId = new HashMap<>();
        scores.values().forEach(each -> byId.put(each.uniqueId, each.score));
        return byId;
    }

    /** The message that asks for the next life, if it is time. */
    Optional<BedrockMessage> respawn(long now, long runtimeId, Vec3 feet) {
        if (!isDead() || now < respawnAt) {
            return Optional.empty();
        }
        respawnAt = now + RESPAWN_INTERVAL_NANOS;
        return Optional.of(new Respawn(BedrockMotion.eyes(feet), CLIENT_READY, runtimeId));
    }

    /** Handles the server's word on the next life. */
    Optional<BedrockMessage> onRespawn(Respawn message, long runtimeId) {
        return isDead() && message.state() == READY
                ? Optional.of(
                        new PlayerAction(
                                runtimeId, RESPAWN_ACTION, BlockPos.ZERO, BlockPos.ZERO, NO_FACE))
                : Optional.empty();
    }

    /**
     * A step of a shot or a blow.
     *
     * @param messages to the server
     * @param lookAt where the player looks meanwhile, metres
     * @param isDone whether it struck or shot, not only drew its bow
     */
    record Shot(List<BedrockMessage> messages, Vec3 lookAt, boolean isDone) {}

    /** The weapons in the hot bar, with arrows where they need them. */
    List<BotWeapon> weapons() {
        return Arrays.stream(WeaponItem.values())
                .filter(this::canUse)
                .map(item -> item.weapon(isLoaded(item)))
                .toList();
    }

    private boolean canUse(WeaponItem item) {
        return slot(item) >= 0
                && (!item.needsArrow() || isLoaded(item) || slot(arrow, INVENTORY_SLOTS) >= 0);
    }

    private int slot(WeaponItem item) {
        return slot(Objects.requireNonNull(numbers.get(item)), HOTBAR_SLOTS);
    }

    /** Whether it is a crossbow in which an arrow lies. */
    private boolean isLoaded(WeaponItem item) {
        return item == WeaponItem.CROSSBOW && slot(item) >= 0 && items.get(slot(item)).isTagged();
    }

    /**
     * Wants a weapon in hand, and begins to draw it.
     *
     * @return the messages about it
     */
    List<BedrockMessage> select(long now, long runtimeId, Vec3 eyes, BotWeapon weapon) {
        wanted = WeaponItem.named(weapon.name());
        boolean isDrawn =
                wanted.filter(item -> item != WeaponItem.SWORD && canUse(item)).isPresent();
        if (!isDrawn || isDead()) {
            return List.of();
        }
        WeaponItem item = wanted.get();
        List<BedrockMessage> messages = select(runtimeId, slot(item));
        if (!isLoaded(item)) {
            messages.addAll(startDraw(now, item, eyes));
        }
        return messages;
    }

    /** Draws a weapon, unless it is drawn. */
    private List<BedrockMessage> startDraw(long now, WeaponItem item, Vec3 eyes) {
        if (drawnAt != NOT_DRAWN) {
            return List.of();
        }
        drawnAt = now;
        int slot = slot(item);
        return List.of(
                InventoryTransaction.of(
                        UseItem.inAir(slot, items.get(slot), BedrockMotion.point(eyes))));
    }

    /**
     * Hits what is at a point within reach, or the air; shoots with the wanted weapon, or the bow,
     * if that is farther. What is drawn is drawn with the first call, and shoots with a later one.
     * Who wants no weapon aims at the point itself: the bow is raised as far as its arrow sinks.
     *
     * @param eyes metres
     * @param others the feet of the other players by runtime id
     * @param space the level, in which it strikes through no wall
     * @return empty if it can do nothing now
     */
    Optional<Shot> shoot(
            long now,
            long runtimeId,
            Vec3 eyes,
            Vec3 at,
            Map<Long, Vec3> others,
            CollisionSpace space) {
        if (isDead()) {
            return Optional.empty();
        }
        Optional<Target> target = target(eyes, at, others, space);
        boolean isNear = target.isPresent() || eyes.distance(at) < REACH_METRES;
        WeaponItem item = wanted.orElse(WeaponItem.BOW);
        if (isNear && wanted.isEmpty() || item == WeaponItem.SWORD || !canUse(item)) {
            return strike(now, runtimeId, eyes, at, target);
        }
        if (wanted.isEmpty()) {
            return draw(now, runtimeId, eyes, item.weapon(false).aim(eyes, at), item);
        }
        return isLoaded(item)
                ? Optional.of(fire(runtimeId, eyes, at, item))
                : draw(now, runtimeId, eyes, at, item);
    }

    /** The first slot with an item; -1 if there is none. */
    private int slot(int item, int slots) {
        for (int slot = 0; slot < slots; slot++) {
            if (items.get(slot).id() == item) {
                return slot;
            }
        }
        return -1;
    }

    private List<BedrockMessage> select(long runtimeId, int slot) {
        List<BedrockMessage> messages = new ArrayList<>();
        if (slot != selected) {
            selected = slot;
            drawnAt = NOT_DRAWN;
            messages.add(new MobEquipment(runtimeId, items.get(slot), slot, slot, INVENTORY));
        }
        return messages;
    }

    /** Shoots a loaded crossbow. */
    private Shot fire(long runtimeId, Vec3 eyes, Vec3 at, WeaponItem item) {
        int slot = slot(item);
        List<BedrockMessage> messages = select(runtimeId, slot);
        messages.add(
                InventoryTransaction.of(
                        UseItem.inAir(slot, items.get(slot), BedrockMotion.point(eyes))));
        return new Shot(messages, at, true);
    }

    /** Draws a weapon; shoots, throws or loads it when it is drawn. */
    private Optional<Shot> draw(long now, long runtimeId, Vec3 eyes, Vec3 at, WeaponItem item) {
        int slot = slot(item);
        List<BedrockMessage> messages = select(runtimeId, slot);
        messages.addAll(startDraw(now, item, eyes));
        if (now - drawnAt >= item.drawNanos() + LATE_NANOS) {
            drawnAt = NOT_DRAWN;
            messages.add(
                    InventoryTransaction.of(
                            new ReleaseItem(
                                    ReleaseItem.RELEASE,
                                    slot,
                                    items.get(slot),
                                    BedrockMotion.point(eyes))));
            return Optional.of(new Shot(messages, at, item != WeaponItem.CROSSBOW));
        }
        return messages.isEmpty() ? Optional.empty() : Optional.of(new Shot(messages, at, false));
    }

    private Optional<Shot> strike(
            long now, long runtimeId, Vec3 eyes, Vec3 at, Optional<Target> met) {
        if (now < readyAt) {
            return Optional.empty();
        }
        List<BedrockMessage> messages = select(runtimeId, HAND_SLOT);
        messages.add(Animate.swing(runtimeId));
        readyAt = now + SWING_INTERVAL_NANOS;
        met.ifPresent(target -> {
            readyAt = now + BLOW_INTERVAL_NANOS;
            messages.add(
                    InventoryTransaction.of(
                            new UseOnActor(
                                    target.actor,
                                    UseOnActor.ATTACK,
                                    HAND_SLOT,
                                    items.get(HAND_SLOT),
                                    BedrockMotion.point(eyes),
                                    BedrockMotion.point(target.clicked))));
        });
        return Optional.of(new Shot(messages, at, true));
    }

    private record Target(long actor, Vec3 clicked) {}

    /** The first body on the line of sight, before the first wall. */
    private static Optional<Target> target(
            Vec3 eyes, Vec3 at, Map<Long, Vec3> others, CollisionSpace space) {
        Vec3 way = at.minus(eyes);
        if (way.length() < 1e-6) {
            return Optional.empty();
        }
        Vec3 step = way.times(AIM_STEP_METRES / way.length());
        Vec3 farthest = eyes.plus(way.times(REACH_METRES / way.length()));
        double reach = REACH_METRES * space.free(eyes, farthest, RAY_METRES, RAY_METRES);
        int steps = (int) Math.round(reach / AIM_STEP_METRES);
        for (int i = 0; i <= steps; i++) {
            Vec3 point = eyes.plus(step.times(i));
            for (Map.Entry<Long, Vec3> other : others.entrySet()) {
                if (isIn(point, other.getValue())) {
                    return Optional.of(new Target(other.getKey(), point));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isIn(Vec3 point, Vec3 feet) {
        Vec3 offset = point.minus(feet);
        return Math.abs(offset.x()) <= HALF_WIDTH_METRES
                && Math.abs(offset.y()) <= HALF_WIDTH_METRES
                && offset.z() >= 0
                && offset.z() <= HEIGHT_METRES;
    }
}

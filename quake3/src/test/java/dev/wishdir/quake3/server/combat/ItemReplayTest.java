package dev.wishdir.quake3.server.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.PickupItem;
import dev.wishdir.quake3.map.PakSearchPath;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.CapturedBody;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Frame;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * From the usercmds of a captured client of OpenArena, this server's law of items gives what the
 * original server gave. Each pair of snapshots is replayed by itself.
 */
class ItemReplayTest {
    private static final int WALKER = 42_191;
    private static final int ET_ITEM = 2;
    private static final int ITEM_PICKUP = 19;
    private static final int ARMOUR = 4;

    /** A pickup: the item, health and armour, and all ammunition. */
    private record Pickup(int item, int health, int armour, List<Integer> ammo, int weapons) {}

    private final List<Pickup> original = new ArrayList<>();
    private final List<Pickup> replayed = new ArrayList<>();

    /** All items that the capture shows at any time. */
    private List<EntityState> all = List.of();

    private final List<String> sequences = new ArrayList<>();

    private static Pickup pickup(int item, PlayerState state, int armour) {
        List<Integer> ammo = new ArrayList<>();
        for (int i = 1; i < 10; i++) {
            ammo.add(state.get(PlayerArray.AMMO, i));
        }
        return new Pickup(
                item,
                state.get(PlayerArray.STATS, 0),
                armour,
                ammo,
                state.get(PlayerArray.STATS, 3));
    }

    /**
     * The numbers and parameters of the events after a number of them; the newest two are known.
     */
    private static List<String> events(PlayerState state, int after) {
        List<String> events = new ArrayList<>();
        int count = state.get(PlayerField.EVENT_SEQUENCE);
        for (int i = Math.max(after, count - 2); i < count; i++) {
            boolean odd = (i & 1) != 0;
            events.add(
                    state.get(odd ? PlayerField.EVENTS_1 : PlayerField.EVENTS_0)
                            + ":"
                            + state.get(
                                    odd ? PlayerField.EVENT_PARMS_1 : PlayerField.EVENT_PARMS_0));
        }
        return events;
    }

    private static List<Integer> pickups(List<String> events) {
        return events.stream()
                .filter(event -> event.startsWith(ITEM_PICKUP + ":"))
                .map(event -> Integer.parseInt(event.substring(event.indexOf(':') + 1)))
                .toList();
    }

    private static List<EntityState> items(Frame frame) {
        List<EntityState> items = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            if (frame.state(i).get(EntityField.E_TYPE) == ET_ITEM) {
                items.add(frame.state(i));
            }
        }
        return items;
    }

    private static Optional<PickupItem> known(EntityState item) {
        return Arrays.stream(PickupItem.values())
                .filter(each -> each.number() == item.get(EntityField.MODELINDEX))
                .findFirst();
    }

    private static boolean touches(PlayerBody body, EntityState item) {
        Vec3f origin = body.origin();
        Vec3 place =
                new Vec3(
                                item.real(EntityField.POS_TR_BASE_0),
                                item.real(EntityField.POS_TR_BASE_1),
                                item.real(EntityField.POS_TR_BASE_2) - 15)
                        .times(1 / Quake3Motion.SCALE);
        return ItemHandler.REACH.contains(
                Quake3Motion.feet(origin.x(), origin.y(), origin.z()).minus(place));
    }

    private void replay(BrushWorld world) {
        CapturedFight fight = CapturedFight.read("combat-oa-items", WALKER);
        Map<CapturedItem, EntityState> seen = new HashMap<>();
        fight.frames.forEach(
                frame -> items(frame).forEach(item -> seen.put(CapturedItem.of(item), item)));
        all = List.copyOf(seen.values());
        for (int i = 1; i < fight.frames.size(); i++) {
            PlayerState before = fight.frames.get(i - 1).player();
            PlayerState after = fight.frames.get(i).player();
            boolean jumps =
                    ((before.get(PlayerField.E_FLAGS) ^ after.get(PlayerField.E_FLAGS))
                                    & PlayerBody.EF_TELEPORT_BIT)
                            != 0;
            if (!jumps) {
                replay(world, fight, fight.frames.get(i - 1), after);
            } else {
                arrive(fight.frames.get(i - 1).player(), fight.frames.get(i));
            }
        }
    }

    /** The cheat that puts the walker elsewhere, where it takes an item at once. */
    private void arrive(PlayerState before, Frame frame) {
        PlayerState after = frame.player();
        CapturedBody captured = new CapturedBody(before);
        PlayerBody body = captured.body;
        body.combat().setArmour(before.get(PlayerArray.STATS, ARMOUR));
        body.place(new CapturedBody(after).body.origin());
        List<EntityState> taken = new ArrayList<>(all);
        taken.removeIf(item ->
                items(frame).stream()
                        .anyMatch(it -> CapturedItem.of(it).equals(CapturedItem.of(item))));
        int first = body.events();
        for (EntityState item : taken) {
            if (touches(body, item)) {
                known(item).ifPresent(it -> body.take(it, true, 0));
            }
        }
        for (int item : pickups(events(after, before.get(PlayerField.EVENT_SEQUENCE)))) {
            if (taken.stream()
                    .noneMatch(it -> it.get(EntityField.MODELINDEX) == item && touches(body, it))) {
                // The only one of its kind, which the client never saw.
                continue;
            }
            original.add(pickup(item, after, after.get(PlayerArray.STATS, ARMOUR)));
        }
        for (int item : pickups(events(body.playerState(0, true), first))) {
            replayed.add(pickup(item, body.playerState(0, true), body.combat().armour()));
        }
    }

    private record CapturedItem(int number, float x, float y, float z) {
        static CapturedItem of(EntityState item) {
            return new CapturedItem(
                    item.get(EntityField.MODELINDEX),
                    item.real(EntityField.POS_TR_BASE_0),
                    item.real(EntityField.POS_TR_BASE_1),
                    item.real(EntityField.POS_TR_BASE_2));
        }
    }

    private void replay(BrushWorld world, CapturedFight fight, Frame before, PlayerState after) {
        CapturedBody captured = new CapturedBody(before.player());
        PlayerBody body = captured.body;
        body.combat().setArmour(before.player().get(PlayerArray.STATS, ARMOUR));
        int first = body.events();
        Set<EntityState> taken = new HashSet<>();
        for (Usercmd command :
                fight.between(body.commandTime(), after.get(PlayerField.COMMAND_TIME)).values()) {
            captured.move(command, world);
            for (EntityState item : items(before)) {
                if (!taken.contains(item)
                        && touches(body, item)
                        && known(item).map(it -> body.take(it, true, 0)).orElse(false)) {
                    taken.add(item);
                }
            }
        }
        PlayerState moved = body.playerState(0, true);
        List<String> own = events(moved, first);
        List<String> theirs = events(after, first);
        for (int item : pickups(theirs)) {
            original.add(pickup(item, after, after.get(PlayerArray.STATS, ARMOUR)));
        }
        for (int item : pickups(own)) {
            replayed.add(pickup(item, moved, body.combat().armour()));
            if (!own.equals(theirs)) {
                sequences.add(own + " " + theirs);
            }
        }
    }

    /** In a world without walls, through which the body falls for at most one snapshot. */
    @Test
    void pickupsAreThoseOfTheOriginalServer() {
        replay(new BrushWorld(List.of()));
        assertThat(original).hasSize(15);
        assertThat(replayed).isEqualTo(original);
    }

    /** With the walls of the map, where OpenArena is installed. */
    @Test
    void pickupsComeAtThePlaceOfTheEventSequenceThatClientsPredict() throws IOException {
        assumeThat(PakSearchPath.usual()).isPresent();
        Quake3Map map = new Quake3MapCatalog(PakSearchPath.usual()).load("oa_dm3");
        replay(map.world());
        assertThat(replayed).isEqualTo(original);
        assertThat(sequences).isEmpty();
    }

    /** The items of the map, their places and their numbers, where OpenArena is installed. */
    @Test
    void itemsOfTheMapAreThoseThatTheOriginalServerSends() throws IOException {
        assumeThat(PakSearchPath.usual()).isPresent();
        Level level = new Quake3MapCatalog(PakSearchPath.usual()).load("oa_dm3").played();
        Map<String, Integer> sent = new HashMap<>();
        for (Frame frame : CapturedFight.read("combat-oa-items", WALKER).frames) {
            for (EntityState item : items(frame)) {
                known(item)
                        .ifPresent(it ->
                                sent.put(
                                        it.number()
                                                + " "
                                                + new Vec3f(
                                                        item.real(EntityField.POS_TR_BASE_0),
                                                        item.real(EntityField.POS_TR_BASE_1),
                                                        item.real(EntityField.POS_TR_BASE_2)),
                                        1));
            }
        }
        assertThat(
                        level.items().stream()
                                .map(item ->
                                        PickupItem.of(item).number()
                                                + " "
                                                + ItemHandler.origin(item))
                                .collect(Collectors.toSet()))
                .containsAll(sent.keySet());
        assertThat(sent).hasSizeGreaterThan(20);
        for (PlacedItem item : level.items()) {
            int seconds = (int) item.returnTime().toSeconds();
            boolean health = item.kind().compareTo(ItemKind.MEGA_HEALTH) <= 0;
            List<Integer> known =
                    health
                            ? List.of(35)
                            : item.kind() == ItemKind.QUAD ? List.of(120) : List.of(5, 25, 40);
            assertThat(seconds).as("%s", item).isIn(known);
        }
    }
}

package dev.wishdir.quake2.client;

import dev.wishdir.game.BotWeapon;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The weapons and ammunition of a headless client. The game shows them only on request: the client
 * asks after each item that it got, and now and then, while its controller uses them.
 */
final class LocalInventory {
    /** The command that shows the inventory, and hides it. */
    static final String COMMAND = "inven";

    private static final long MIN_INTERVAL_NANOS = 700_000_000;
    private static final long MAX_INTERVAL_NANOS = 3_000_000_000L;

    /** A weapon needs some time until it is put away, and the other one taken up. */
    private static final long CHANGE_NANOS = 800_000_000;

    private List<Integer> counts = List.of();
    private Optional<Weapon> inHand = Optional.empty();
    private Optional<Weapon> wanted = Optional.empty();
    private int pickup;
    private int ammoInHand;
    private boolean isOld = true;
    private boolean isUsed;
    private long askedAt = Long.MIN_VALUE / 2;
    private long changedAt = Long.MIN_VALUE / 2;

    /** Another life or level. */
    void clear() {
        counts = List.of();
        wanted = Optional.empty();
        isOld = true;
    }

    /** Takes the counts of all items, by their numbers. */
    void onCounts(List<Integer> received) {
        counts = List.copyOf(received);
    }

    /**
     * Takes the state of a frame.
     *
     * @param gunModel path of the model in its hands
     */
    void onState(PlayerState state, String gunModel) {
        inHand =
                Arrays.stream(Weapon.values())
                        .filter(weapon -> weapon.viewModel().equals(gunModel))
                        .findFirst();
        int got = state.stats().get(Stats.PICKUP_STRING);
        isOld |= got != 0 && got != pickup;
        pickup = got;
        ammoInHand = state.stats().get(Stats.AMMO);
    }

    /** Whether to ask for the counts now. */
    boolean takeDue(long now) {
        long since = now - askedAt;
        boolean isDue = isUsed && since > (isOld ? MIN_INTERVAL_NANOS : MAX_INTERVAL_NANOS);
        if (isDue) {
            askedAt = now;
            isOld = false;
            isUsed = false;
        }
        return isDue;
    }

    /** The weapons with ammunition; empty until the server has sent them. */
    List<BotWeapon> weapons() {
        isUsed = true;
        return Arrays.stream(Weapon.values()).filter(this::canFire).map(WeaponTable::of).toList();
    }

    private boolean canFire(Weapon weapon) {
        boolean has = weapon == Weapon.HAND_GRENADE || count(weapon.item()) > 0;
        boolean isInHand = inHand.filter(weapon::equals).isPresent();
        return has
                && weapon.ammo()
                        .map(kind -> isInHand ? ammoInHand : count(kind.item()))
                        .filter(left -> left < weapon.use())
                        .isEmpty();
    }

    private int count(int item) {
        return item < counts.size() ? counts.get(item) : 0;
    }

    /** Wants a weapon in hand. */
    void select(BotWeapon weapon) {
        wanted = WeaponTable.weapon(weapon);
    }

    /** The command that takes the wanted weapon in hand, if it is time for it. */
    Optional<String> takeChange(long now) {
        if (wanted.isEmpty() || wanted.equals(inHand) || now - changedAt < CHANGE_NANOS) {
            return Optional.empty();
        }
        changedAt = now;
        return wanted.map(weapon -> "use " + weapon.title());
    }

    /** Whether the wanted weapon is in hand. */
    boolean isReady() {
        return wanted.isEmpty() || wanted.equals(inHand);
    }
}

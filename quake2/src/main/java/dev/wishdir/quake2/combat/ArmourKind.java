package dev.wishdir.quake2.combat;

import dev.wishdir.arena.event.Vitals;

import java.util.Arrays;
import java.util.Optional;

/** The kinds of armour, the worst first. */
public enum ArmourKind {
    JACKET(PickupItem.ARMOR_JACKET, 25, 50, 0.3, 0),
    COMBAT(PickupItem.ARMOR_COMBAT, 50, 100, 0.6, 0.3),
    BODY(PickupItem.ARMOR_BODY, 100, 200, 0.8, 0.6);

    private static final int SHARD_POINTS = 2;

    private final PickupItem item;
    private final int points;
    private final int max;
    private final double protection;
    private final double energyProtection;

    ArmourKind(PickupItem item, int points, int max, double protection, double energyProtection) {
        this.item = item;
        this.points = points;
        this.max = max;
        this.protection = protection;
        this.energyProtection = energyProtection;
    }

    /**
     * Part of a damage that the worn armour takes, rounded up; not limited to what is left of it.
     *
     * @param isEnergy whether it is that of an energy weapon
     */
    public static double absorbed(double damage, Vitals before, boolean isEnergy) {
        double share =
                isEnergy
                        ? worn(before).map(kind -> kind.energyProtection).orElse(0.0)
                        : before.absorption();
        return Math.ceil(share * damage);
    }

    /** Worn armour; empty for none. */
    static Optional<ArmourKind> worn(Vitals vitals) {
        return vitals.armour() <= 0
                ? Optional.empty()
                : Arrays.stream(values())
                        .filter(kind -> kind.protection >= vitals.absorption() - 0.05)
                        .findFirst();
    }

    private Vitals with(Vitals before, double armour) {
        return new Vitals(before.health(), armour, protection);
    }

    /** Two points more of what is worn, without a maximum. */
    static Vitals shard(Vitals before) {
        return worn(before).orElse(JACKET).with(before, before.armour() + SHARD_POINTS);
    }

    /** After an armour was taken; empty if it is of no use. */
    static Optional<Vitals> taken(PickupItem item, Vitals before) {
        ArmourKind kind =
                Arrays.stream(values()).filter(it -> it.item == item).findFirst().orElseThrow();
        Optional<ArmourKind> worn = worn(before);
        if (worn.isEmpty()) {
            return Optional.of(kind.with(before, kind.points));
        }
        ArmourKind old = worn.get();
        if (kind.compareTo(old) > 0) {
            int kept = (int) (before.armour() * (old.protection / kind.protection));
            return Optional.of(kind.with(before, Math.min(kind.max, kind.points + kept)));
        }
        int more = (int) (kind.points * (kind.protection / old.protection));
        double armour = Math.min(before.armour() + more, Math.max(old.max, before.armour()));
        return armour > before.armour() ? Optional.of(old.with(before, armour)) : Optional.empty();
    }

    /** Name of the picture of what is worn; empty for none. */
    static String icon(Vitals vitals) {
        return worn(vitals).map(kind -> kind.item.icon()).orElse("");
    }
}

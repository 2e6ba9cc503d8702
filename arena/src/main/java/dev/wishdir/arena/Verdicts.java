package dev.wishdir.arena;

import java.util.Locale;

/** What becomes of who moves as his game's physics does not allow. */
final class Verdicts {
    private final Delivery delivery;
    private final Deeds deeds;
    private OnCheat onCheat = OnCheat.OBSERVE;

    Verdicts(Delivery delivery, Deeds deeds) {
        this.delivery = delivery;
        this.deeds = deeds;
    }

    void onCheat(OnCheat wished) {
        onCheat = wished;
    }

    /** As {@link Arena#judged(long, PlayerId, String, double, double, double)}. */
    boolean judged(
            long now,
            Resident player,
            String rule,
            double measured,
            double allowed,
            double allowance) {
        if (player.judge(now)) {
            delivery.tell(
                    new ArenaEvent.Verdict(
                            now, player.snapshot(), rule, measured, allowed, allowance),
                    player);
            if (onCheat == OnCheat.KICK) {
                deeds.dismiss(
                        now,
                        player,
                        new Departure(
                                Departure.Code.MOVEMENT_VIOLATION,
                                String.format(
                                        Locale.ROOT,
                                        "You moved as nobody can: %s %.2f, allowed %.2f.",
                                        rule,
                                        measured,
                                        allowed)));
            }
        }
        return onCheat == OnCheat.OBSERVE;
    }
}

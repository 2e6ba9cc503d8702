package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.FlagModel;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * The flags of a match: as entities with numbers below those of the missiles, on the bodies of
 * their carriers, and in the status bar.
 */
public final class FlagEntities {
    private static final int FIRST = FrameEntities.MAX_PLAYERS + 1;
    private static final int TEAMS = Team.values().length;

    /** From the foot of a flag to the origin of its model, units. */
    private static final double BASE_UNITS = 15;

    private static final int ROTATES = 1;
    private static final int ITEM_RESPAWN = 1;

    /** Characters of a state in the status bar, aligned to the right. */
    private static final int STATE_CHARS = 15;

    private final Arena arena;
    private final ConfigStrings strings;
    private final BitSet numbers = new BitSet();
    private PrecacheTable precache = new PrecacheTable(0);

    public FlagEntities(Arena arena, ConfigStrings strings) {
        this.arena = arena;
        this.strings = strings;
    }

    /** Whether the match has flags. */
    boolean areOn() {
        return arena.match().rules().mode().hasFlags();
    }

    private List<Flag> flags() {
        return arena.match().flags().all();
    }

    /** Shows the flags in a level, whose models are in a table. */
    void describe(PrecacheTable table) {
        precache = table;
        numbers.clear();
        for (Flag flag : flags()) {
            if (flag.isHome()) {
                numbers.set(number(flag));
            }
        }
        updateTexts();
    }

    /** The entity numbers of the flags that stand or lie. */
    BitSet numbers() {
        return numbers;
    }

    /** The number of a flag at home; that of the dropped one follows those of both. */
    private static int number(Flag flag) {
        return FIRST + flag.team().ordinal();
    }

    /**
     * Puts the flags into the next frame that no player carries, and those whose carrier has no
     * slot, which lie where it is.
     *
     * @param slots of players, -1 for none
     */
    void compose(FrameEntities frameEntities, ToIntFunction<PlayerId> slots) {
        if (numbers.isEmpty() && flags().isEmpty()) {
            return;
        }
        BitSet before = (BitSet) numbers.clone();
        numbers.clear();
        for (Flag flag : flags()) {
            FlagModel model = FlagModel.of(flag.team());
            int number = number(flag);
            switch (flag.state()) {
                case FlagState.Home _ -> {
                    EntityState home = state(model, flag.home(), 0);
                    numbers.set(number);
                    frameEntities.put(number, before.get(number) ? home : home.with(ITEM_RESPAWN));
                }
                case FlagState.Carried carried when slots.applyAsInt(carried.by()) >= 0 -> {}
                case FlagState.Dropped _, FlagState.Carried _ -> {
                    Vec3 place = arena.match().flags().place(flag);
                    numbers.set(number + TEAMS);
                    frameEntities.put(number + TEAMS, state(model, place, model.effect()));
                }
            }
        }
        updateTexts();
    }

    private EntityState state(FlagModel model, Vec3 foot, int effect) {
        Vec3 origin = foot.times(ShotSpace.SCALE).plus(new Vec3(0, 0, BASE_UNITS));
        return new EntityState(
                precache.model(model.model()),
                0,
                0,
                0,
                0,
                0,
                ROTATES | EntityState.COLOUR_SHELL | effect,
                model.shell(),
                ShotSpace.eighths(origin),
                Triple.ZERO,
                Triple.ZERO,
                0,
                0,
                0);
    }

    /** The flag that a player carries. */
    private Optional<FlagModel> carried(PlayerId player) {
        return arena.match().flags().carriedBy(player).map(FlagModel::of);
    }

    /** The effects of the flag that a player carries. */
    int effects(PlayerId player) {
        return carried(player).map(FlagModel::effect).orElse(0);
    }

    /**
     * A player state with the states of the flags and the captures in its status bar.
     *
     * @param player of the client; empty until it has entered
     */
    public PlayerState show(Optional<PlayerId> player, PlayerState state) {
        if (flags().isEmpty()) {
            return state;
        }
        int icon =
                player.flatMap(this::carried).map(flag -> precache.picture(flag.icon())).orElse(0);
        return state.with(
                state.stats()
                        .with(Stats.FLAG_ICON, icon)
                        .with(Stats.RED_FLAG, ConfigString.GENERAL)
                        .with(Stats.BLUE_FLAG, ConfigString.GENERAL + 1)
                        .with(Stats.RED_CAPTURES, arena.match().frags(Team.RED))
                        .with(Stats.BLUE_CAPTURES, arena.match().frags(Team.BLUE)));
    }

    /** The states in words: {@code home}, {@code dropped}, or the name of the carrier. */
    private void updateTexts() {
        for (Flag flag : flags()) {
            int index = ConfigString.GENERAL + flag.team().ordinal();
            String text = text(flag);
            if (!strings.get(index).equals(text)) {
                strings.set(index, text);
            }
        }
    }

    private String text(Flag flag) {
        String state =
                switch (flag.state()) {
                    case FlagState.Home _ -> "home";
                    case FlagState.Dropped _ -> "dropped";
                    case FlagState.Carried _ ->
                            arena.match()
                                    .flags()
                                    .carrier(flag)
                                    .map(PlayerNumbers::name)
                                    .orElse("taken");
                };
        return String.format(
                Locale.ROOT, "%" + STATE_CHARS + "s", Quake2Text.line(state, STATE_CHARS));
    }
}

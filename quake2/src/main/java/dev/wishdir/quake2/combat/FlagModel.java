package dev.wishdir.quake2.combat;

import dev.wishdir.arena.event.Team;
import dev.wishdir.quake2.message.EntityState;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The flags of the teams, as clients of the stock game show them: its key cards in the glow of the
 * team, and the trail of the engine behind a carrier. docs/protocols/quake2.md, 3.7.
 */
public enum FlagModel {
    RED(
            Team.RED,
            "models/items/keys/red_key/tris.md2",
            "k_redkey",
            EntityState.RED_FLAG,
            EntityState.RED_SHELL),
    BLUE(
            Team.BLUE,
            "models/items/keys/blue_key/tris.md2",
            "k_bluekey",
            EntityState.BLUE_FLAG,
            EntityState.BLUE_SHELL);

    /** The sound of a flag that is taken from others. */
    public static final String TAKEN = "misc/keyuse.wav";

    /** The sound of the own flag that others take. */
    public static final String LOST = "world/klaxon2.wav";

    public static final String DROPPED = "misc/talk1.wav";

    /** The sound of a flag that comes home. */
    public static final String RETURNED = "items/respawn1.wav";

    public static final String CAPTURED = "misc/secret.wav";

    /** All sounds of flags. */
    static final List<String> SOUNDS = List.of(TAKEN, LOST, DROPPED, RETURNED, CAPTURED);

    private static final FlagModel[] ALL = values();

    private final Team team;
    private final String model;
    private final String icon;
    private final int effect;
    private final int shell;

    FlagModel(Team team, String model, String icon, int effect, int shell) {
        this.team = team;
        this.model = model;
        this.icon = icon;
        this.effect = effect;
        this.shell = shell;
    }

    public static FlagModel of(Team team) {
        return ALL[team.ordinal()];
    }

    /** The flag with a model; empty if it is another model. */
    public static Optional<FlagModel> of(String model) {
        return Arrays.stream(ALL).filter(flag -> flag.model.equals(model)).findFirst();
    }

    /** The team that it belongs to. */
    public Team team() {
        return team;
    }

    /** Path of its model. */
    public String model() {
        return model;
    }

    /** Name of its picture. */
    public String icon() {
        return icon;
    }

    /** The bit of the effects of its carrier, and of the flag where it was dropped. */
    public int effect() {
        return effect;
    }

    /** The bit of the renderfx of the flag itself. */
    public int shell() {
        return shell;
    }
}

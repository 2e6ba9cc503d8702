package dev.wishdir.sauerbraten.combat;

import dev.wishdir.arena.event.Team;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.Point;

/**
 * The marks of flags in coop edit, which has none: particles of the map that clients draw. A ball
 * is a flag that stands or lies, under a bar with the time that it still lies; a bar without a ball
 * is above a carrier.
 */
public final class FlagMark {
    /** The line of chat that drops a flag, as the game has no other way in coop edit. */
    public static final String DROP_LINE = "!drop";

    /** The first number, above the items that a server places. */
    private static final int FIRST = 1_300;

    private static final int PARTICLES = 5;
    private static final int BALL = 3;
    private static final int METER = 5;
    private static final int TWO_COLOURED_METER = 6;
    private static final int BALL_SIZE = 1;
    private static final int FULL_PERCENT = 100;
    private static final int RED = 0xF00;
    private static final int BLUE = 0x00F;

    /** Heights above the ground or the feet. */
    private static final Vec3 BALL_UNITS = new Vec3(0, 0, 14);

    private static final Vec3 CARRIED_UNITS = new Vec3(0, 0, 19);
    private static final Vec3 TIME_UNITS = new Vec3(0, 0, 24);

    private FlagMark() {}

    /** The number of the entity at a team's flag. */
    public static int number(Team team) {
        return FIRST + 2 * team.ordinal();
    }

    /** The number of the entity with the time that a team's flag still lies. */
    public static int timeNumber(Team team) {
        return number(team) + 1;
    }

    private static int colour(Team team) {
        return team == Team.RED ? RED : BLUE;
    }

    /**
     * A flag that stands or lies.
     *
     * @param foot units
     */
    public static EditMessage.EditEnt ball(Team team, Vec3 foot) {
        return particles(number(team), foot.plus(BALL_UNITS), BALL, BALL_SIZE, colour(team), 0);
    }

    /**
     * A flag that a player carries.
     *
     * @param feet of the carrier, units
     */
    public static EditMessage.EditEnt carried(Team team, Vec3 feet) {
        return particles(
                number(team),
                feet.plus(CARRIED_UNITS),
                TWO_COLOURED_METER,
                FULL_PERCENT,
                colour(team),
                colour(team));
    }

    /** The time that a flag still lies, in percent of all. */
    public static EditMessage.EditEnt time(Team team, Vec3 foot, int percent) {
        return particles(timeNumber(team), foot.plus(TIME_UNITS), METER, percent, colour(team), 0);
    }

    private static EditMessage.EditEnt particles(
            int number, Vec3 units, int kind, int size, int colour, int otherColour) {
        Point at = Point.of(units);
        return new EditMessage.EditEnt(
                number, at.x(), at.y(), at.z(), PARTICLES, kind, size, colour, otherColour, 0);
    }

    /** Whether a mark is of a flag that stands or lies. */
    public static boolean isBall(EditMessage.EditEnt mark) {
        return mark.type() == PARTICLES && mark.a1() == BALL;
    }

    /** Whether a mark is of a flag that a player carries. */
    public static boolean isCarried(EditMessage.EditEnt mark) {
        return mark.type() == PARTICLES && mark.a1() == TWO_COLOURED_METER;
    }

    /** The foot of a flag, or the feet of its carrier, units. */
    public static Vec3 foot(EditMessage.EditEnt mark) {
        Vec3 at = new Point(mark.x(), mark.y(), mark.z()).units();
        return at.minus(isBall(mark) ? BALL_UNITS : CARRIED_UNITS);
    }
}

package dev.wishdir.quake3.combat;

/** Part of a player state about a fight: armour, scores, hits, damage. */
public final class CombatState {
    /** The world as an attacker. */
    public static final int WORLD = 1022;

    /** Server frames, of 300 ms on a machine that leaves none out. */
    private static final int EVENT_FRAMES = 12;

    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int MAX_STAT = Short.MAX_VALUE;

    private final DamageFeedback feedback = new DamageFeedback();
    private int armour;
    private int team;
    private int score;
    private int rank;
    private int hits;
    private int attacker;
    private int attackeeArmour;
    private int deaths;
    private int deadYaw;
    private int event;
    private int eventParm;
    private int eventCount;
    private int eventFrames;

    /** End of its quad damage, milliseconds of server time; 0 if it has none. */
    private int quadUntil;

    public DamageFeedback feedback() {
        return feedback;
    }

    /** Points of armour. */
    public int armour() {
        return armour;
    }

    public void setArmour(int points) {
        armour = points;
    }

    /** Sets the team: 0 for none, 1 red, 2 blue. */
    public void setTeam(int number) {
        team = number;
    }

    /**
     * Sets what the board and the HUD show.
     *
     * @param place from 0 on; with teams 0 if red leads, 1 if blue does, 2 if neither
     * @param tied whether another player has the same place
     */
    public void setScore(int frags, int died, int place, boolean tied) {
        score = frags;
        deaths = died;
        rank = place | (tied ? 0x4000 : 0);
    }

    /**
     * Counts a hit of another player, which the client hears.
     *
     * @param health of the victim before
     * @param itsArmour of the victim before
     */
    public void addHit(int health, int itsArmour) {
        hits = hits + 1 & MAX_STAT;
        attackeeArmour = Math.clamp(health, 0, 127) << 8 | Math.clamp(itsArmour, 0, 255);
    }

    /**
     * Sets the attacker that the client shows.
     *
     * @param slot of the attacker at this client, or {@link #WORLD}
     */
    public void setAttacker(int slot) {
        attacker = slot;
    }

    /** Sets where the view of a dead player turns, degrees. */
    public void setDeadYaw(int degrees) {
        deadYaw = degrees;
    }

    /** Starts an event of the body that its client does not predict, for 12 server frames. */
    public void show(BodyEvent next, int parm) {
        eventCount++;
        event = next.number() | (eventCount & 3) << 8;
        eventParm = parm;
        eventFrames = EVENT_FRAMES;
    }

    /** Ends an event that is over, once each server frame. Returns whether one was. */
    public boolean endEvent() {
        if (event == 0 || --eventFrames >= 0) {
            return false;
        }
        event = 0;
        eventParm = 0;
        return true;
    }

    /**
     * Gives quad damage for some seconds more. Those of the clock are full ones.
     *
     * @return when it ends, milliseconds of server time
     */
    public int addQuad(int time, int seconds) {
        quadUntil =
                Math.max(quadUntil, time / MILLIS_PER_SECOND * MILLIS_PER_SECOND)
                        + seconds * MILLIS_PER_SECOND;
        return quadUntil;
    }

    /** Ends its quad damage if that is over. Returns whether it was. */
    public boolean endQuad(int time) {
        if (quadUntil == 0 || time < quadUntil) {
            return false;
        }
        quadUntil = 0;
        return true;
    }

    /** Takes its quad damage away. */
    public void clearQuad() {
        quadUntil = 0;
    }

    public int quadUntil() {
        return quadUntil;
    }

    /** Begins a life: without armour, damage and events. */
    public void begin() {
        quadUntil = 0;
        event = 0;
        eventParm = 0;
        armour = 0;
        deadYaw = 0;
        feedback.clear();
    }

    public int team() {
        return team;
    }

    public int score() {
        return score;
    }

    public int rank() {
        return rank;
    }

    public int hits() {
        return hits;
    }

    public int attacker() {
        return attacker;
    }

    public int attackeeArmour() {
        return attackeeArmour;
    }

    public int deaths() {
        return deaths;
    }

    public int deadYaw() {
        return deadYaw;
    }

    public int event() {
        return event;
    }

    public int eventParm() {
        return eventParm;
    }
}

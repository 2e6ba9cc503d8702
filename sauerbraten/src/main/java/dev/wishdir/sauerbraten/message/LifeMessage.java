package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.measured;
import static dev.wishdir.sauerbraten.message.CubeWire.named;

import dev.wishdir.wire.Wire;

import java.util.List;

/** Spawning, damage and death. */
public sealed interface LifeMessage extends SauerbratenMessage {
    /** {@code N_SUICIDE}: the client ends its life. */
    record Suicide() implements LifeMessage {
        public static final Suicide BLANK = new Suicide();

        public static Suicide wire(Wire w, Suicide m) {
            return BLANK;
        }
    }

    /**
     * {@code N_DIED}: a player died.
     *
     * @param actor that killed it, possibly the victim itself
     * @param frags score of the actor now
     * @param teamfrags score of the actor's team now, 0 if it has none
     */
    record Died(int victim, int actor, int frags, int teamfrags) implements LifeMessage {
        public static final Died BLANK = new Died(0, 0, 0, 0);

        public static Died wire(Wire w, Died m) {
            int victim = integer(w, "victim", m.victim);
            int actor = integer(w, "actor", m.actor);
            int frags = integer(w, "frags", m.frags);
            int teamfrags = integer(w, "teamfrags", m.teamfrags);
            return new Died(victim, actor, frags, teamfrags);
        }
    }

    /**
     * {@code N_DAMAGE}: a player was hit and survived.
     *
     * @param armour of the target now
     * @param health of the target now
     */
    record Damage(int target, int actor, int damage, int armour, int health)
            implements LifeMessage {
        public static final Damage BLANK = new Damage(0, 0, 0, 0, 0);

        public static Damage wire(Wire w, Damage m) {
            int target = integer(w, "target", m.target);
            int actor = integer(w, "actor", m.actor);
            int damage = integer(w, "damage", m.damage);
            int armour = integer(w, "armour", m.armour);
            int health = integer(w, "health", m.health);
            return new Damage(target, actor, damage, armour, health);
        }
    }

    /** {@code N_HITPUSH}: a hit pushes its target; sent to the target's owner. */
    record HitPush(int target, int gun, int damage, Heading dir) implements LifeMessage {
        public static final HitPush BLANK = new HitPush(0, 0, 0, Heading.BLANK);

        public static HitPush wire(Wire w, HitPush m) {
            int target = integer(w, "target", m.target);
            int gun = named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
            int damage = integer(w, "damage", m.damage);
            Heading dir = Heading.wire(w, "dir", m.dir);
            return new HitPush(target, gun, damage, dir);
        }
    }

    /** {@code N_TRYSPAWN}: the client requests to spawn. */
    record TrySpawn() implements LifeMessage {
        public static final TrySpawn BLANK = new TrySpawn();

        public static TrySpawn wire(Wire w, TrySpawn m) {
            return BLANK;
        }
    }

    /** {@code N_SPAWNSTATE}: the client must spawn, at a place of its choice. */
    record SpawnState(int cn, State state) implements LifeMessage {
        public static final SpawnState BLANK = new SpawnState(0, State.BLANK);

        public static SpawnState wire(Wire w, SpawnState m) {
            int cn = integer(w, "cn", m.cn);
            State state = State.wire(w, m.state);
            return new SpawnState(cn, state);
        }
    }

    /** {@code N_SPAWN} from a client: it has spawned with its {@link SpawnState}. */
    record ClientSpawn(int lifeseq, int gun) implements LifeMessage {
        public static final ClientSpawn BLANK = new ClientSpawn(0, 0);

        public static ClientSpawn wire(Wire w, ClientSpawn m) {
            int lifeseq = integer(w, "lifeseq", m.lifeseq);
            int gun = named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
            return new ClientSpawn(lifeseq, gun);
        }
    }

    /** {@code N_SPAWN} inside {@link RelayMessage.Client}: a player has spawned. */
    record Spawn(State state) implements LifeMessage {
        public static final Spawn BLANK = new Spawn(State.BLANK);

        public static Spawn wire(Wire w, Spawn m) {
            return new Spawn(State.wire(w, m.state));
        }
    }

    /** {@code N_FORCEDEATH}: the client is dead until the mode lets it spawn. */
    record ForceDeath(int cn) implements LifeMessage {
        public static final ForceDeath BLANK = new ForceDeath(0);

        public static ForceDeath wire(Wire w, ForceDeath m) {
            return new ForceDeath(integer(w, "cn", m.cn));
        }
    }

    /** {@code N_RESUME}: scores and states of players that joined before. */
    record Resume(List<Score> players) implements LifeMessage {
        public static final Resume BLANK = new Resume(List.of());

        public static Resume wire(Wire w, Resume m) {
            List<Score> players =
                    CubeWire.untilMinusOne(
                            w, "players", "cn", m.players, Score::cn, Score.BLANK, Score::wire);
            return new Resume(players);
        }

        /** The walk of protocol 259: without deaths. */
        public static Resume wire259(Wire w, Resume m) {
            return new Resume(
                    CubeWire.untilMinusOne(
                            w, "players", "cn", m.players, Score::cn, Score.BLANK, Score::wire259));
        }

        public Resume {
            players = List.copyOf(players);
        }
    }

    /**
     * A player's score and state.
     *
     * @param state 0 alive, 1 dead, 2 spawning, 3 lagged, 4 editing, 5 spectator
     * @param deaths 0 in protocol 259, which does not send them
     */
    record Score(int cn, int state, int frags, int flags, int deaths, int quadmillis, State body) {
        public static final Score BLANK = new Score(0, 0, 0, 0, 0, 0, State.BLANK);

        static Score wire(Wire w, int cn, Score m) {
            int state = named(w, "state", m.state, 0, ProtocolNames.STATES);
            int frags = integer(w, "frags", m.frags);
            int flags = integer(w, "flags", m.flags);
            int deaths = integer(w, "deaths", m.deaths);
            int quadmillis = measured(w, "quadmillis", m.quadmillis, "ms");
            return new Score(cn, state, frags, flags, deaths, quadmillis, State.wire(w, m.body));
        }

        static Score wire259(Wire w, int cn, Score m) {
            int state = named(w, "state", m.state, 0, ProtocolNames.STATES);
            int frags = integer(w, "frags", m.frags);
            int flags = integer(w, "flags", m.flags);
            int quadmillis = measured(w, "quadmillis", m.quadmillis, "ms");
            return new Score(cn, state, frags, flags, 0, quadmillis, State.wire(w, m.body));
        }
    }
}

package dev.wishdir.sauerbraten.server.view;

import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.motion.Movement;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.PlayerModel;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The players without a session at this endpoint: those of other games, nodes and recordings. The
 * server plays their part; each client knows them by its own numbers.
 */
public final class ForeignPlayers {
    /** The name of this game's form of movement, {@code N_POS} of protocol 260. */
    public static final String FORM = SauerbratenCodec.MOVEMENT_FORM;

    private static final int CODE = 4;
    private static final int LIFE_BIT = 8;

    /** All lives of a foreign player have the same number: after its end it does not move. */
    public static final int LIFESEQ = 0;

    /** Rounds of each gun, which are not known. Clients show a number, less one for each shot. */
    private static final int UNKNOWN_ROUNDS = 999;

    private static final State BODY =
            new State(
                    LIFESEQ,
                    100,
                    100,
                    25,
                    0,
                    Weapon.FIST.number(),
                    Collections.nCopies(6, UNKNOWN_ROUNDS));

    /** A foreign player as this game shows it. */
    public static final class ForeignPlayer {
        public final PlayerId id;

        /** The lowest number, from 0, that no other foreign player has. */
        public final int slot;

        /** The gun that clients are shown: a fist leaves no trace. */
        private Weapon gun = Weapon.FIST;

        private int ping;
        private @Nullable Player last;

        private ForeignPlayer(PlayerId id, int slot) {
            this.id = id;
            this.slot = slot;
        }

        /**
         * Sets the gun that clients are shown with the next shots. Missiles have the server's
         * flight, which this game's clients do not draw: their guns show none.
         */
        public void arm(Weapon nearest) {
            gun = nearest.hasProjectile() ? Weapon.FIST : nearest;
        }

        /** Whether the player is as it was when this was last asked. */
        @SuppressWarnings("ReferenceEquality") // the arena gives one object until a player changes
        public boolean standsStill(Player now) {
            boolean same = last == now;
            last = now;
            return same;
        }

        /** The round trip that clients were sent, milliseconds. */
        public int ping() {
            return ping;
        }

        /** Sets the round trip; returns whether it has changed. */
        public boolean updatePing(int millis) {
            boolean other = ping != millis;
            ping = millis;
            return other;
        }
    }

    private final RunningLevel geometry;
    private final Map<PlayerId, ForeignPlayer> byPlayer = new LinkedHashMap<>();
    private final BitSet slots = new BitSet();

    public ForeignPlayers(RunningLevel geometry) {
        this.geometry = geometry;
    }

    /** The conversion with which their positions are encoded. */
    SauerbratenMotion motion() {
        return geometry.motion();
    }

    public Collection<ForeignPlayer> all() {
        return byPlayer.values();
    }

    public @Nullable ForeignPlayer find(PlayerId playerId) {
        return byPlayer.get(playerId);
    }

    /** The foreign player with an id, added if new. */
    public ForeignPlayer findOrAdd(PlayerId playerId) {
        ForeignPlayer known = byPlayer.get(playerId);
        if (known != null) {
            return known;
        }
        int slot = slots.nextClearBit(0);
        slots.set(slot);
        ForeignPlayer added = new ForeignPlayer(playerId, slot);
        byPlayer.put(playerId, added);
        return added;
    }

    public @Nullable ForeignPlayer remove(PlayerId playerId) {
        ForeignPlayer removed = byPlayer.remove(playerId);
        if (removed != null) {
            slots.clear(removed.slot);
        }
        return removed;
    }

    /**
     * The appearance of a foreign player.
     *
     * @param visible whether the client may see the body
     * @param vitals of its body, which followers see; those of any body if they are not known
     * @param board whose scores and teams it shows
     */
    public static PlayerAppearance appearance(
            Player player, boolean visible, Vitals vitals, MatchBoard board) {
        return new PlayerAppearance(
                player.id(),
                name(player),
                board.teamName(player.id()).orElseGet(() -> team(player.game())),
                PlayerAppearance.TEAM_REASON_NONE,
                PlayerModel.of(player.name()),
                visible && player.spawned() ? ClientState.ALIVE : ClientState.DEAD,
                vitals.health() > 0 ? CombatMessages.with(BODY, vitals) : BODY,
                board.score(player.id()),
                board.captures(player.id()));
    }

    /** The name of a player as clients of this game read it. */
    public static String name(Player player) {
        return CubeText.playerName(player.gameTag(SauerbratenCodec.GAME), player.name());
    }

    /** The team of all players of a game: its name, shortened so that all four differ. */
    static String team(String game) {
        int last = game.length() - 1;
        return last < CubeText.MAX_TEAM_CHARS
                ? game
                : game.substring(0, CubeText.MAX_TEAM_CHARS - 1) + game.charAt(last);
    }

    /** The message for an action of the player with this number. */
    public SauerbratenMessage actionMessage(int cn, Player player, PlayerAction action) {
        return switch (action) {
            case ATTACK -> {
                Movement m = player.movement();
                ForeignPlayer foreign = find(player.id());
                Weapon gun = foreign == null ? Weapon.FIST : foreign.gun;
                yield new ActionMessage.ShotFx(
                        cn, gun.number(), 0, motion().ahead(m, 0), motion().ahead(m, gun.range));
            }
            case TAUNT -> PlayerAppearance.from(cn, new ActionMessage.Taunt());
        };
    }

    /** Whether a position has its number in the second byte, where it can be replaced. */
    public static boolean isPlain(Bytes position, int cn) {
        return position.get(0) == CODE && position.get(1) == cn;
    }

    /** The position of a client of this endpoint in its own bytes; empty before the first. */
    static Bytes nativePosition(Player client) {
        NativeMovement movement = client.nativeMovement();
        return movement.form().equals(FORM) ? movement.bytes() : Bytes.EMPTY;
    }

    /** A player's position, the same for all clients but for the number in its second byte. */
    Bytes position(Player player) {
        Bytes own = ownPosition(player.nativeMovement());
        return own.length() > 0
                ? own
                : SauerbratenCodec.V260.packet(
                        motion().toNative(player.movement(), 0, BODY.lifeseq()));
    }

    /**
     * A position in this game's own bytes, in the foreign player's life; empty for another form.
     */
    private static Bytes ownPosition(NativeMovement movement) {
        Bytes bytes = movement.bytes();
        if (!movement.form().equals(FORM)
                || bytes.length() < 3
                || !isPlain(bytes, bytes.get(1))
                || bytes.get(1) < 0) {
            return Bytes.EMPTY;
        }
        try {
            Reader reader = new Reader(bytes);
            SauerbratenCodec.V260.read(Direction.S2C, reader);
            if (reader.remaining() > 0) {
                return Bytes.EMPTY;
            }
        } catch (MalformedPacketException e) {
            return Bytes.EMPTY;
        }
        byte[] stamped = bytes.toArray();
        stamped[1] = 0;
        stamped[2] = (byte) (stamped[2] & ~LIFE_BIT | (BODY.lifeseq() & 1) * LIFE_BIT);
        return Bytes.wrap(stamped);
    }
}

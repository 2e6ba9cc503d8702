package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.PlayerModel;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Dissector.Direction;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The foreign players: of other games, other nodes or recordings, shown as bodies for which the
 * server speaks. Each client has its own numbers for them.
 */
final class ForeignPlayers {
    /** Form of this game's native movement: {@code N_POS} of protocol 260. */
    static final String FORM = "sauerbraten/260";

    private static final int POS_CODE = 4;
    private static final int LIFE_BIT = 8;

    /** A weapon whose shots leave no trace, for bodies of other games. */
    private static final int FIST = 0;

    /** All lives of a foreign player have the same number, as it does not move after its death. */
    private static final State BODY = SauerbratenMode.COOP_EDIT.spawnState(0);

    /** A foreign player. */
    static final class Avatar {
        final PlayerId id;

        /** The lowest number, from 0, that no other has. */
        final int slot;

        private int ping;

        private Avatar(PlayerId id, int slot) {
            this.id = id;
            this.slot = slot;
        }

        /** The ping that clients were sent. */
        int ping() {
            return ping;
        }

        /**
         * Sets the ping.
         *
         * @return whether it changed
         */
        boolean pinged(int millis) {
            boolean other = ping != millis;
            ping = millis;
            return other;
        }
    }

    private SauerbratenMotion motion;
    private final Map<PlayerId, Avatar> byPlayer = new LinkedHashMap<>();
    private final BitSet slots = new BitSet();

    ForeignPlayers(SauerbratenMotion motion) {
        this.motion = motion;
    }

    /** Sets the conversion of the coordinates of the current map. */
    void locate(SauerbratenMotion other) {
        motion = other;
    }

    Collection<Avatar> all() {
        return byPlayer.values();
    }

    @Nullable Avatar find(PlayerId player) {
        return byPlayer.get(player);
    }

    Avatar of(PlayerId player) {
        Avatar existing = byPlayer.get(player);
        if (existing != null) {
            return existing;
        }
        int slot = slots.nextClearBit(0);
        slots.set(slot);
        Avatar avatar = new Avatar(player, slot);
        byPlayer.put(player, avatar);
        return avatar;
    }

    @Nullable Avatar remove(PlayerId player) {
        Avatar avatar = byPlayer.remove(player);
        if (avatar != null) {
            slots.clear(avatar.slot);
        }
        return avatar;
    }

    /**
     * The appearance of a player.
     *
     * @param inSight whether the client sees its body
     */
    static PlayerAppearance look(Player player, boolean inSight) {
        return new PlayerAppearance(
                player.id(),
                name(player),
                team(player.game()),
                SauerbratenSession.SILENTLY,
                PlayerModel.of(player.name()),
                inSight && player.spawned() ? Presence.ALIVE : Presence.DEAD,
                BODY);
    }

    /** The name of a player as clients of this game read it, with the tag of its game. */
    static String name(Player player) {
        return CubeText.playerName(player.gameTag(SauerbratenCodec.GAME), player.name());
    }

    /**
     * The team of all players of a game: its name, shortened so that it differs from the others.
     */
    static String team(String game) {
        int last = game.length() - 1;
        return last < CubeText.MAX_TEAM_CHARS
                ? game
                : game.substring(0, CubeText.MAX_TEAM_CHARS - 1) + game.charAt(last);
    }

    /** The message that shows an action of a player with a number. */
    SauerbratenMessage act(int cn, Player player, PlayerAction action) {
        return switch (action) {
            case ATTACK -> {
                Movement m = player.movement();
                yield new ActionMessage.ShotFx(
                        cn, FIST, 0, motion.ahead(m, 0), motion.ahead(m, SauerbratenMotion.REACH));
            }
            case TAUNT -> PlayerAppearance.from(cn, new ActionMessage.Taunt());
        };
    }

    /** Whether a position has its number in the second byte, where it can be replaced. */
    static boolean isPlain(Bytes position, int cn) {
        return position.get(0) == POS_CODE && position.get(1) == cn;
    }

    /** The newest position of a client of this endpoint, in its own bytes; empty for none. */
    static Bytes live(Player client) {
        NativeMovement movement = client.nativeMovement();
        return movement.form().equals(FORM) ? movement.bytes() : Bytes.EMPTY;
    }

    /** A player's position, the same for all clients except for the number in its second byte. */
    Bytes position(Player player) {
        Bytes own = ownPosition(player.nativeMovement());
        return own.length() > 0
                ? own
                : SauerbratenCodec.V260.packet(
                        motion.toNative(player.movement(), 0, BODY.lifeseq()));
    }

    /** A position in this game's own form, with the avatar's life; empty for any other. */
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

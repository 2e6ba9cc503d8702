package dev.wishdir.sauerbraten;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.SauerbratenSession.Presence;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The players of other games, as bodies with client numbers that the server speaks for. */
final class SauerbratenAvatars {
    /** How often one is shown to move: as often as the game's own do. */
    private static final long INTERVAL = 30_000_000;

    private static final int LONGEST_POSITION = 32;

    /** The models that every client has. */
    private static final int MODELS = 5;

    /** All lives of one have the same number: it moves in none after its end. */
    private static final State BODY = SauerbratenMode.COOP_EDIT.spawnState(0);

    private static final class Avatar {
        final Player player;
        final int cn;
        boolean moved;
        long shown;

        Avatar(Player player, int cn) {
            this.player = player;
            this.cn = cn;
        }
    }

    private final SauerbratenMotion motion;
    private final @Nullable Avatar[] byNumber = new @Nullable Avatar[SauerbratenRoom.NUMBERS];
    private final SequencedMap<PlayerId, Avatar> byPlayer = new LinkedHashMap<>();
    private boolean moved;

    SauerbratenAvatars(SauerbratenMotion motion) {
        this.motion = motion;
    }

    boolean has(int cn) {
        return byNumber[cn] != null;
    }

    /** The number of a player; -1 if it has none. */
    int number(Player player) {
        Avatar avatar = byPlayer.get(player.id());
        return avatar == null ? -1 : avatar.cn;
    }

    void add(Player player, int cn) {
        Avatar avatar = new Avatar(player, cn);
        byPlayer.put(player.id(), avatar);
        byNumber[cn] = avatar;
        moved(player);
    }

    void remove(PlayerId who) {
        Avatar avatar = byPlayer.remove(who);
        if (avatar != null) {
            byNumber[avatar.cn] = null;
        }
    }

    /** Frees the number that was given last, and gives it; -1 if there is none. */
    int removeLast() {
        if (byPlayer.isEmpty()) {
            return -1;
        }
        Avatar last = byPlayer.lastEntry().getValue();
        remove(last.player.id());
        return last.cn;
    }

    /** What clients are shown of a number; null where no player of another game has it. */
    @Nullable Look look(int cn) {
        Avatar avatar = byNumber[cn];
        if (avatar == null || !avatar.player.isHere()) {
            return null;
        }
        Player player = avatar.player;
        return new Look(
                player.id(),
                CubeText.playerName(player.name()),
                team(player.game()),
                SauerbratenSession.SILENTLY,
                model(player.name()),
                player.spawned() ? Presence.ALIVE : Presence.DEAD,
                BODY);
    }

    /** The model of a player, steady for its name. */
    static int model(String name) {
        return Math.floorMod(name.hashCode(), MODELS);
    }

    /** The team of all players of a game: as much of its name as tells it from the others. */
    static String team(String game) {
        int last = game.length() - 1;
        return last < CubeText.MAX_TEAM
                ? game
                : game.substring(0, CubeText.MAX_TEAM - 1) + game.charAt(last);
    }

    /** A player is somewhere else than it was shown. */
    void moved(Player player) {
        Avatar avatar = byPlayer.get(player.id());
        if (avatar != null && player.spawned()) {
            avatar.moved = true;
            moved = true;
        }
    }

    /**
     * Adds the positions that are due.
     *
     * @return when the next one is
     */
    long positions(long now, Parts parts) {
        if (!moved) {
            return Long.MAX_VALUE;
        }
        long next = Long.MAX_VALUE;
        moved = false;
        for (Avatar avatar : byPlayer.values()) {
            if (!avatar.player.spawned()) {
                avatar.moved = false;
            } else if (avatar.moved && (now - avatar.shown >= INTERVAL || now < avatar.shown)) {
                avatar.moved = false;
                avatar.shown = now;
                parts.add(avatar.cn, position(avatar));
            } else if (avatar.moved) {
                moved = true;
                next = Math.min(next, avatar.shown + INTERVAL);
            }
        }
        return next;
    }

    private Bytes position(Avatar avatar) {
        Writer writer = new Writer(LONGEST_POSITION);
        SauerbratenCodec.V260.write(
                writer, motion.toNative(avatar.player.movement(), avatar.cn, BODY.lifeseq()));
        return writer.toBytes();
    }
}

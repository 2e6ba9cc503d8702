package dev.wishdir.quake3.client;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Frame;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The fight by a client's snapshots and commands: health, hits, deaths, scores. */
final class FightTracker {
    private static final int HEALTH = 0;
    private static final int SCORE = 0;
    private static final int SPAWN_COUNT = 4;
    private static final int ATTACKER = 6;

    /** The entity of an obituary: 13 and the number of the event. */
    private static final int ET_OBITUARY = 13 + 60;

    private static final int ET_ITEM = 2;

    /** From the base of an item to its origin. */
    private static final int ITEM_BASE_UNITS = 15;

    /** Health above this goes down by itself. */
    private static final int MAX_HEALTH = 100;

    private static final int ENTITIES = 1 << EntityState.NUMBER_BITS;
    private static final int MAX_WORDS = 4_096;

    private final Client self;
    private final ClientListener listener;
    private final Map<Long, Integer> frags = new HashMap<>();
    private List<Vec3> items = List.of();
    private BitSet obituaries = new BitSet(ENTITIES);
    private PlayerState player = PlayerState.ZERO;

    FightTracker(Client self, ClientListener listener) {
        this.self = self;
        this.listener = listener;
    }

    /** The health of the client's body; empty without one. */
    OptionalDouble health(boolean body) {
        int health = player.get(PlayerArray.STATS, HEALTH);
        return body && health > 0 ? OptionalDouble.of(health) : OptionalDouble.empty();
    }

    /** The scores on the board, the client's own as in its newest snapshot. */
    Map<Long, Integer> frags() {
        return Map.copyOf(frags);
    }

    /** The places of the items in the newest snapshot, metres. */
    List<Vec3> items() {
        return items;
    }

    /** Forgets everything: another level. */
    void forget() {
        items = List.of();
        frags.clear();
        obituaries.clear();
        player = PlayerState.ZERO;
    }

    /**
     * Reports what a frame of the own player shows.
     *
     * @return whether a player has died, so that the board has changed
     */
    boolean frame(Frame frame) {
        PlayerState before = player;
        player = frame.player();
        frags.put(self.id(), player.get(PlayerArray.PERSISTANT, SCORE));
        boolean sameLife =
                before.get(PlayerArray.PERSISTANT, SPAWN_COUNT)
                        == player.get(PlayerArray.PERSISTANT, SPAWN_COUNT);
        int was = before.get(PlayerArray.STATS, HEALTH);
        int lost = was - player.get(PlayerArray.STATS, HEALTH);
        boolean aged = lost == 1 && was > MAX_HEALTH;
        if (sameLife && was > 0 && lost > 0 && !aged) {
            int attacker = player.get(PlayerArray.PERSISTANT, ATTACKER);
            listener.onHit(
                    self,
                    self.id(),
                    attacker < EntityState.MAX_CLIENTS ? attacker : self.id(),
                    lost,
                    player.get(PlayerArray.STATS, HEALTH));
        }
        items = items(frame);
        return obituaries(frame);
    }

    private static List<Vec3> items(Frame frame) {
        List<Vec3> found = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            if (entity.get(EntityField.E_TYPE) == ET_ITEM && !FlagTracker.isFlag(entity)) {
                found.add(
                        new Vec3(
                                        entity.real(EntityField.POS_TR_BASE_0),
                                        entity.real(EntityField.POS_TR_BASE_1),
                                        entity.real(EntityField.POS_TR_BASE_2) - ITEM_BASE_UNITS)
                                .times(1 / Quake3Motion.SCALE));
            }
        }
        return List.copyOf(found);
    }

    private boolean obituaries(Frame frame) {
        BitSet present = new BitSet(ENTITIES);
        boolean died = false;
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            if (entity.get(EntityField.E_TYPE) != ET_OBITUARY) {
                continue;
            }
            present.set(frame.number(i));
            if (!obituaries.get(frame.number(i))) {
                int victim = entity.get(EntityField.OTHER_ENTITY_NUM);
                int killer = entity.get(EntityField.OTHER_ENTITY_NUM2);
                died = true;
                listener.onDeath(self, victim, killer < EntityState.MAX_CLIENTS ? killer : victim);
            }
        }
        obituaries = present;
        return died;
    }

    /**
     * Takes the {@code scores} command: the number of players, two scores of teams, in OpenArena
     * the start of the round, then a row of 14 numbers for each player, in OpenArena of 15.
     */
    void scores(List<String> words) {
        if (words.size() < 4
                || words.size() > MAX_WORDS
                || words.stream().skip(1).anyMatch(word -> !word.matches("-?\\d{1,9}"))) {
            return;
        }
        int count = Integer.parseInt(words.get(1));
        for (int[] form : new int[][] {{4, 14}, {5, 15}}) {
            if (count > 0 && words.size() == form[0] + count * form[1]) {
                frags.clear();
                for (int row = form[0]; row < words.size(); row += form[1]) {
                    frags.put(Long.parseLong(words.get(row)), Integer.parseInt(words.get(row + 1)));
                }
                return;
            }
        }
    }
}

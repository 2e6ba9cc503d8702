package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

/** Bots that are run by a client. */
public sealed interface BotMessage extends SauerbratenMessage {
    /** {@code N_ADDBOT}: the client requests a bot; its skill is 1..101, -1 any. */
    record AddBot(int skill) implements BotMessage {
        public static final AddBot BLANK = new AddBot(0);

        public static AddBot wire(Wire w, AddBot m) {
            return new AddBot(integer(w, "skill", m.skill));
        }
    }

    /** {@code N_DELBOT}: the client removes a bot. */
    record DelBot() implements BotMessage {
        public static final DelBot BLANK = new DelBot();

        public static DelBot wire(Wire w, DelBot m) {
            return BLANK;
        }
    }

    /**
     * {@code N_INITAI}: a new bot, or a new owner of one.
     *
     * @param cn 128 and up
     * @param owner the client that runs it
     * @param aitype 1 is a bot
     */
    record InitAi(int cn, int owner, int aitype, int skill, int model, String name, String team)
            implements BotMessage {
        public static final InitAi BLANK = new InitAi(0, 0, 0, 0, 0, "", "");

        public static InitAi wire(Wire w, InitAi m) {
            int cn = integer(w, "cn", m.cn);
            int owner = integer(w, "owner", m.owner);
            int aitype = integer(w, "aitype", m.aitype);
            int skill = integer(w, "skill", m.skill);
            int model = integer(w, "model", m.model);
            String name = string(w, "name", m.name);
            String team = string(w, "team", m.team);
            return new InitAi(cn, owner, aitype, skill, model, name, team);
        }
    }

    /** {@code N_BOTLIMIT}: the client limits the number of bots. */
    record BotLimit(int limit) implements BotMessage {
        public static final BotLimit BLANK = new BotLimit(0);

        public static BotLimit wire(Wire w, BotLimit m) {
            return new BotLimit(integer(w, "limit", m.limit));
        }
    }

    /** {@code N_BOTBALANCE}: the client turns team balancing by bots on or off. */
    record BotBalance(boolean balance) implements BotMessage {
        public static final BotBalance BLANK = new BotBalance(false);

        public static BotBalance wire(Wire w, BotBalance m) {
            return new BotBalance(bool(w, "balance", m.balance));
        }
    }
}

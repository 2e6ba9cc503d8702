package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Wire;

import java.util.List;

/** The collect modes: tokens, and the bases that they are brought to. */
public sealed interface TokenMessage extends SauerbratenMessage {
    /** {@code N_INITTOKENS} from a client: the bases of its map. */
    record ClientInitTokens(List<Placed> bases) implements TokenMessage {
        public static final ClientInitTokens BLANK = new ClientInitTokens(List.of());

        public static ClientInitTokens wire(Wire w, ClientInitTokens m) {
            return new ClientInitTokens(
                    CubeWire.counted(
                            w, "bases", CubeWire.MAX_LIST, m.bases, Placed.BLANK, Placed::wire));
        }

        public ClientInitTokens {
            bases = List.copyOf(bases);
        }
    }

    /** {@code N_INITTOKENS}: the tokens on the ground and those that players carry. */
    record InitTokens(int score1, int score2, List<DroppedToken> tokens, List<Carried> carried)
            implements TokenMessage {
        public static final InitTokens BLANK = new InitTokens(0, 0, List.of(), List.of());

        public static InitTokens wire(Wire w, InitTokens m) {
            int score1 = integer(w, "score1", m.score1);
            int score2 = integer(w, "score2", m.score2);
            List<DroppedToken> tokens =
                    CubeWire.counted(
                            w,
                            "tokens",
                            CubeWire.MAX_LIST,
                            m.tokens,
                            DroppedToken.BLANK,
                            DroppedToken::wire);
            List<Carried> carried =
                    CubeWire.untilMinusOne(
                            w,
                            "carried",
                            "cn",
                            m.carried,
                            Carried::cn,
                            Carried.BLANK,
                            Carried::wire);
            return new InitTokens(score1, score2, tokens, carried);
        }

        public InitTokens {
            tokens = List.copyOf(tokens);
            carried = List.copyOf(carried);
        }
    }

    /** {@code N_TAKETOKEN} from a client: it touches a token. */
    record ClientTakeToken(int id) implements TokenMessage {
        public static final ClientTakeToken BLANK = new ClientTakeToken(0);

        public static ClientTakeToken wire(Wire w, ClientTakeToken m) {
            return new ClientTakeToken(integer(w, "id", m.id));
        }
    }

    /**
     * {@code N_TAKETOKEN}: a player has taken a token.
     *
     * @param total number that the player carries now
     */
    record TakeToken(int cn, int id, int total) implements TokenMessage {
        public static final TakeToken BLANK = new TakeToken(0, 0, 0);

        public static TakeToken wire(Wire w, TakeToken m) {
            int cn = integer(w, "cn", m.cn);
            int id = integer(w, "id", m.id);
            int total = integer(w, "total", m.total);
            return new TakeToken(cn, id, total);
        }
    }

    /** {@code N_EXPIRETOKENS}: tokens have expired. */
    record ExpireTokens(List<Integer> ids) implements TokenMessage {
        public static final ExpireTokens BLANK = new ExpireTokens(List.of());

        public static ExpireTokens wire(Wire w, ExpireTokens m) {
            List<Integer> ids =
                    CubeWire.untilMinusOne(
                            w, "ids", "id", m.ids, id -> id, 0, (wire, id, blank) -> id);
            return new ExpireTokens(ids);
        }

        public ExpireTokens {
            ids = List.copyOf(ids);
        }
    }

    /** {@code N_DROPTOKENS}: a player has lost tokens. */
    record DropTokens(int cn, Point o, List<Dropped> tokens) implements TokenMessage {
        public static final DropTokens BLANK = new DropTokens(0, Point.BLANK, List.of());

        public static DropTokens wire(Wire w, DropTokens m) {
            int cn = integer(w, "cn", m.cn);
            Point o = Point.wire(w, "o", m.o);
            List<Dropped> tokens =
                    CubeWire.untilMinusOne(
                            w, "tokens", "id", m.tokens, Dropped::id, Dropped.BLANK, Dropped::wire);
            return new DropTokens(cn, o, tokens);
        }

        public DropTokens {
            tokens = List.copyOf(tokens);
        }
    }

    /** {@code N_DEPOSITTOKENS} from a client: it brings its tokens to a base. */
    record ClientDepositTokens(int id) implements TokenMessage {
        public static final ClientDepositTokens BLANK = new ClientDepositTokens(0);

        public static ClientDepositTokens wire(Wire w, ClientDepositTokens m) {
            return new ClientDepositTokens(integer(w, "id", m.id));
        }
    }

    /**
     * {@code N_DEPOSITTOKENS}: a player has brought tokens to a base.
     *
     * @param flags total of the player
     */
    record DepositTokens(int cn, int base, int deposited, int team, int score, int flags)
            implements TokenMessage {
        public static final DepositTokens BLANK = new DepositTokens(0, 0, 0, 0, 0, 0);

        public static DepositTokens wire(Wire w, DepositTokens m) {
            int cn = integer(w, "cn", m.cn);
            int base = integer(w, "base", m.base);
            int deposited = integer(w, "deposited", m.deposited);
            int team = integer(w, "team", m.team);
            int score = integer(w, "score", m.score);
            int flags = integer(w, "flags", m.flags);
            return new DepositTokens(cn, base, deposited, team, score, flags);
        }
    }

    /** {@code N_STEALTOKENS}: a player has stolen tokens from a base. */
    record StealTokens(
            int cn, int team, int base, int enemyteam, int score, Point o, List<Stolen> tokens)
            implements TokenMessage {
        public static final StealTokens BLANK =
                new StealTokens(0, 0, 0, 0, 0, Point.BLANK, List.of());

        public static StealTokens wire(Wire w, StealTokens m) {
            int cn = integer(w, "cn", m.cn);
            int team = integer(w, "team", m.team);
            int base = integer(w, "base", m.base);
            int enemyteam = integer(w, "enemyteam", m.enemyteam);
            int score = integer(w, "score", m.score);
            Point o = Point.wire(w, "o", m.o);
            List<Stolen> tokens =
                    CubeWire.untilMinusOne(
                            w, "tokens", "id", m.tokens, Stolen::id, Stolen.BLANK, Stolen::wire);
            return new StealTokens(cn, team, base, enemyteam, score, o, tokens);
        }

        public StealTokens {
            tokens = List.copyOf(tokens);
        }
    }

    /** A base of a map. */
    record Placed(int team, Point o) {
        public static final Placed BLANK = new Placed(0, Point.BLANK);

        public static Placed wire(Wire w, Placed m) {
            int team = integer(w, "team", m.team);
            Point o = Point.wire(w, "o", m.o);
            return new Placed(team, o);
        }
    }

    /** A token on the ground. */
    record DroppedToken(int id, int team, int yaw, Point o) {
        public static final DroppedToken BLANK = new DroppedToken(0, 0, 0, Point.BLANK);

        public static DroppedToken wire(Wire w, DroppedToken m) {
            int id = integer(w, "id", m.id);
            int team = integer(w, "team", m.team);
            int yaw = integer(w, "yaw", m.yaw);
            Point o = Point.wire(w, "o", m.o);
            return new DroppedToken(id, team, yaw, o);
        }
    }

    /** The number of tokens that a player carries. */
    record Carried(int cn, int tokens) {
        public static final Carried BLANK = new Carried(0, 0);

        static Carried wire(Wire w, int cn, Carried m) {
            return new Carried(cn, integer(w, "tokens", m.tokens));
        }
    }

    /** A token that a player lost. */
    record Dropped(int id, int team, int yaw) {
        public static final Dropped BLANK = new Dropped(0, 0, 0);

        static Dropped wire(Wire w, int id, Dropped m) {
            int team = integer(w, "team", m.team);
            int yaw = integer(w, "yaw", m.yaw);
            return new Dropped(id, team, yaw);
        }
    }

    /** A token stolen from a base. */
    record Stolen(int id, int yaw) {
        public static final Stolen BLANK = new Stolen(0, 0);

        static Stolen wire(Wire w, int id, Stolen m) {
            return new Stolen(id, integer(w, "yaw", m.yaw));
        }
    }
}

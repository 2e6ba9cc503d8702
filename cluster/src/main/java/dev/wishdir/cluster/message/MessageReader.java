package dev.wishdir.cluster.message;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;

import dev.wishdir.arena.event.Player;
import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.Subjects;
import dev.wishdir.cluster.v1.Ban;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.cluster.v1.PlayerOrder;
import dev.wishdir.cluster.v1.RemoteHit;
import dev.wishdir.cluster.v1.Roster;
import dev.wishdir.cluster.v1.RosterRequest;
import dev.wishdir.motion.Movement;
import dev.wishdir.record.message.MessageDecoder;
import dev.wishdir.record.v1.Move;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Reads the messages of other nodes, which may come from any program. Length and number of elements
 * are checked before an object is made of them, then that the node sends in its own name.
 */
public final class MessageReader {
    /** Maximum count of levels and rounds, so that the next one is always possible. */
    public static final long MAX_COUNT = 1L << 53;

    /** The version of the protocol; nodes with another one do not show each other's players. */
    public static final int MAJOR_VERSION = 1;

    /** Maximum length of a message, bytes: what NATS allows by default. */
    static final int MAX_BYTES = 1 << 20;

    /** Maximum number of players of a node. */
    public static final int MAX_PLAYERS = 4096;

    /** Maximum number of native forms of a node. */
    public static final int MAX_FORMS = 64;

    /** Maximum number of fields of a message, its forms included. */
    private static final int MAX_FIELDS = 256;

    /**
     * Maximum number of elements of a message: players, levels and forms of a snapshot, scores,
     * frags, hits and items.
     */
    private static final int MAX_ELEMENTS = 4 * MAX_PLAYERS;

    private static final int MAX_FORM_CHARS = 64;
    private static final int MAX_GAME_CHARS = 32;
    private static final int MAX_LEVEL_CHARS = 64;

    /** Far above what a game allows; a canonical movement is also scaled to other games' units. */
    private static final double MAX_SPEED_METRES_PER_SECOND = 1_000;

    private MessageReader() {}

    public static Batch batch(int from, byte[] data) throws NodeFaultException {
        check(data, Batch.MOVES_FIELD_NUMBER, Batch.ROUND_FIELD_NUMBER, Batch.READY_FIELD_NUMBER);
        Batch batch = parse(Batch.parser(), data, from, Batch::getHeader);
        if (batch.getMoves().getMovesCount() > MAX_PLAYERS
                || batch.getWatchersCount() > MAX_PLAYERS) {
            throw new NodeFaultException(NodeFault.TOO_MANY_PLAYERS);
        }
        checkForms(batch.getFormsList());
        for (Move move : batch.getMoves().getMovesList()) {
            if (move.getNode() != from) {
                throw new NodeFaultException(NodeFault.FOREIGN_PLAYER);
            }
        }
        return batch;
    }

    public static NumberedEvent event(int from, byte[] data) throws NodeFaultException {
        check(data);
        NumberedEvent event = parse(NumberedEvent.parser(), data, from, NumberedEvent::getHeader);
        checkForms(event.getFormsList());
        dev.wishdir.record.v1.Event happened = event.getEvent();
        boolean ownPlayer = !happened.hasId() || happened.getId().getNode() == from;
        boolean ownJoin =
                !happened.hasJoined()
                        || happened.getJoined().getPlayer().getId().equals(happened.getId());
        boolean ownHit = !event.hasHit() || isHitOf(from, event.getHit());
        if (!ownPlayer || !ownJoin || !ownHit) {
            throw new NodeFaultException(NodeFault.FOREIGN_PLAYER);
        }
        return event;
    }

    private static boolean isHitOf(int from, RemoteHit hit) {
        return hit.getEvent().getHit().getAttacker().getNode() == from;
    }

    public static Roster roster(int from, byte[] data) throws NodeFaultException {
        check(data, Roster.SNAPSHOT_FIELD_NUMBER, Roster.FIGHTS_FIELD_NUMBER);
        Roster roster = parse(Roster.parser(), data, from, Roster::getHeader);
        if (roster.getSnapshot().getPlayersCount() > MAX_PLAYERS) {
            throw new NodeFaultException(NodeFault.TOO_MANY_PLAYERS);
        }
        checkForms(roster.getSnapshot().getFormsList());
        for (dev.wishdir.record.v1.Player player : roster.getSnapshot().getPlayersList()) {
            if (player.getId().getNode() != from) {
                throw new NodeFaultException(NodeFault.FOREIGN_PLAYER);
            }
        }
        if (!roster.getFights().getHitsList().stream().allMatch(hit -> isHitOf(from, hit))) {
            throw new NodeFaultException(NodeFault.FOREIGN_PLAYER);
        }
        return roster;
    }

    public static RosterRequest request(int from, byte[] data) throws NodeFaultException {
        check(data);
        return parse(RosterRequest.parser(), data, from, RosterRequest::getHeader);
    }

    public static PlayerOrder order(int from, byte[] data) throws NodeFaultException {
        check(data);
        return parse(PlayerOrder.parser(), data, from, PlayerOrder::getHeader);
    }

    /** A movement with numbers that a player could have; empty otherwise. */
    public static Optional<Movement> movement(Move move) {
        return MessageDecoder.movement(move)
                .filter(movement -> movement.velocity().length() <= MAX_SPEED_METRES_PER_SECOND)
                .filter(movement -> movement.yaw() >= 0 && movement.yaw() < 360);
    }

    /** A player with an identity, game and movement that a player can have; empty otherwise. */
    public static Optional<Player> player(
            dev.wishdir.record.v1.Player message, List<String> forms) {
        String game = message.getGame();
        boolean named = !game.isEmpty() && isPrintable(game, MAX_GAME_CHARS);
        return named && message.getId().getNumber() > 0 && movement(message.getMove()).isPresent()
                ? MessageDecoder.player(message, forms)
                : Optional.empty();
    }

    /** Whether a level of another node can be one: a count that can still grow, and a name. */
    public static boolean isLevel(PlayedLevel level) {
        return level.getCount() >= 0
                && level.getCount() <= MAX_COUNT
                && (level.getCount() == 0 || Subjects.isNode(level.getNode()))
                && isLevelName(level.getName());
    }

    public static boolean isLevelName(String name) {
        return !name.isEmpty() && isPrintable(name, MAX_LEVEL_CHARS);
    }

    /** A ban that a server can apply; empty otherwise. */
    public static Optional<NodeBan> ban(Ban ban) {
        boolean valid =
                isPrintable(ban.getTarget(), NodeBan.MAX_TEXT_CHARS)
                        && !ban.getTarget().isEmpty()
                        && isPrintable(ban.getGame(), NodeBan.MAX_TEXT_CHARS)
                        && ban.getReason().length() <= NodeBan.MAX_TEXT_CHARS
                        && ban.getAuthor().length() <= NodeBan.MAX_TEXT_CHARS
                        && ban.getEndS() >= 0;
        return valid
                ? Optional.of(
                        new NodeBan(
                                ban.getTarget(),
                                ban.getGame(),
                                ban.getReason(),
                                ban.getAuthor(),
                                ban.getEndS()))
                : Optional.empty();
    }

    /** As {@link #ban}, from the bucket. */
    public static Optional<NodeBan> storedBan(byte[] data) {
        try {
            return data.length > Bucket.MAX_VALUE_BYTES
                    ? Optional.empty()
                    : ban(Ban.parseFrom(data));
        } catch (InvalidProtocolBufferException _) {
            return Optional.empty();
        }
    }

    private static void checkForms(List<String> forms) throws NodeFaultException {
        if (forms.size() > MAX_FORMS
                || !forms.stream().allMatch(form -> isPrintable(form, MAX_FORM_CHARS))) {
            throw new NodeFaultException(NodeFault.MALFORMED);
        }
    }

    /** Whether a text has only printable ASCII characters. */
    static boolean isPrintable(String text, int maxChars) {
        return text.length() <= maxChars && text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    private static <M extends Message> M parse(
            Parser<M> parser, byte[] data, int from, Function<M, Header> header)
            throws NodeFaultException {
        M message;
        try {
            message = DiscardUnknownFieldsParser.wrap(parser).parseFrom(data);
        } catch (InvalidProtocolBufferException _) {
            throw new NodeFaultException(NodeFault.MALFORMED);
        }
        Header sender = header.apply(message);
        if (sender.getNode() != from) {
            throw new NodeFaultException(NodeFault.WRONG_SENDER);
        }
        if (sender.getMajor() != MAJOR_VERSION) {
            throw new NodeFaultException(
                    NodeFault.VERSION,
                    String.format(
                            Locale.ROOT,
                            "speaks cluster protocol %s, this server %d: it is not shown",
                            Integer.toUnsignedString(sender.getMajor()),
                            MAJOR_VERSION));
        }
        return message;
    }

    /**
     * Counts fields without making objects.
     *
     * @param listFields numbers of the fields whose elements are many
     */
    private static void check(byte[] data, int... listFields) throws NodeFaultException {
        if (data.length > MAX_BYTES) {
            throw new NodeFaultException(NodeFault.OVERSIZE);
        }
        int fields = 0;
        int elements = 0;
        CodedInputStream in = CodedInputStream.newInstance(data);
        try {
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (++fields > MAX_FIELDS) {
                    throw new NodeFaultException(NodeFault.MALFORMED);
                }
                int listTag = tag;
                if (IntStream.of(listFields).anyMatch(field -> listTag == (field << 3 | 2))) {
                    int limit = in.pushLimit(in.readRawVarint32());
                    for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
                        if (++elements > MAX_ELEMENTS) {
                            throw new NodeFaultException(NodeFault.TOO_MANY_PLAYERS);
                        }
                        skip(in, inner);
                    }
                    in.popLimit(limit);
                } else {
                    skip(in, tag);
                }
            }
        } catch (IOException _) {
            throw new NodeFaultException(NodeFault.MALFORMED);
        }
    }

    private static void skip(CodedInputStream in, int tag) throws IOException, NodeFaultException {
        if (!in.skipField(tag)) {
            throw new NodeFaultException(NodeFault.MALFORMED);
        }
    }
}
